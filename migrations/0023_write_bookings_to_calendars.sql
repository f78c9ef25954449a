CREATE TABLE "calendar_entries" (
	"user_id" integer NOT NULL,
	"ics_uid" text NOT NULL,
	"calendar_id" integer NOT NULL,
	"encrypted_collection" "bytea" NOT NULL,
	"server" text NOT NULL,
	"etag" text,
	"content_hash" text,
	"attempted_hash" text,
	"version" integer DEFAULT 0 NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failure" text,
	CONSTRAINT "calendar_entries_user_id_ics_uid_pk" PRIMARY KEY("user_id","ics_uid")
);
--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "encrypted_destination" "bytea";--> statement-breakpoint
ALTER TABLE "calendars" ADD COLUMN "destination_server" text;--> statement-breakpoint
ALTER TABLE "calendar_entries" ADD CONSTRAINT "calendar_entries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_entries" ADD CONSTRAINT "calendar_entries_calendar_id_calendars_id_fk" FOREIGN KEY ("calendar_id") REFERENCES "public"."calendars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "calendar_entries_ics_uid_index" ON "calendar_entries" USING btree ("ics_uid");--> statement-breakpoint
CREATE INDEX "calendar_entries_calendar_id_index" ON "calendar_entries" USING btree ("calendar_id");--> statement-breakpoint
CREATE INDEX "calendar_entries_due" ON "calendar_entries" USING btree ("due_at") WHERE "calendar_entries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "calendar_entries_leased" ON "calendar_entries" USING btree ("leased_until") WHERE "calendar_entries"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "bookings_ics_uid_index" ON "bookings" USING btree ("ics_uid");--> statement-breakpoint
CREATE UNIQUE INDEX "calendars_one_destination" ON "calendars" USING btree ("user_id") WHERE "calendars"."encrypted_destination" is not null;