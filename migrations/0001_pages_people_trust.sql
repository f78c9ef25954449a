CREATE TABLE "devices" (
	"id_hash" text NOT NULL,
	"user_id" integer NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "devices_id_hash_user_id_pk" PRIMARY KEY("id_hash","user_id")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" integer,
	"organization_id" integer,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"inviter_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invitations_teamId_email_unique" UNIQUE("team_id","email"),
	CONSTRAINT "invitations_organizationId_email_unique" UNIQUE("organization_id","email"),
	CONSTRAINT "invitation_into_one" CHECK (num_nonnulls("invitations"."team_id", "invitations"."organization_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"reset_at" timestamp with time zone NOT NULL
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
CREATE TABLE "failed_token_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"request_id" text NOT NULL,
	"reason" text NOT NULL,
	"explanation" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL
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
	"remembered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "remembered_consents_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
DROP INDEX "clients_status_created_at_index";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "created_at" timestamp with time zone;--> statement-breakpoint
UPDATE "organizations" SET "created_at" = now();--> statement-breakpoint
ALTER TABLE "organizations" ALTER COLUMN "created_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" timestamp with time zone;--> statement-breakpoint
UPDATE "sessions" SET "last_seen_at" = "created_at";--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "last_seen_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "organization_role" text;--> statement-breakpoint
ALTER TABLE "client_secrets" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "client_secrets" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "logo_id" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "submitted_at" timestamp with time zone;--> statement-breakpoint
UPDATE "clients" SET "submitted_at" = "created_at";--> statement-breakpoint
ALTER TABLE "clients" ALTER COLUMN "submitted_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "html" text;--> statement-breakpoint
UPDATE "outbox" SET "html" = '<pre>' || replace(replace("text", '&', '&amp;'), '<', '&lt;') || '</pre>';--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "html" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "sealed_link" "bytea";--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_edits" ADD CONSTRAINT "client_edits_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_edits" ADD CONSTRAINT "client_edits_logo_id_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."logos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_events" ADD CONSTRAINT "client_events_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_events" ADD CONSTRAINT "client_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "failed_token_requests" ADD CONSTRAINT "failed_token_requests_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "logos" ADD CONSTRAINT "logos_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD CONSTRAINT "remembered_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD CONSTRAINT "remembered_consents_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD CONSTRAINT "remembered_consents_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "devices_user_id_index" ON "devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "devices_last_seen_at_index" ON "devices" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "invitations_inviter_id_index" ON "invitations" USING btree ("inviter_id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at_index" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_failures_reset_at_index" ON "sign_in_failures" USING btree ("reset_at");--> statement-breakpoint
CREATE INDEX "client_edits_status_submitted_at_index" ON "client_edits" USING btree ("status","submitted_at");--> statement-breakpoint
CREATE INDEX "client_edits_logo_id_index" ON "client_edits" USING btree ("logo_id");--> statement-breakpoint
CREATE INDEX "client_events_client_id_id_index" ON "client_events" USING btree ("client_id","id");--> statement-breakpoint
CREATE INDEX "client_events_actor_id_index" ON "client_events" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "failed_token_requests_client_id_at_index" ON "failed_token_requests" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "failed_token_requests_at_index" ON "failed_token_requests" USING btree ("at");--> statement-breakpoint
CREATE INDEX "logos_client_id_index" ON "logos" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "remembered_consents_client_id_index" ON "remembered_consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "remembered_consents_team_id_index" ON "remembered_consents" USING btree ("team_id");--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_logo_id_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."logos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "clients_status_submitted_at_index" ON "clients" USING btree ("status","submitted_at");--> statement-breakpoint
CREATE INDEX "clients_logo_id_index" ON "clients" USING btree ("logo_id");--> statement-breakpoint
CREATE INDEX "outbox_created_at_index" ON "outbox" USING btree ("created_at");--> statement-breakpoint
-- The history of the clients that are there already.
INSERT INTO "client_events" ("client_id", "kind", "actor_id", "at") SELECT "id", 'submitted', "owner_id", "created_at" FROM "clients" ORDER BY "created_at";--> statement-breakpoint
INSERT INTO "client_events" ("client_id", "kind", "actor_id", "reason", "at") SELECT "id", "status", "reviewer_id", "rejection_reason", "reviewed_at" FROM "clients" WHERE "status" <> 'pending' AND "reviewed_at" IS NOT NULL ORDER BY "reviewed_at";
