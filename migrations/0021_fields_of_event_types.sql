ALTER TABLE "bookings" ADD COLUMN "asked" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "location" jsonb;--> statement-breakpoint
ALTER TABLE "event_types" ADD COLUMN "length_in_minutes_options" integer[];--> statement-breakpoint
ALTER TABLE "event_types" ADD COLUMN "locations" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "event_types" ADD COLUMN "booking_fields" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "event_types" ADD COLUMN "disable_guests" boolean DEFAULT false NOT NULL;