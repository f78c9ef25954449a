ALTER TABLE "clients" ALTER COLUMN "owner_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "document_expires_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "clients_status_index" ON "clients" USING btree ("status") WHERE "clients"."document_expires_at" is not null;