ALTER TABLE "event_type_hosts" DROP CONSTRAINT "event_type_hosts_user_id_users_id_fk";
--> statement-breakpoint
DROP INDEX "event_type_hosts_user_id_index";--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "team_id" integer;--> statement-breakpoint
UPDATE "bookings" SET "team_id" = "event_types"."team_id" FROM "event_types" WHERE "event_types"."id" = "bookings"."event_type_id" AND "event_types"."team_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "event_type_hosts" ADD COLUMN "team_id" integer;--> statement-breakpoint
-- Whoever has left a team hosts its event types no more.
DELETE FROM "event_type_hosts" USING "event_types" WHERE "event_types"."id" = "event_type_hosts"."event_type_id" AND NOT EXISTS (SELECT FROM "memberships" WHERE "memberships"."team_id" = "event_types"."team_id" AND "memberships"."user_id" = "event_type_hosts"."user_id");--> statement-breakpoint
UPDATE "event_type_hosts" SET "team_id" = "event_types"."team_id" FROM "event_types" WHERE "event_types"."id" = "event_type_hosts"."event_type_id";--> statement-breakpoint
ALTER TABLE "event_type_hosts" ALTER COLUMN "team_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_type_hosts" ADD CONSTRAINT "event_type_hosts_team_id_user_id_memberships_team_id_user_id_fk" FOREIGN KEY ("team_id","user_id") REFERENCES "public"."memberships"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bookings_team_id_starts_at_index" ON "bookings" USING btree ("team_id","starts_at");--> statement-breakpoint
CREATE INDEX "event_type_hosts_user_id_team_id_index" ON "event_type_hosts" USING btree ("user_id","team_id");