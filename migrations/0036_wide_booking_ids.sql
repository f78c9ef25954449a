ALTER TABLE "booking_hosts" ALTER COLUMN "booking_id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "bookings" ALTER COLUMN "id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "bookings" ALTER COLUMN "id" SET MAXVALUE 9223372036854775807;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "booking_id" SET DATA TYPE bigint;