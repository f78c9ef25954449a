import type { ServerResponse } from 'node:http';
import { and, eq, gte, isNull, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Role } from '../../src/accounts/person.ts';
import { users } from '../../src/accounts/tables.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import type { Db } from '../../src/platform/database.ts';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { createOutbound } from '../../src/platform/outbound.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';
import { deleteBatch, pastLife } from '../../src/platform/retention/store.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import {
  deliverDueWebhooks,
  deliveryLeaseSeconds,
  mayReceive,
  startWebhookDelivery,
} from '../../src/webhooks/delivery/delivery.ts';
import {
  claimWebhooks,
  findDue,
  releaseWebhook,
  resendDelivery,
  settleAttempt,
} from '../../src/webhooks/delivery/store.ts';
import { addEvent } from '../../src/webhooks/events/store.ts';
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  type WebhookMaker,
  type WebhookOwner,
} from '../../src/webhooks/store.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '../../src/webhooks/tables.ts';
import { maxLogged, maxPending, webhookSecrets } from '../../src/webhooks/webhook.ts';
import { emptyOutbox } from '../support/empty-table.ts';
import { countLookUps } from '../support/queue.ts';
import { openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addClient, addUser, type TestUser } from '../support/world.ts';

const service = await openTestService();
// Only what a test asks for is delivered.
await service.close();
const { clock, rootSecret: secrets } = service;
const { db } = service.database;
const subscriber = await startSubscriber();
const log = service.app.log;
const config = service.app.config;
const { lifetimes } = config;
const outbound = createOutbound({ mayConnectTo: (address) => mayReceive(config, address) });
const deps = { config, db, runtime: clock, secrets, log, outbound, attemptMs: 1500 };
const deliver = (): Promise<void> => deliverDueWebhooks(deps);
beforeEach(async () => {
  await db.delete(webhooks);
  await db.delete(queueJobs);
  await db.delete(queueLanes);
  clock.advance(60);
});

let paths = 0;

async function addWebhook(subscriberUrl?: string, user?: TestUser) {
  return addWebhookOf({ userId: (user ?? (await addUser(service))).id }, undefined, subscriberUrl);
}

async function addWebhookOf(owner: WebhookOwner, maker?: WebhookMaker, subscriberUrl?: string) {
  paths += 1;
  const path = `/${paths}`;
  const values = {
    ...{ id: newUuid(clock), subscriberUrl: subscriberUrl ?? subscriber.address(path) },
    ...{ triggers: ['BOOKING_CREATED' as const], active: true },
    encryptedSecret: webhookSecrets.encrypt(secrets, 'a-secret'),
  };
  const created = await createWebhook(db, { owner, maker, by: systemContext(clock.now()) }, values);
  if (!created.ok) throw new Error(created.reason);
  return { id: created.value.id, owner, path };
}

async function emit(id: string, topic = newUuid(clock), number = 0): Promise<void> {
  const event = { trigger: 'BOOKING_CREATED', topic, payload: { number } } as const;
  await db.transaction((tx) => addEvent(tx, event, [id], clock.now()));
}

async function claim(count: number, on = db) {
  const now = clock.now();
  return claimWebhooks(on, lifetimes, {
    now,
    leaseUntil: new Date(now.getTime() + deliveryLeaseSeconds * 1000),
    count,
  });
}

async function claimOne() {
  const [claimed] = await claim(1);
  if (claimed === undefined) throw new Error('nothing is due');
  return claimed;
}

const rowsOf = (id: string) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, id))
    .orderBy(webhookDeliveries.id);
const numbersAt = (path: string) =>
  subscriber.events.filter((event) => event.path === path).map(({ payload }) => payload['number']);
const fails = (response: ServerResponse): void => void response.writeHead(500).end();

describe('an event that can’t be delivered (contract §8, security C43)', () => {
  test.each<[string, (response: ServerResponse) => void, number | null, string | null]>([
    ['a status of 500', fails, 500, null],
    ['a status of 404', (response) => response.writeHead(404).end(), 404, null],
    ['a redirect, which isn’t followed', (r) => r.writeHead(302, { location: '/moved' }).end(), 302, null],
    ['no answer in time', () => {}, null, 'timed_out'],
    [
      'half an answer',
      (response) => response.writeHead(200, { 'content-length': 9 }).write('x'),
      null,
      'timed_out',
    ],
    ['a closed connection', (response) => response.destroy(), null, 'unreachable'],
  ])('is tried again after %s', async (_, answer, status, failure) => {
    const { id, path } = await addWebhook();
    subscriber.answer(path, answer);
    await emit(id);
    await deliver();

    const [row] = await rowsOf(id);
    expect(row).toMatchObject({ attempts: 1, status, failure, outcome: null, settledAt: null });
    expect(row?.dueAt).toEqual(new Date(clock.now().getTime() + 5000));
    subscriber.answer(path, (response) => response.writeHead(204).end());
    clock.advance(5);
    await deliver();
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 2, status: 204, outcome: 'delivered' });
    expect(subscriber.events.filter((event) => event.path === '/moved')).toEqual([]);
    const [first, second] = subscriber.events.filter((event) => event.path === path);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });

  test.each([
    ['this machine', 'https://127.0.0.1:1/'],
    ['a private network', 'https://10.0.0.1/'],
    ['the metadata of a cloud', 'https://169.254.169.254/'],
    ['an IPv6 form of this machine', 'https://[::ffff:127.0.0.1]/'],
  ])('reaches nothing at %s', async (_, address) => {
    const { id } = await addWebhook(address);
    await emit(id);
    const guarded = createOutbound({
      mayConnectTo: (to) => mayReceive({ appUrl: 'https://latchkey.example' }, to),
    });
    onTestFinished(guarded.close);
    await deliverDueWebhooks({ ...deps, outbound: guarded });

    expect((await rowsOf(id))[0]).toMatchObject({ status: null, failure: 'address_not_public' });
  });

  test('costs nothing for a long answer: only its status is read', async () => {
    const { id, path } = await addWebhook();
    let sent = 0;
    subscriber.answer(path, (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && sent < 200 * 1024 * 1024) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    await emit(id);
    await deliver();

    expect((await rowsOf(id))[0]).toMatchObject({ status: 200, outcome: 'delivered' });
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  test('is given up after a day, and the webhook is switched off after three, with one email', async () => {
    const user = await addUser(service);
    const { id, owner, path } = await addWebhook(undefined, user);
    subscriber.answer(path, fails);
    await emit(id);
    for (let hours = 0; hours < 27; hours += 1) {
      await deliver();
      clock.advance(3600);
    }
    const [row] = await rowsOf(id);
    expect(row).toMatchObject({ outcome: 'failed', status: 500 });
    // It was tried less and less.
    expect(row?.attempts).toBeLessThan(40);
    expect((await findWebhook(db, owner, id))?.active).toBe(true);

    clock.advance(2 * 86_400);
    for (const number of [1, 2, 3]) await emit(id, 'a topic', number);
    await deliver();
    clock.advance(3600);
    await deliver();

    expect(await findWebhook(db, owner, id)).toMatchObject({ active: false, disabledAt: expect.any(Date) });
    expect((await rowsOf(id)).map(({ outcome }) => outcome)).toEqual([
      'failed',
      'dropped',
      'dropped',
      'dropped',
    ]);
    const emails = await db.select().from(outbox).where(eq(outbox.recipient, user.email));
    expect(emails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Webhook turned off: 127\.0\.0\.1/),
    ]);
    expect(emails[0]?.text).toContain(`/settings/webhooks/${id}`);
  });
});

describe('a team’s webhook that is switched off', () => {
  test('is told to its managers alone, neither to suspended accounts nor to those that an app manages (contract §8)', async () => {
    const owner = await addUser(service);
    const team = await addTeam(service, owner);
    const add = async (role: Role, changes: Partial<typeof users.$inferInsert> = { suspendedAt: null }) => {
      const user = await addUser(service);
      await joinTeam(service, team, user, role);
      await db.update(users).set(changes).where(eq(users.id, user.id));
      return user;
    };
    const admin = await add('admin');
    await add('member');
    await add('admin', { suspendedAt: clock.now() });
    await add('admin', { managingClientId: (await addClient(service)).id });
    await emptyOutbox(db);
    const { id, path } = await addWebhookOf({ teamId: team.id });
    const failingSince = new Date(clock.now().getTime() - 4 * 86_400_000);
    await db.update(webhooks).set({ failingSince }).where(eq(webhooks.id, id));
    subscriber.answer(path, fails);
    await emit(id);

    await deliver();

    const emails = await db.select().from(outbox);
    expect(emails.map(({ recipient }) => recipient).toSorted()).toEqual(
      [owner.email, admin.email].toSorted(),
    );
  });
});

describe('a webhook that failed for days and is switched on while it fails once more', () => {
  test('starts without its failures, and its event is sent now (contract §8)', async () => {
    const user = await addUser(service);
    const { id, owner, path } = await addWebhook(undefined, user);
    const failingSince = new Date(clock.now().getTime() - 4 * 86_400_000);
    await db.update(webhooks).set({ failingSince }).where(eq(webhooks.id, id));
    await emit(id);
    const { promise: asked, resolve: hold } = Promise.withResolvers<ServerResponse>();
    subscriber.answer(path, hold);

    const delivering = deliver();
    const response = await asked;
    subscriber.answer(path, (again) => again.writeHead(200).end());
    const caller = { owner, maker: undefined, by: systemContext(clock.now()) };
    await changeWebhook(db, caller, id, { active: true });
    fails(response);
    await delivering;
    await deliver();

    const started = { active: true, failingSince: null, disabledAt: null };
    expect(await findWebhook(db, owner, id)).toMatchObject(started);
    expect(numbersAt(path)).toEqual([0, 0]);
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 1, outcome: 'delivered' });
    expect(await db.$count(outbox, eq(outbox.recipient, user.email))).toBe(0);
  });
});

describe('events of one webhook', () => {
  test('of one booking keep their order; others don’t wait for it', async () => {
    const { id, path } = await addWebhook();
    subscriber.answer(path, (response, { payload }) => {
      response.writeHead(payload['number'] === 1 ? 503 : 200).end();
    });
    for (const number of [1, 2]) await emit(id, 'one booking', number);
    await emit(id, 'another', 3);
    await deliver();
    expect(numbersAt(path)).toEqual([1, 3]);

    subscriber.answer(path, (response) => response.writeHead(200).end());
    clock.advance(5);
    await deliver();
    expect(numbersAt(path)).toEqual([1, 3, 1, 2]);
  });

  test('are each tried again when everything fails, and go on where it works again', async () => {
    const { id, path } = await addWebhook();
    subscriber.answer(path, fails);
    for (let number = 0; number < 30; number += 1) await emit(id, `booking ${number}`, number);
    await deliver();
    expect(numbersAt(path)).toHaveLength(30);

    subscriber.answer(path, (response) => response.writeHead(200).end());
    clock.advance(5);
    await deliver();
    expect((await rowsOf(id)).map(({ outcome }) => outcome)).toEqual(Array<string>(30).fill('delivered'));
  });

  test('wait in bounded number: the oldest are dropped, which the log says', async () => {
    const { id, path } = await addWebhook();
    subscriber.answer(path, fails);
    await emit(id);
    await db.execute(sql`insert into ${webhookDeliveries} (webhook_id, event_id, topic, created_at, due_at, give_up_at)
      select webhook_id, event_id, 'topic ' || n, created_at, due_at, give_up_at
      from ${webhookDeliveries}, generate_series(1, ${maxPending + 4}) as n where webhook_id = ${id}`);
    await deliver();

    const rows = await rowsOf(id);
    expect(
      rows
        .filter(({ outcome }) => outcome === 'dropped')
        .map(({ topic }) => topic)
        .slice(1),
    ).toEqual(['topic 1', 'topic 2', 'topic 3', 'topic 4']);
    expect(rows.filter(({ outcome }) => outcome === null)).toHaveLength(maxPending);
  });

  test('leave a log of bounded length, which goes after a week with what was sent', async () => {
    const { id } = await addWebhook();
    await emit(id);
    await db.execute(sql`insert into ${webhookDeliveries} (webhook_id, event_id, topic, created_at, due_at, give_up_at, settled_at, outcome)
      select webhook_id, event_id, 'topic ' || n, created_at, due_at, give_up_at, due_at, 'delivered'
      from ${webhookDeliveries}, generate_series(1, ${maxLogged + 20}) as n where webhook_id = ${id}`);
    await deliver();
    expect(await rowsOf(id)).toHaveLength(maxLogged);

    await deleteBatch(
      db,
      pastLife(webhookEvents.createdAt, 7)(new Date(clock.now().getTime() + 7 * 86_400_000 + 1)),
    );
    expect(await rowsOf(id)).toEqual([]);
    expect(await db.$count(webhookEvents)).toBe(0);
  });
});

describe('webhooks don’t wait for each other', () => {
  test('slow ones of one account take two places, whichever of its teams, apps and users they are of (security C126)', async () => {
    const client = await addClient(service);
    const user = { ...(await addUser(service)), id: client.ownerId };
    const maker = { makerId: user.id };
    const { id: managedId } = await addUser(service);
    await db.update(users).set({ managingClientId: client.id }).where(eq(users.id, managedId));
    const slow = [
      await addWebhookOf({ userId: user.id }, maker),
      await addWebhookOf({ teamId: (await addTeam(service, user)).id }, maker),
      await addWebhookOf({ teamId: (await addTeam(service, user)).id }, maker),
      await addWebhookOf({ clientId: client.id }),
      await addWebhookOf({ userId: managedId }, { makerId: managedId }),
    ];
    const fast = await addWebhook();
    for (const { path } of slow) subscriber.answer(path, () => {});
    for (const { id } of [...slow, fast]) await emit(id);
    const delivery = startWebhookDelivery({ ...deps, attemptMs: 3000 });
    onTestFinished(delivery.stop);

    await expect.poll(() => numbersAt(fast.path)).toEqual([0]);
    await emit(fast.id, 'another', 1);
    delivery.nudge();
    await expect.poll(() => numbersAt(fast.path)).toEqual([0, 1]);
    expect(slow.flatMap(({ path }) => numbersAt(path))).toHaveLength(2);
  });

  test('accounts take turns, however many webhooks one has (security C126)', async () => {
    const [busy, calm] = [await addUser(service), await addUser(service)];
    const served: number[] = [];
    const owners = new Map<string, number>();
    for (const user of [busy, busy, busy, busy, calm]) {
      const { id } = await addWebhook(undefined, user);
      owners.set(id, user.id);
      for (let number = 0; number < 4; number += 1) await emit(id);
    }
    for (let turn = 0; turn < 8; turn += 1) {
      clock.advance(1);
      const now = clock.now();
      const claimed = await claimOne();
      served.push(owners.get(claimed.id) ?? 0);
      await releaseWebhook(db, claimed, now);
    }

    expect(served.slice(2)).toEqual(Array.from({ length: 3 }, () => [served[0], served[1]]).flat());
    expect(new Set(served)).toEqual(new Set([busy.id, calm.id]));
  });

  test('an account’s share of a host stays its own after nothing of it waited (security C126)', async () => {
    const user = await addUser(service);
    const { id } = await addWebhook(undefined, user);
    await emit(id);
    const former = await claimOne();
    await db.delete(queueJobs);
    await db.delete(queueLanes);
    await emit(id);

    const again = await claimOne();

    expect(again.job.laneId).not.toBe(former.job.laneId);
    expect([former.account, again.account]).toEqual([String(user.id), String(user.id)]);
  });

  test('one is sent one event at a time, by however many instances', async () => {
    const { id, path } = await addWebhook();
    let [open, most] = [0, 0];
    subscriber.answer(path, (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(200).end();
      }, 5);
    });
    for (let number = 0; number < 20; number += 1) await emit(id, `booking ${number % 3}`, number);
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();

    expect(most).toBe(1);
    expect(numbersAt(path)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  test('a stop gives back what it can’t wait for, which another instance sends at once (security C47)', async () => {
    const { id, path } = await addWebhook();
    subscriber.answer(path, () => {});
    await emit(id);
    const delivery = startWebhookDelivery({ ...deps, attemptMs: 60_000 });
    await expect.poll(() => numbersAt(path)).toHaveLength(1);
    await delivery.stop();
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 0, settledAt: null });

    subscriber.answer(path, (response) => response.writeHead(200).end());
    await deliver();
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 1, outcome: 'delivered' });
  });

  test('an instance that slept longer than its lease leaves another’s alone', async () => {
    const { id, path } = await addWebhook();
    await emit(id);
    const { promise: asked, resolve: hold } = Promise.withResolvers<ServerResponse>();
    subscriber.answer(path, hold);
    const delivering = deliver();
    const response = await asked;
    const another = new Date(clock.now().getTime() + 2 * deliveryLeaseSeconds * 1000);
    await db.update(queueJobs).set({ leasedUntil: another, dueAt: another });
    response.writeHead(200).end();
    await delivering;

    expect(await db.select().from(queueJobs)).toMatchObject([{ key: id, leasedUntil: another }]);
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 0, settledAt: null });
  });

  test('what an instance had in hand when it died is sent when its lease ends', async () => {
    const { id, path } = await addWebhook();
    await emit(id);
    await claimOne();
    await deliver();
    expect(numbersAt(path)).toEqual([]);

    clock.advance(deliveryLeaseSeconds);
    await deliver();
    expect(numbersAt(path)).toEqual([0]);
  });
});

test('one account’s events take no more than a quarter of what a host gets in a minute (security C126)', async () => {
  const { max } = memoryLimits.deliveries;
  const user = await addUser(service);
  const [first, second] = [await addWebhook(undefined, user), await addWebhook(undefined, user)];
  const others = await addWebhook();
  // So many that one alone has enough left, whichever was served more often.
  for (let number = 0; number < max; number += 1)
    for (const { id } of [first, second]) await emit(id, `booking ${number}`, number);
  const delivery = startWebhookDelivery(deps);
  onTestFinished(delivery.stop);
  const sent = () => [...numbersAt(first.path), ...numbersAt(second.path)];
  const inTenSeconds = new Date(clock.now().getTime() + 10_000);
  const paused = () =>
    db.$count(queueJobs, and(gte(queueJobs.dueAt, inTenSeconds), isNull(queueJobs.leasedUntil)));
  await expect.poll(paused, { timeout: 20_000 }).toBe(2);
  expect(sent()).toHaveLength(max);

  await emit(others.id);
  delivery.nudge();
  await expect.poll(() => numbersAt(others.path)).toEqual([0]);
  expect(sent()).toHaveLength(max);

  // Half of a minute's limit is there again.
  clock.advance(30);
  delivery.nudge();
  await expect.poll(() => sent().length, { timeout: 20_000 }).toBe(max + max / 2);
});

/** What is done, and how many rows and indexes of webhooks and their queue were looked up. */
async function countingLookUps<Value>(act: (tx: Db) => Promise<Value>) {
  return db.transaction(async (tx) => {
    const before = await countLookUps(tx);
    const value = await act(tx);
    return { value, lookUps: (await countLookUps(tx)) - before };
  });
}
const claimCounting = () => countingLookUps((tx) => claim(8, tx));

/** So many events of one booking, of which the first one failed just now. */
async function block(count: number, user?: TestUser) {
  const webhook = await addWebhook(undefined, user);
  subscriber.answer(webhook.path, (response, { payload }) => {
    response.writeHead(payload['number'] === 1 ? 500 : 200).end();
  });
  await emit(webhook.id, 'one booking', 1);
  await db.execute(sql`insert into ${webhookDeliveries} (webhook_id, event_id, topic, created_at, due_at, give_up_at)
    select webhook_id, event_id, topic, created_at, due_at, give_up_at
    from ${webhookDeliveries}, generate_series(2, ${count}) where webhook_id = ${webhook.id}`);
  await deliver();
  return webhook;
}

test('a claim looks at none of the webhooks for which nothing waits, nor at what waits for the others (security C136)', async () => {
  await db.execute(sql`with people as (
      insert into ${users} (email, name, password_hash, time_zone, week_start, time_format, created_at)
      select 'many' || n || '@example.com', 'x', 'x', 'UTC', 'Monday', 24, now() from generate_series(1, 2000) as n
      returning id
    )
    insert into ${webhooks} (id, user_id, subscriber_url, triggers, encrypted_secret, created_at)
    select gen_random_uuid(), id, 'https://app.example/', '{BOOKING_CREATED}', '', now() from people`);
  // The planner has these statistics when nothing has waited for a while.
  await db.execute(sql`analyze ${webhooks}, ${webhookDeliveries}`);
  const nothing = await claimCounting();
  expect(nothing.value).toEqual([]);
  expect(nothing.lookUps).toBeLessThan(20);

  const some = await db.select({ id: webhooks.id }).from(webhooks).limit(20);
  for (let number = 0; number < 20; number += 1) for (const { id } of some) await emit(id);
  // Two of them take note of what was added.
  await claim(1);
  await claim(1);
  const found = await claimCounting();
  for (const { id } of found.value) expect(some).toContainEqual({ id });
  expect(found.value).toHaveLength(8);
  expect(found.lookUps).toBeLessThan(600);
});

test('an attempt reads what waits a few times at most, whatever the planner expects (security C136)', async () => {
  const user = await addUser(service);
  await block(300, user);
  await db.delete(webhooks);
  // The planner has these statistics when nothing has waited for a while.
  await db.execute(sql`analyze ${webhookDeliveries}`);
  for (let made = 0; made < 5; made += 1) await block(300, user);
  clock.advance(5);
  const claimed = await claimOne();
  const outcome = { status: 500, settledAt: null };

  const tried = await countingLookUps(async (tx) => {
    const due = await findDue(tx, claimed.id, clock.now());
    if (due === undefined) return false;
    const state = { failingSince: clock.now() };
    return settleAttempt(tx, { webhook: claimed, due, outcome, state }, clock.now());
  });
  expect(tried.value).toBe(true);
  expect(tried.lookUps).toBeLessThan(10_000);
  const again = await claimOne();
  const rested = await countingLookUps((tx) => releaseWebhook(tx, again, clock.now()));
  expect(rested.lookUps).toBeLessThan(10_000);
});

describe('what waits behind an event that failed (security C105)', () => {
  test('is not looked at by those who look for something to send', async () => {
    const user = await addUser(service);
    for (let made = 0; made < 20; made += 1) await block(300, user);
    const lookUpsOfClaim = async () => {
      const { value, lookUps } = await claimCounting();
      expect(value).toEqual([]);
      return lookUps;
    };

    expect(await lookUpsOfClaim()).toBeLessThan(100);
    await db.execute(sql`analyze ${webhooks}, ${webhookDeliveries}`);
    expect(await lookUpsOfClaim()).toBeLessThan(100);
  });

  test('delays no other booking, nor what is sent again by hand', async () => {
    const { id, path } = await block(3);
    expect(numbersAt(path)).toEqual([1]);

    await emit(id, 'another', 2);
    await deliver();
    expect(numbersAt(path)).toEqual([1, 2]);
    const delivered = (await rowsOf(id)).find(({ outcome }) => outcome === 'delivered');
    await resendDelivery(db, id, delivered?.id ?? 0, clock.now());
    await deliver();
    expect(numbersAt(path)).toEqual([1, 2, 2]);
  });

  test('is dropped beyond 1,000 events without waiting for the next attempt', async () => {
    const { id } = await block(3);
    await db.execute(sql`insert into ${webhookDeliveries} (webhook_id, event_id, topic, created_at, due_at, give_up_at)
      select webhook_id, event_id, topic, created_at, due_at, give_up_at
      from (select * from ${webhookDeliveries} where webhook_id = ${id} limit 1), generate_series(1, ${maxPending})`);
    const first = (await rowsOf(id))[0];
    expect(first?.dueAt).toEqual(new Date(clock.now().getTime() + 5000));
    await deliver();

    expect((await rowsOf(id)).filter(({ outcome }) => outcome === null).length).toBeLessThanOrEqual(
      maxPending,
    );
    expect((await rowsOf(id))[0]).toMatchObject({ attempts: 1, outcome: 'dropped' });
  });

  test('doesn’t hide an event whose transaction ended late', async () => {
    const { id, path } = await block(3);
    const { promise: held, resolve: end } = Promise.withResolvers<void>();
    const { promise: added, resolve: isAdded } = Promise.withResolvers<void>();
    const late = db.transaction(async (tx) => {
      const event = { trigger: 'BOOKING_CREATED', topic: 'another', payload: { number: 2 } } as const;
      await addEvent(tx, event, [id], clock.now());
      isAdded();
      await held;
    });
    await added;
    await emit(id, 'a third', 3);
    await deliver();
    end();
    await late;
    await deliver();

    expect(numbersAt(path)).toEqual([1, 3, 2]);
  });
});
