import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import type { Db } from '../../src/platform/database.ts';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { createOutbound } from '../../src/platform/outbound.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';
import { createHostLimits, mayReceive, startWebhookDelivery } from '../../src/webhooks/delivery/delivery.ts';
import { claimWebhooks, releaseWebhook } from '../../src/webhooks/delivery/store.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '../../src/webhooks/tables.ts';
import { webhookSecrets } from '../../src/webhooks/webhook.ts';
import { countLookUps } from '../support/queue.ts';
import { openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';

const service = await openTestService();
// Only what a test asks for is delivered.
await service.close();
const { clock, rootSecret: secrets } = service;
const { db } = service.database;
const { config, log } = service.app;
const secret = webhookSecrets.encrypt(secrets, 'a-secret');
const subscriber = await startSubscriber();

beforeEach(async () => {
  await db.execute(sql`truncate ${users}, ${webhooks}, ${webhookDeliveries}, ${webhookEvents}, ${queueJobs}, ${queueLanes}
    restart identity cascade`);
  clock.advance(60);
});

/** So many accounts with a webhook each, for which one event waits, taken note of or not. */
async function addWaiting(count: number, url: string, isQueued: boolean): Promise<void> {
  const at = sql`${clock.now().toISOString()}::timestamptz`;
  await db.execute(
    sql`insert into ${webhookEvents} (trigger, body, created_at) values ('BOOKING_CREATED', '{}', ${at})`,
  );
  await db.transaction(async (tx) => {
    // Without looking up what rows refer to.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`insert into ${users} (email, name, password_hash, time_zone, week_start, time_format, created_at)
      select 'n' || n || '@example.com', 'x', 'x', 'UTC', 'Monday', 24, ${at} from generate_series(1, ${count}::int) as n`);
    await tx.execute(sql`insert into ${webhooks} (id, user_id, subscriber_url, triggers, encrypted_secret, created_at)
      select gen_random_uuid(), id, ${url}, '{BOOKING_CREATED}', ${secret}, ${at} from ${users}`);
    await tx.execute(sql`insert into ${webhookDeliveries} (webhook_id, event_id, topic, created_at, due_at, give_up_at, is_queued)
      select webhooks.id, webhook_events.id, 'one', ${at}, ${at}, ${at} + interval '1 day', ${isQueued}
      from ${webhooks}, ${webhookEvents}`);
    if (!isQueued) return;
    await tx.execute(
      sql`insert into ${queueLanes} (queue, lane, due_at) select 'webhooks', id::text, ${at} from ${users}`,
    );
    await tx.execute(sql`insert into ${queueJobs} (queue, key, lane_id, due_at)
      select 'webhooks', webhooks.id::text, queue_lanes.id, ${at} from ${queueLanes}
      inner join ${webhooks} on user_id = lane::int`);
  });
}

async function claimCounting() {
  const now = clock.now();
  const claim = (on: Db) =>
    claimWebhooks(on, config.lifetimes, { now, leaseUntil: new Date(now.getTime() + 30_000), count: 8 });
  return db.transaction(async (tx) => {
    const before = await countLookUps(tx);
    const claimed = await claim(tx);
    const ofClaim = (await countLookUps(tx)) - before;
    const [one] = claimed;
    if (one !== undefined) await releaseWebhook(tx, one, now, new Date(now.getTime() + 10_000));
    return { claimed, ofClaim, ofRelease: (await countLookUps(tx)) - before - ofClaim };
  });
}

const analyze = sql`analyze ${webhooks}, ${webhookDeliveries}, ${queueJobs}, ${queueLanes}`;

describe.each([100, 20_000])('where something waits for %i webhooks', (count) => {
  test('eight are leased together by a look at a few of them, whatever the planner expects (security C241)', {
    timeout: 60_000,
  }, async () => {
    await db.execute(analyze);
    await addWaiting(count, 'https://popular.example/', true);

    const lanes = new Set<number>();
    for (let claims = 1; claims <= 6; claims += 1) {
      if (claims === 4) await db.execute(analyze);
      const { claimed, ofClaim, ofRelease } = await claimCounting();
      for (const { job } of claimed) lanes.add(job.laneId);
      expect(lanes.size).toBe(8 * claims);
      expect(ofClaim).toBeLessThan(500);
      expect(ofRelease).toBeLessThan(50);
    }
  });

  test('what was added meanwhile is taken note of in bounded steps (security C241)', {
    timeout: 60_000,
  }, async () => {
    await addWaiting(count, 'https://popular.example/', false);

    const { claimed, ofClaim } = await claimCounting();
    expect(claimed).toHaveLength(8);
    expect(ofClaim).toBeLessThan(5000);
  });
});

describe('a popular receiver that hangs', () => {
  const outbound = createOutbound({ mayConnectTo: (to) => mayReceive(config, to) });

  test('takes half of the places, and others hear at once (security C241)', async () => {
    await addWaiting(40, subscriber.address('/hangs'), true);
    await db.execute(sql`update ${webhooks} set subscriber_url = ${subscriber.address('/calm').replace('127.0.0.1', 'localhost')}
      where user_id = (select max(id) from ${users})`);
    subscriber.answer('/hangs', () => {});
    const deps = { config, db, runtime: clock, secrets, log, outbound, attemptMs: 20_000 };
    const delivery = startWebhookDelivery(deps);
    onTestFinished(delivery.stop);
    const sentTo = (path: string) => subscriber.events.filter((event) => event.path === path).length;

    await expect.poll(() => sentTo('/calm')).toBe(1);
    expect(sentTo('/hangs')).toBeLessThanOrEqual(4);
  });

  test('isn’t asked for all that waits at the same moment: each comes back a little later (security C241)', () => {
    const hosts = createHostLimits(clock, 4);
    const enter = () => hosts.enter('popular.example', '1');
    expect([1, 2, 3, 4].map(enter)).toEqual(Array<undefined>(4).fill(undefined));
    const inMs = (ms: number) => new Date(clock.now().getTime() + ms);

    expect([enter(), enter(), enter()]).toEqual(
      [0, 1, 2].map((place) => inMs(10_000 + (place * 15_000) / memoryLimits.deliveries.max)),
    );
    for (let many = 0; many < 98_000; many += 1) enter();
    expect(enter()).toEqual(inMs(3_600_000));
    hosts.leave('popular.example');
    expect(enter()).toBeUndefined();
  });

  test('has one order for all whose events wait once it got all that it may (security C241)', () => {
    const hosts = createHostLimits(clock, 4);
    const { max } = memoryLimits.deliveries;
    for (const account of ['1', '2', '3', '4'])
      for (let sent = 0; sent < max; sent += 1) {
        expect(hosts.enter('full.example', account)).toBeUndefined();
        hosts.leave('full.example');
      }

    const inMs = (ms: number) => new Date(clock.now().getTime() + ms);
    expect(['5', '6'].map((account) => hosts.enter('full.example', account))).toEqual([
      inMs(10_000),
      inMs(10_000 + 15_000 / max),
    ]);
  });
});
