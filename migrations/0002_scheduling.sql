CREATE TABLE "booking_hosts" (
	"booking_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"before_buffer" integer NOT NULL,
	"after_buffer" integer NOT NULL,
	"holds" boolean NOT NULL,
	"booked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "booking_hosts_booking_id_user_id_pk" PRIMARY KEY("booking_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "bookings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bookings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"uid" text NOT NULL,
	"ics_uid" text NOT NULL,
	"event_type_id" integer,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"attendee_name" text NOT NULL,
	"attendee_email" text NOT NULL,
	"attendee_time_zone" text NOT NULL,
	"attendee_language" text DEFAULT 'en' NOT NULL,
	"attendee_phone_number" text,
	"guests" text[] NOT NULL,
	"responses" jsonb NOT NULL,
	"metadata" jsonb NOT NULL,
	"cancellation_reason" text,
	"rescheduling_reason" text,
	"reassignment_reason" text,
	"rescheduled_from_uid" text,
	"rescheduled_to_uid" text,
	"sequence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bookings_uid_unique" UNIQUE("uid"),
	CONSTRAINT "booking_takes_time" CHECK ("bookings"."starts_at" < "bookings"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "calendars" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calendars_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"sealed_access" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_type_hosts" (
	"event_type_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "event_type_hosts_event_type_id_user_id_pk" PRIMARY KEY("event_type_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "event_types" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
	"team_id" integer,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"length_in_minutes" integer NOT NULL,
	"slot_interval" integer,
	"before_event_buffer" integer DEFAULT 0 NOT NULL,
	"after_event_buffer" integer DEFAULT 0 NOT NULL,
	"minimum_booking_notice" integer DEFAULT 120 NOT NULL,
	"booking_window_days" integer,
	"hidden" boolean DEFAULT false NOT NULL,
	"requires_confirmation" boolean DEFAULT false NOT NULL,
	"schedule_id" integer,
	"scheduling_type" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "event_types_userId_slug_unique" UNIQUE("user_id","slug"),
	CONSTRAINT "event_types_teamId_slug_unique" UNIQUE("team_id","slug"),
	CONSTRAINT "event_type_of_one" CHECK (num_nonnulls("event_types"."user_id", "event_types"."team_id") = 1),
	CONSTRAINT "event_type_team_kind" CHECK (("event_types"."team_id" is null) = ("event_types"."scheduling_type" is null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"request_hash" text NOT NULL,
	"booking_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schedules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"time_zone" text NOT NULL,
	"weekly" jsonb NOT NULL,
	"overrides" jsonb NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "slot_reservations" (
	"uid" uuid PRIMARY KEY NOT NULL,
	"event_type_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "managing_client_id" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "calendar_entry" text;--> statement-breakpoint
ALTER TABLE "booking_hosts" ADD CONSTRAINT "booking_hosts_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hosts" ADD CONSTRAINT "booking_hosts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_event_type_id_event_types_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "public"."event_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_type_hosts" ADD CONSTRAINT "event_type_hosts_event_type_id_event_types_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "public"."event_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_type_hosts" ADD CONSTRAINT "event_type_hosts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_reservations" ADD CONSTRAINT "slot_reservations_event_type_id_event_types_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "public"."event_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_hosts_user_id_starts_at_index" ON "booking_hosts" USING btree ("user_id","starts_at");--> statement-breakpoint
CREATE INDEX "booking_hosts_user_id_booked_at_index" ON "booking_hosts" USING btree ("user_id","booked_at");--> statement-breakpoint
CREATE INDEX "bookings_event_type_id_starts_at_index" ON "bookings" USING btree ("event_type_id","starts_at");--> statement-breakpoint
CREATE INDEX "bookings_attendee" ON "bookings" USING btree (lower("attendee_email"),"starts_at");--> statement-breakpoint
CREATE INDEX "calendars_user_id_id_index" ON "calendars" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "event_type_hosts_user_id_index" ON "event_type_hosts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "event_types_user_id_id_index" ON "event_types" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "event_types_team_id_id_index" ON "event_types" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "event_types_user_id_created_at_id_index" ON "event_types" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "event_types_team_id_created_at_id_index" ON "event_types" USING btree ("team_id","created_at","id");--> statement-breakpoint
CREATE INDEX "event_types_schedule_id_index" ON "event_types" USING btree ("schedule_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_booking_id_index" ON "idempotency_keys" USING btree ("booking_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at_index" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "schedules_user_id_id_index" ON "schedules" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_one_default" ON "schedules" USING btree ("user_id") WHERE "schedules"."is_default";--> statement-breakpoint
CREATE INDEX "slot_reservations_event_type_id_starts_at_index" ON "slot_reservations" USING btree ("event_type_id","starts_at");--> statement-breakpoint
CREATE INDEX "slot_reservations_expires_at_index" ON "slot_reservations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "users_managing_client_id_index" ON "users" USING btree ("managing_client_id");--> statement-breakpoint
-- Two bookings of one host never overlap. The host as a range of one, because then no extension is needed.
ALTER TABLE "booking_hosts" ADD CONSTRAINT "booking_hosts_no_overlap" EXCLUDE USING gist (int4range("user_id", "user_id", '[]') WITH &&, tstzrange("starts_at", "ends_at") WITH &&) WHERE ("holds");
