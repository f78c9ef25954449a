ALTER TABLE "grants" DROP CONSTRAINT "grants_client_id_clients_id_fk";
--> statement-breakpoint
ALTER TABLE "remembered_consents" DROP CONSTRAINT "remembered_consents_client_id_clients_id_fk";
--> statement-breakpoint
DROP INDEX "remembered_consents_client_id_index";--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "grants_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "consents_ended_at" timestamp with time zone;