CREATE TABLE "ways_back" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"return_to" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ways_back_expires_at_index" ON "ways_back" USING btree ("expires_at");