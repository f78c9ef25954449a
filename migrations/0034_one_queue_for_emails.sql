DROP INDEX "outbox_unsent";--> statement-breakpoint
DROP INDEX "outbox_cause";--> statement-breakpoint
DROP INDEX "queue_jobs_lane_id_due_at_index";--> statement-breakpoint
DROP INDEX "queue_lanes_queue_due_at_index";--> statement-breakpoint
ALTER TABLE "queue_jobs" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("created_at","id") WHERE "outbox"."sent_at" is null and "outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_failing" ON "outbox" USING btree ("created_at","id") WHERE "outbox"."sent_at" is null and "outbox"."last_failure" is not null;--> statement-breakpoint
CREATE INDEX "queue_jobs_next" ON "queue_jobs" USING btree ("lane_id","due_at","id");--> statement-breakpoint
CREATE INDEX "queue_lanes_next" ON "queue_lanes" USING btree ("queue","due_at","served_at" NULLS FIRST,"id");--> statement-breakpoint
-- The functions of src/platform/queue: one round trip each, with plans that don't depend on
-- statistics, because a queue is empty at one moment and long at the next. Each locks a lane before
-- its jobs, so that a change of one of them sees the other's, and nothing is left asleep.
--
-- queue_add makes jobs due, unless they are due before; each key once. What is leased stays
-- in its lane.
CREATE FUNCTION "queue_add"("jobs" jsonb, "at" timestamptz) RETURNS void LANGUAGE plpgsql
SET enable_nestloop = off SET jit = off AS $$
BEGIN
  WITH named AS (
    INSERT INTO queue_lanes AS l (queue, lane, due_at)
      SELECT j.queue, j.lane, min(CASE WHEN j."dueAt" <= at THEN 'epoch' ELSE j."dueAt" END)
      FROM jsonb_to_recordset(jobs) AS j (queue text, lane text, "dueAt" timestamptz)
      -- Several that do this at the same time lock the rows in the same order.
      GROUP BY j.queue, j.lane ORDER BY j.queue, j.lane
    ON CONFLICT (queue, lane) DO UPDATE SET due_at = least(
      l.due_at, CASE WHEN excluded.due_at <= at THEN coalesce(least(l.served_at, at), 'epoch') ELSE excluded.due_at END
    )
    RETURNING l.id, l.queue, l.lane
  )
  INSERT INTO queue_jobs AS q (queue, key, lane_id, due_at)
    SELECT j.queue, j.key, l.id, j."dueAt"
    FROM jsonb_to_recordset(jobs) AS j (queue text, lane text, key text, "dueAt" timestamptz)
    INNER JOIN named l ON l.queue = j.queue AND l.lane = j.lane
    ORDER BY j.queue, j.key
  ON CONFLICT (queue, key) DO UPDATE SET
    lane_id = CASE WHEN q.leased_until > at THEN q.lane_id ELSE excluded.lane_id END,
    due_at = least(q.due_at, excluded.due_at);
END $$;
--> statement-breakpoint
-- queue_claim leases due jobs, of the first queue that has any before the others. Lanes take turns,
-- the one served least recently first, and each has at most so many jobs in hand. It looks at a
-- window of 24 lanes, whose next look it writes down, however many jobs and lanes wait.
-- protects: C126 (without WHEN o.served > 0 THEN at)
-- protects: C241 (24 → 1000000000)
-- protects: C241 (without SET enable_seqscan = off SET enable_sort = off)
CREATE FUNCTION "queue_claim"("queues" text[], "at" timestamptz, "lease_until" timestamptz, "wanted" integer, "max_of_lane" integer)
RETURNS TABLE ("id" bigint, "key" text, "lane_id" bigint, "attempts" integer) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_sort = off SET jit = off AS $$
DECLARE
  of_queue text;
  look_at bigint[];
  claimed integer;
BEGIN
  FOREACH of_queue IN ARRAY queues LOOP
    -- A window may only have lanes that wait for what is in hand; more may be behind it.
    FOR windows IN 1..100 LOOP
      SELECT array_agg(w.id ORDER BY w.nth) INTO look_at FROM (
        SELECT l.id, row_number() OVER () AS nth FROM (
          SELECT n.id FROM queue_lanes n WHERE n.queue = of_queue AND n.due_at <= at
          ORDER BY n.due_at, n.served_at NULLS FIRST, n.id LIMIT 24 FOR UPDATE SKIP LOCKED
        ) l
      ) w;
      EXIT WHEN look_at IS NULL;
      RETURN QUERY
        UPDATE queue_jobs q SET due_at = lease_until, leased_until = lease_until, attempts = q.attempts + 1
        WHERE q.id = ANY (ARRAY(
          SELECT due.id FROM unnest(look_at) WITH ORDINALITY AS o (lane, nth)
          CROSS JOIN LATERAL (
            SELECT count(*) AS jobs FROM queue_jobs h WHERE h.lane_id = o.lane AND h.leased_until > at
          ) in_hand
          CROSS JOIN LATERAL (
            SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS nth FROM queue_jobs d
            WHERE d.lane_id = o.lane AND d.due_at <= at AND coalesce(d.leased_until <= at, true)
            ORDER BY d.due_at, d.id LIMIT greatest(least(wanted, max_of_lane - in_hand.jobs), 0)
          ) due
          ORDER BY due.nth, o.nth LIMIT wanted
        ))
        RETURNING q.id, q.key, q.lane_id, q.attempts;
      GET DIAGNOSTICS claimed = ROW_COUNT;
      wanted := wanted - claimed;
      WITH looked AS MATERIALIZED (
        SELECT o.lane, h.*, (
          SELECT f.due_at FROM queue_jobs f WHERE f.lane_id = o.lane AND coalesce(f.leased_until <= at, true)
          ORDER BY f.due_at LIMIT 1
        ) AS next_at
        FROM unnest(look_at) AS o (lane) CROSS JOIN LATERAL (
          SELECT count(*) AS jobs, min(q.leased_until) AS until, count(*) FILTER (WHERE q.leased_until = lease_until) AS served
          FROM queue_jobs q WHERE q.lane_id = o.lane AND q.leased_until > at
        ) h
      ), removed AS (
        DELETE FROM queue_lanes l USING looked o
          WHERE l.id = ANY (look_at) AND l.id = o.lane AND o.jobs = 0 AND o.next_at IS NULL
      )
      UPDATE queue_lanes l SET
        -- A lane with more jobs of this turn comes behind one with fewer.
        served_at = CASE WHEN o.served > 0 THEN clock_timestamp() + o.served * interval '1 ms' ELSE l.served_at END,
        due_at = least(
          CASE WHEN o.jobs < max_of_lane AND o.next_at IS NOT NULL THEN
            CASE WHEN o.next_at > at THEN o.next_at WHEN o.served > 0 THEN at ELSE l.due_at END
          END,
          o.until
        )
        FROM looked o WHERE l.id = ANY (look_at) AND l.id = o.lane AND (o.jobs > 0 OR o.next_at IS NOT NULL);
      EXIT WHEN wanted = 0 OR cardinality(look_at) < 24;
    END LOOP;
    EXIT WHEN wanted = 0;
  END LOOP;
END $$;
--> statement-breakpoint
-- queue_release gives back what is still leased until `due_at`, or until it was made due meanwhile.
-- Without `due_at`, nothing of it is left to do. It comes behind what its lane has beside it.
CREATE FUNCTION "queue_release"("jobs" jsonb, "at" timestamptz) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_sort = off SET jit = off AS $$
DECLARE
  lanes bigint[];
  job record;
  next_at timestamptz;
BEGIN
  SELECT array_agg(l.id) INTO lanes FROM (
    SELECT n.id FROM queue_lanes n
    WHERE n.id = ANY (ARRAY(SELECT j."laneId" FROM jsonb_to_recordset(jobs) AS j ("laneId" bigint)))
    ORDER BY n.id FOR UPDATE
  ) l;
  FOR job IN SELECT * FROM jsonb_to_recordset(jobs)
    AS j (id bigint, "laneId" bigint, "leasedUntil" timestamptz, "dueAt" timestamptz)
  LOOP
    DELETE FROM queue_jobs q
      WHERE q.id = job.id AND q.leased_until = job."leasedUntil" AND job."dueAt" IS NULL AND q.due_at >= q.leased_until;
    UPDATE queue_jobs q SET
        leased_until = NULL,
        attempts = 0,
        due_at = greatest(CASE WHEN q.due_at >= q.leased_until THEN job."dueAt" ELSE q.due_at END, at)
      WHERE q.id = job.id AND q.leased_until = job."leasedUntil";
    SELECT f.due_at INTO next_at FROM queue_jobs f
      WHERE f.lane_id = job."laneId" AND coalesce(f.leased_until <= at, true) ORDER BY f.due_at LIMIT 1;
    UPDATE queue_lanes l SET due_at = least(
        l.due_at, CASE WHEN next_at <= at THEN coalesce(least(l.served_at, at), 'epoch') ELSE next_at END
      ) WHERE l.id = job."laneId" AND l.due_at > coalesce(least(l.served_at, at), 'epoch');
  END LOOP;
  DELETE FROM queue_lanes l
    WHERE l.id = ANY (lanes) AND (SELECT q.id FROM queue_jobs q WHERE q.lane_id = l.id LIMIT 1) IS NULL;
END $$;
--> statement-breakpoint
-- What instances of the version before write to `due_at` of an email becomes a job; they find no
-- email that isn't in their own hands. They go on meanwhile, so `cause`, `turn` and `due_at` stay.
ALTER TABLE "outbox" ALTER COLUMN "due_at" SET DEFAULT '9999-01-01';--> statement-breakpoint
CREATE FUNCTION "queue_email"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."logged_at" IS NULL THEN
    PERFORM queue_add(jsonb_build_array(jsonb_build_object(
      'queue', CASE NEW."priority" WHEN 0 THEN 'account_emails' WHEN 1 THEN 'review_emails' ELSE 'emails' END,
      'lane', coalesce(NEW."cause", NEW."id"::text), 'key', NEW."id", 'dueAt', NEW."due_at"
    )), now());
  END IF;
  IF NEW."attempts" = 0 OR NEW."last_failure" IS NOT NULL THEN NEW."due_at" := '9999-01-01'; END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- In pieces, because a jsonb array has a largest size.
SELECT queue_add(jsonb_agg(jsonb_build_object(
  'queue', CASE "priority" WHEN 0 THEN 'account_emails' WHEN 1 THEN 'review_emails' ELSE 'emails' END,
  'lane', coalesce("cause", "id"::text), 'key', "id", 'dueAt', "due_at"
)), now()) FROM (
  SELECT "priority", "cause", "id", "due_at", row_number() OVER () / 10000 AS "piece" FROM "outbox"
  WHERE "sent_at" IS NULL AND "failed_at" IS NULL AND "logged_at" IS NULL
) "waiting" GROUP BY "piece";--> statement-breakpoint
UPDATE "outbox" SET "due_at" = '9999-01-01'
WHERE "sent_at" IS NULL AND "failed_at" IS NULL AND ("attempts" = 0 OR "last_failure" IS NOT NULL);--> statement-breakpoint
CREATE TRIGGER "queue_email" BEFORE INSERT OR UPDATE ON "outbox" FOR EACH ROW
WHEN (NEW."due_at" < '9999-01-01' AND NEW."sent_at" IS NULL AND NEW."failed_at" IS NULL) EXECUTE FUNCTION "queue_email"();
