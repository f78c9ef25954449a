ALTER TABLE "bookings" DROP CONSTRAINT "bookings_event_type_id_event_types_id_fk";
--> statement-breakpoint
ALTER TABLE "bookings" DROP CONSTRAINT "bookings_team_id_groups_id_fk";
