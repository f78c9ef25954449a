CREATE TABLE "id_token_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"encrypted_private_key" "bytea" NOT NULL,
	"active_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retired_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"retired_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "id_token_algorithm" text DEFAULT 'ES256' NOT NULL;--> statement-breakpoint
CREATE INDEX "retired_keys_retired_at_index" ON "retired_keys" USING btree ("retired_at");