CREATE TABLE "queue_jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "queue_jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"queue" text NOT NULL,
	"key" text NOT NULL,
	"lane_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	CONSTRAINT "queue_jobs_queue_key_unique" UNIQUE("queue","key")
);
--> statement-breakpoint
CREATE TABLE "queue_lanes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "queue_lanes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"queue" text NOT NULL,
	"lane" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"served_at" timestamp with time zone,
	CONSTRAINT "queue_lanes_queue_lane_unique" UNIQUE("queue","lane")
);
--> statement-breakpoint
DROP INDEX "webhook_deliveries_waiting";--> statement-breakpoint
DROP INDEX "webhooks_leased_until_index";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "is_queued" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "queue_jobs_lane_id_due_at_index" ON "queue_jobs" USING btree ("lane_id","due_at");--> statement-breakpoint
CREATE INDEX "queue_jobs_leased" ON "queue_jobs" USING btree ("lane_id") WHERE "queue_jobs"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "queue_lanes_queue_due_at_index" ON "queue_lanes" USING btree ("queue","due_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_unqueued" ON "webhook_deliveries" USING btree ("id") WHERE "webhook_deliveries"."settled_at" is null and not "webhook_deliveries"."is_queued";
-- webhooks.idle_until, seen_id, leased_until and served_at stay: instances of the version before,
-- which go on meanwhile, read and write them.
