import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deliverDue, startDelivery } from '../../src/platform/mail/delivery.ts';
import { priorities } from '../../src/platform/mail/email.ts';
import { maxConnections } from '../../src/platform/mail/smtp.ts';
import { addToOutbox, claimMessages, emailQueues, settleMessages } from '../../src/platform/mail/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';
import { anEmail } from '../support/email.ts';
import type { MailServer } from '../support/mail-server.ts';
import { countLookUps } from '../support/queue.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { clock, database, deliverer, post } = await openMailroom();

const recipientsAt = ({ received }: MailServer): string[] => received.flatMap(({ recipients }) => recipients);

/** Many booking emails of one cause, as they wait in the table. */
async function fill(count: number): Promise<void> {
  const emails = Array.from({ length: count }, (_, index) =>
    anEmail({ recipient: `attendee-${index}@example.com` }),
  );
  for (let at = 0; at < count; at += 1000)
    await addToOutbox(database.db, emails.slice(at, at + 1000), clock.now(), { cause: 'flood' });
}

test('an account’s email is sent while the server holds on to every booking email', async () => {
  const held = Promise.withResolvers<undefined>();
  const server = await useMailServer({
    judge: async (recipient) => (recipient.startsWith('attendee') ? held.promise : undefined),
  });
  onTestFinished(() => held.resolve(undefined));
  await fill(20);
  const delivery = startDelivery(deliverer(server));
  onTestFinished(async () => {
    held.resolve(undefined);
    await delivery.stop();
  });

  await post({ recipient: 'ann@example.com' });
  delivery.nudge();

  await expect.poll(() => recipientsAt(server)).toEqual(['ann@example.com']);
});

test('account safety comes first, then review, then bookings', async () => {
  const server = await useMailServer();
  for (const kind of ['ordinary', 'review', 'account'] as const)
    for (let index = 0; index < 8; index += 1)
      await post({ recipient: `${kind}-${index}@example.com`, priority: priorities[kind] });
  let sent = 0;
  const kinds: string[] = [];
  const send = deliverer(server);
  await deliverDue({
    ...send,
    send: async ({ recipient }) => {
      kinds.push(recipient.replace(/-.*/, ''));
      sent += 1;
      await sleep(5);
    },
  });

  expect(sent).toBe(24);
  expect(kinds.slice(0, 8 - maxConnections)).toEqual(Array(8 - maxConnections).fill('account'));
  expect(kinds.lastIndexOf('account')).toBeLessThan(kinds.indexOf('ordinary'));
  expect(kinds.lastIndexOf('review')).toBeLessThan(kinds.lastIndexOf('ordinary'));
});

test('one cause’s hundred emails let another’s through: they take turns', async () => {
  const order: string[] = [];
  for (let index = 0; index < 100; index += 1)
    await post({ recipient: `many-${index}@example.com`, priority: priorities.ordinary }, 'many');
  for (let index = 0; index < 5; index += 1)
    await post({ recipient: `few-${index}@example.com`, priority: priorities.ordinary }, 'few');

  await deliverDue({
    ...deliverer(),
    send: async ({ recipient }) => {
      order.push(recipient);
      await sleep(1);
    },
  });

  expect(order).toHaveLength(105);
  const lastOfFew = order.findLastIndex((recipient) => recipient.startsWith('few'));
  expect(lastOfFew).toBeLessThan(10 + maxConnections);
});

test('several messages are sent at the same time, over no more connections than that', async () => {
  let inHand = 0;
  let most = 0;
  const server = await useMailServer({
    judge: async () => {
      inHand += 1;
      most = Math.max(most, inHand);
      await sleep(20);
      inHand -= 1;
      return undefined;
    },
  });
  await fill(20);

  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(20);
  expect(most).toBe(maxConnections - 1);
  expect(server.connections()).toBeLessThanOrEqual(maxConnections);
});

describe.each([100, 20_000])('where %i emails of one cause wait', (count) => {
  const at = (seconds = 0) =>
    sql`${new Date(clock.now().getTime() + seconds * 1000).toISOString()}::timestamptz`;

  /** Half of it is tried again later, and some of it is of other causes. */
  async function flood(): Promise<void> {
    const lane = sql`case when subject = 'flood' then 'flood' else id::text end`;
    const dueAt = sql`case when attempts = 0 then ${at()} else ${at(3600)} end`;
    await database.db.execute(sql`insert into ${outbox} (id, recipient, subject, text, html, priority, created_at, attempts)
      select gen_random_uuid(), 'x@example.com', case when n % 3 > 0 then 'flood' else 'other' end, 'x', 'x', 2,
        ${at()}, n % 2
      from generate_series(1, ${count}::int) as n`);
    await database.db.execute(sql`insert into ${queueLanes} (queue, lane, due_at)
      select distinct on (lane) 'emails', ${lane} as lane, case when ${dueAt} > ${at()} then ${dueAt} else 'epoch' end
      from ${outbox} order by lane, attempts`);
    await database.db.execute(sql`insert into ${queueJobs} (queue, key, lane_id, due_at)
      select 'emails', outbox.id, queue_lanes.id, ${dueAt}
      from ${outbox} inner join ${queueLanes} on lane = ${sql`case when subject = 'flood' then 'flood' else outbox.id::text end`}`);
  }

  test('some are leased together, and settled together, by a look at a few (security C241)', {
    timeout: 60_000,
  }, async () => {
    await database.db.execute(sql`analyze ${outbox}, ${queueJobs}, ${queueLanes}`);
    await flood();
    const now = clock.now();
    const claim = { now, leaseUntil: new Date(now.getTime() + 120_000), count: 3 };

    const causes: string[] = [];
    for (let claims = 0; claims < 4; claims += 1)
      await database.db.transaction(async (tx) => {
        const before = await countLookUps(tx);
        const claimed = await claimMessages(tx, emailQueues, claim);
        const ofClaim = (await countLookUps(tx)) - before;
        await settleMessages(
          tx,
          claimed.map((message) => ({ ...message, sentAt: now })),
          now,
        );
        const ofSettling = (await countLookUps(tx)) - before - ofClaim;

        expect(claimed).toHaveLength(3);
        causes.push(...claimed.map(({ subject }) => subject));
        expect(ofClaim).toBeLessThan(400);
        expect(ofSettling).toBeLessThan(100);
      });
    expect(causes.filter((subject) => subject === 'flood').length).toBeLessThanOrEqual(1);
  });
});
