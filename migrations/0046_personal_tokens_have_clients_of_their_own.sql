ALTER TABLE "personal_tokens" DROP CONSTRAINT "personal_tokens_grant_id_grants_id_fk";--> statement-breakpoint
ALTER TABLE "personal_tokens" ADD COLUMN "client_id" text;--> statement-breakpoint
-- A token of before was a grant to a client that all tokens shared.
INSERT INTO "clients" ("id", "name", "purpose", "redirect_uris", "type", "status", "created_at", "submitted_at")
  SELECT 'personal-token-' || "grant_id", "name", 'A script of the account’s own.', '{}', 'confidential', 'accepted', "created_at", "created_at"
  FROM "personal_tokens";--> statement-breakpoint
UPDATE "personal_tokens" SET "client_id" = 'personal-token-' || "grant_id";--> statement-breakpoint
UPDATE "grants" SET "client_id" = 'personal-token-' || "id" WHERE "client_id" = 'personal-tokens';--> statement-breakpoint
-- Nobody knows which of several tokens made a webhook; the newest one of then keeps it.
UPDATE "webhooks" SET "app_id" = (
  SELECT "client_id" FROM "personal_tokens"
  WHERE "user_id" = "webhooks"."app_user_id" AND "personal_tokens"."created_at" <= "webhooks"."created_at"
  ORDER BY "personal_tokens"."created_at" DESC LIMIT 1
) WHERE "app_id" = 'personal-tokens' AND EXISTS (
  SELECT FROM "personal_tokens"
  WHERE "user_id" = "webhooks"."app_user_id" AND "personal_tokens"."created_at" <= "webhooks"."created_at"
);--> statement-breakpoint
DELETE FROM "clients" WHERE "id" = 'personal-tokens';--> statement-breakpoint
ALTER TABLE "personal_tokens" ALTER COLUMN "client_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;
