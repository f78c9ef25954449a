-- Nobody has been shown where these go; their users are asked once more.
DELETE FROM "remembered_consents";--> statement-breakpoint
ALTER TABLE "remembered_consents" ADD COLUMN "redirect_uri" text NOT NULL;