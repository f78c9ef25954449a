CREATE TABLE "daily_numbers" (
	"day" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"total" bigint NOT NULL,
	CONSTRAINT "daily_numbers_day_name_pk" PRIMARY KEY("day","name")
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "answer" text;