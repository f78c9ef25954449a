ALTER TABLE "client_edits" ADD COLUMN "requires_pkce" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "requires_pkce" boolean DEFAULT false NOT NULL;