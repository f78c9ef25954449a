ALTER TABLE "calendar_entries" ADD COLUMN "destination_app_id" text;--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "destination_app_id" text;