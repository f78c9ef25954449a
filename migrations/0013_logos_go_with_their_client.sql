ALTER TABLE "client_edits" DROP CONSTRAINT "client_edits_logo_id_logos_id_fk";
--> statement-breakpoint
ALTER TABLE "clients" DROP CONSTRAINT "clients_logo_id_logos_id_fk";
--> statement-breakpoint
ALTER TABLE "client_edits" ADD CONSTRAINT "client_edits_logo_id_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."logos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_logo_id_logos_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."logos"("id") ON DELETE no action ON UPDATE no action;