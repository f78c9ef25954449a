CREATE TABLE "former_names" (
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"owner_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "former_names_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE INDEX "former_names_expires_at_index" ON "former_names" USING btree ("expires_at");