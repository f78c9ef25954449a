ALTER TABLE "users" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "users_deleted" ON "users" USING btree ("deleted_at") WHERE "users"."deleted_at" is not null;
--> statement-breakpoint
-- Of what a deleted account did, the network and the browser can be forgotten, and nothing else.
CREATE OR REPLACE FUNCTION "keep_audit_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD."at" < now() - interval '365 days' THEN RETURN OLD; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF NEW."address" IS NULL AND NEW."user_agent" IS NULL
      AND to_jsonb(NEW) - 'address' - 'user_agent' = to_jsonb(OLD) - 'address' - 'user_agent'
      AND EXISTS (
        SELECT FROM "users"
        WHERE "id" = coalesce(OLD."actor_id", OLD."user_id") AND "deleted_at" IS NOT NULL
      )
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'audit_events is append-only: % refused', TG_OP;
END $$;
