CREATE TABLE "devices" (
	"id_hash" text NOT NULL,
	"user_id" integer NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "devices_id_hash_user_id_pk" PRIMARY KEY("id_hash","user_id")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"organization_id" integer,
	"is_platform" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "groups_kind_slug_unique" UNIQUE("kind","slug"),
	CONSTRAINT "groups_id_kind_unique" UNIQUE("id","kind"),
	CONSTRAINT "group_organization_of_team" CHECK ("groups"."kind" = 'team' or "groups"."organization_id" is null),
	CONSTRAINT "group_platform_organization" CHECK ("groups"."kind" = 'organization' or not "groups"."is_platform")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"group_id" integer NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"inviter_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_groupId_email_unique" UNIQUE("group_id","email")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"group_id" integer NOT NULL,
	"kind" text NOT NULL,
	"user_id" integer NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "memberships_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"user_agent" text,
	"address" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"username" text,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"week_start" text DEFAULT 'Monday' NOT NULL,
	"time_format" integer DEFAULT 24 NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"managing_client_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "client_edits" (
	"client_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"purpose" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"website_url" text,
	"scopes" text[],
	"logo_id" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"rejection_reason" text,
	"submitted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" text NOT NULL,
	"kind" text NOT NULL,
	"actor_id" integer,
	"reason" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"registration_key" text,
	"secret_hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"registration_key" text,
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"purpose" text NOT NULL,
	"type" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"website_url" text,
	"scopes" text[],
	"logo_id" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"rejection_reason" text,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"reviewed_at" timestamp with time zone,
	"reviewer_id" integer
);
--> statement-breakpoint
CREATE TABLE "failed_token_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"request_id" text NOT NULL,
	"reason" text NOT NULL,
	"cause" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" integer NOT NULL,
	"team_id" integer,
	"scopes" text[],
	"redirect_uri" text NOT NULL,
	"code_challenge" text,
	"generation" integer DEFAULT 0 NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"redeemed_at" timestamp with time zone,
	"rotated_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revocation_reason" text
);
--> statement-breakpoint
CREATE TABLE "logos" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remembered_consents" (
	"user_id" integer NOT NULL,
	"client_id" text NOT NULL,
	"team_id" integer,
	"scopes" text[],
	"redirect_uri" text NOT NULL,
	"remembered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "remembered_consents_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"encrypted_private_key" "bytea" NOT NULL,
	"active_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"encrypted_link" "bytea",
	"calendar_entry" text,
	"priority" smallint DEFAULT 0 NOT NULL,
	"cause" text,
	"turn" integer DEFAULT 0 NOT NULL,
	"thread" text,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_failure" text,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"logged_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"reset_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"team_id" integer,
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
	"encrypted_access" "bytea" NOT NULL,
	"ended_readings" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_type_hosts" (
	"event_type_id" integer NOT NULL,
	"team_id" integer NOT NULL,
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
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_organization_id_groups_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_group_id_kind_groups_id_kind_fk" FOREIGN KEY ("group_id","kind") REFERENCES "public"."groups"("id","kind") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_edits" ADD CONSTRAINT "client_edits_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_edits" ADD CONSTRAINT "client_edits_logo_id_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."logos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_events" ADD CONSTRAINT "client_events_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_events" ADD CONSTRAINT "client_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_logo_id_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."logos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "failed_token_requests" ADD CONSTRAINT "failed_token_requests_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_team_id_groups_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "logos" ADD CONSTRAINT "logos_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD CONSTRAINT "remembered_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD CONSTRAINT "remembered_consents_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD CONSTRAINT "remembered_consents_team_id_groups_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hosts" ADD CONSTRAINT "booking_hosts_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "booking_hosts" ADD CONSTRAINT "booking_hosts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_event_type_id_event_types_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "public"."event_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_team_id_groups_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."groups"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_type_hosts" ADD CONSTRAINT "event_type_hosts_event_type_id_event_types_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "public"."event_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_type_hosts" ADD CONSTRAINT "event_type_hosts_team_id_user_id_memberships_group_id_user_id_fk" FOREIGN KEY ("team_id","user_id") REFERENCES "public"."memberships"("group_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_team_id_groups_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_types" ADD CONSTRAINT "event_types_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_booking_id_bookings_id_fk" FOREIGN KEY ("booking_id") REFERENCES "public"."bookings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slot_reservations" ADD CONSTRAINT "slot_reservations_event_type_id_event_types_id_fk" FOREIGN KEY ("event_type_id") REFERENCES "public"."event_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_user_id_index" ON "devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "devices_last_seen_at_index" ON "devices" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "groups_organization_id_index" ON "groups" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "invitations_inviter_id_index" ON "invitations" USING btree ("inviter_id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at_index" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "memberships_user_id_index" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_organization" ON "memberships" USING btree ("user_id") WHERE "memberships"."kind" = 'organization';--> statement-breakpoint
CREATE INDEX "sessions_user_id_index" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at_index" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "users_managing_client_id_index" ON "users" USING btree ("managing_client_id");--> statement-breakpoint
CREATE INDEX "client_edits_status_submitted_at_index" ON "client_edits" USING btree ("status","submitted_at");--> statement-breakpoint
CREATE INDEX "client_edits_logo_id_index" ON "client_edits" USING btree ("logo_id");--> statement-breakpoint
CREATE INDEX "client_events_client_id_id_index" ON "client_events" USING btree ("client_id","id");--> statement-breakpoint
CREATE INDEX "client_events_actor_id_index" ON "client_events" USING btree ("actor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "client_secrets_client_id_registration_key_index" ON "client_secrets" USING btree ("client_id","registration_key");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_owner_id_registration_key_index" ON "clients" USING btree ("owner_id","registration_key");--> statement-breakpoint
CREATE INDEX "clients_status_submitted_at_index" ON "clients" USING btree ("status","submitted_at");--> statement-breakpoint
CREATE INDEX "clients_reviewer_id_index" ON "clients" USING btree ("reviewer_id");--> statement-breakpoint
CREATE INDEX "clients_logo_id_index" ON "clients" USING btree ("logo_id");--> statement-breakpoint
CREATE INDEX "failed_token_requests_client_id_at_index" ON "failed_token_requests" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "failed_token_requests_at_index" ON "failed_token_requests" USING btree ("at");--> statement-breakpoint
CREATE INDEX "grants_client_id_index" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "grants_user_id_index" ON "grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "grants_team_id_index" ON "grants" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "grants_issued_at_index" ON "grants" USING btree ("issued_at");--> statement-breakpoint
CREATE INDEX "logos_client_id_index" ON "logos" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "remembered_consents_client_id_index" ON "remembered_consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "remembered_consents_team_id_index" ON "remembered_consents" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "outbox_unsent" ON "outbox" USING btree ("priority","turn","due_at") WHERE "outbox"."sent_at" is null and "outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_cause" ON "outbox" USING btree ("cause") WHERE "outbox"."sent_at" is null and "outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_thread" ON "outbox" USING btree ("thread","recipient") WHERE "outbox"."thread" is not null;--> statement-breakpoint
CREATE INDEX "outbox_created_at_index" ON "outbox" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_reset_at_index" ON "rate_limits" USING btree ("reset_at");--> statement-breakpoint
CREATE INDEX "booking_hosts_user_id_starts_at_index" ON "booking_hosts" USING btree ("user_id","starts_at");--> statement-breakpoint
CREATE INDEX "booking_hosts_user_id_booked_at_index" ON "booking_hosts" USING btree ("user_id","booked_at");--> statement-breakpoint
CREATE INDEX "bookings_event_type_id_starts_at_index" ON "bookings" USING btree ("event_type_id","starts_at");--> statement-breakpoint
CREATE INDEX "bookings_team_id_starts_at_index" ON "bookings" USING btree ("team_id","starts_at");--> statement-breakpoint
CREATE INDEX "bookings_attendee" ON "bookings" USING btree (lower("attendee_email"),"starts_at");--> statement-breakpoint
CREATE INDEX "calendars_user_id_id_index" ON "calendars" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "event_type_hosts_user_id_team_id_index" ON "event_type_hosts" USING btree ("user_id","team_id");--> statement-breakpoint
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
-- Leaves room on the pages of grants: a refresh, which changes no indexed column, stays on its page (a HOT update).
ALTER TABLE "grants" SET (fillfactor = 70);--> statement-breakpoint
-- Two bookings of one host never overlap. The host is a range of one, which needs no extension.
ALTER TABLE "booking_hosts" ADD CONSTRAINT "booking_hosts_no_overlap" EXCLUDE USING gist (int4range("user_id", "user_id", '[]') WITH &&, tstzrange("starts_at", "ends_at") WITH &&) WHERE ("holds");
