CREATE TABLE "openid_requests" (
	"grant_id" uuid PRIMARY KEY NOT NULL,
	"nonce" text,
	"authenticated_at" timestamp with time zone NOT NULL,
	"issued_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "updated_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "openid_requests_issued_at_index" ON "openid_requests" USING btree ("issued_at");