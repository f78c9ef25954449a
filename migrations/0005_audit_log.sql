CREATE TABLE "audit_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"actor_id" integer,
	"actor_client_id" text,
	"user_id" integer,
	"client_id" text,
	"group_id" integer,
	"object_id" text,
	"label" text,
	"reason" text,
	"address" text,
	"user_agent" text,
	"request_id" text
);
--> statement-breakpoint
CREATE INDEX "audit_events_at_id_index" ON "audit_events" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_events_user_id_at_id_index" ON "audit_events" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_actor_id_at_id_index" ON "audit_events" USING btree ("actor_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_client_id_at_id_index" ON "audit_events" USING btree ("client_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_events_action_at_id_index" ON "audit_events" USING btree ("action","at","id");
--> statement-breakpoint
-- Events are added, never changed; those of the last year are never deleted.
CREATE FUNCTION "keep_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD."at" < now() - interval '365 days' THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'audit_events is append-only: % refused', TG_OP;
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_events_keep" BEFORE UPDATE OR DELETE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION "keep_audit_events"();--> statement-breakpoint
CREATE TRIGGER "audit_events_keep_all" BEFORE TRUNCATE ON "audit_events" FOR EACH STATEMENT EXECUTE FUNCTION "keep_audit_events"();
