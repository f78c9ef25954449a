CREATE INDEX "bookings_next_meeting" ON "bookings" USING btree ("next_meeting_at") WHERE "bookings"."status" = 'accepted' and "bookings"."next_meeting_at" is not null;--> statement-breakpoint
CREATE INDEX "webhooks_event_type_id_index" ON "webhooks" USING btree ("event_type_id") WHERE "webhooks"."event_type_id" is not null;--> statement-breakpoint
CREATE INDEX "grants_user_id_client_id_index" ON "grants" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "audit_events_of_actor" ON "audit_events" USING btree ("actor_id","at","id") WHERE "audit_events"."user_id" is distinct from "audit_events"."actor_id";--> statement-breakpoint
DROP INDEX "grants_user_id_index";--> statement-breakpoint
DROP INDEX "audit_events_actor_id_at_id_index";