CREATE INDEX "calendar_entries_next" ON "calendar_entries" USING btree ("calendar_id","due_at","ics_uid") WHERE "calendar_entries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "calendar_entries_unqueued" ON "calendar_entries" USING btree ("user_id") WHERE "calendar_entries"."due_at" is not null and "calendar_entries"."version" <> "calendar_entries"."queued_version";--> statement-breakpoint
DROP INDEX "calendar_entries_due";--> statement-breakpoint
DROP INDEX "calendar_entries_leased";
