ALTER TABLE "bookings" ADD COLUMN "next_meeting_at" timestamp with time zone;--> statement-breakpoint
UPDATE "bookings" SET "next_meeting_at" = case when "starts_at" > now() then "starts_at" else "ends_at" end WHERE "status" in ('accepted', 'pending') and "ends_at" > now();--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "event_type_id" integer;--> statement-breakpoint
-- Webhooks and event types belong to parts that don't know each other.
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_event_type_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "event_types"("id") ON DELETE CASCADE;
