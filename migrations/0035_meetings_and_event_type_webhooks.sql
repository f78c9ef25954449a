ALTER TABLE "bookings" ADD COLUMN "next_meeting_at" timestamp with time zone;--> statement-breakpoint
UPDATE "bookings" SET "next_meeting_at" = case when "starts_at" > now() then "starts_at" else "ends_at" end WHERE "status" in ('accepted', 'pending') and "ends_at" > now();--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "event_type_id" integer;--> statement-breakpoint
-- Webhooks and event types belong to parts that don't know each other.
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_event_type_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "event_types"("id") ON DELETE CASCADE;--> statement-breakpoint
CREATE INDEX "bookings_next_meeting" ON "bookings" USING btree ("next_meeting_at") WHERE "bookings"."status" = 'accepted' and "bookings"."next_meeting_at" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_event_type_id_index" ON "webhooks" USING btree ("event_type_id") WHERE "webhooks"."event_type_id" is not null;