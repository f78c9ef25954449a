DELETE FROM "failed_token_requests";--> statement-breakpoint
ALTER TABLE "failed_token_requests" ADD COLUMN "cause" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "failed_token_requests" DROP COLUMN "explanation";