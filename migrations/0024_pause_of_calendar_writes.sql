ALTER TABLE "calendars" ADD COLUMN "write_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "write_retry_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "served_at" timestamp with time zone;