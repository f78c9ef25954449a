ALTER TABLE "grants" ADD COLUMN "approved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "is_crowded" boolean;