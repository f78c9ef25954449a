ALTER TABLE "calendars" ADD COLUMN "unreadable_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "unreadable" jsonb;--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "owner_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "next_check_at" timestamp with time zone DEFAULT now() NOT NULL;