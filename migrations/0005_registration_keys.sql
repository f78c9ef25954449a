DROP INDEX "client_secrets_client_id_index";--> statement-breakpoint
DROP INDEX "clients_owner_id_index";--> statement-breakpoint
ALTER TABLE "client_secrets" ADD COLUMN "registration_key" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "registration_key" text;--> statement-breakpoint
CREATE UNIQUE INDEX "client_secrets_client_id_registration_key_index" ON "client_secrets" USING btree ("client_id","registration_key");--> statement-breakpoint
CREATE UNIQUE INDEX "clients_owner_id_registration_key_index" ON "clients" USING btree ("owner_id","registration_key");