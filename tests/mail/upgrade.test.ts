import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deliverDue, leaseSeconds } from '../../src/platform/mail/delivery.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { clock, database, deliverer, read } = await openMailroom();
const { db } = database;
const id = '11111111-2222-4333-8444-555555555555';

const at = (seconds: number) =>
  sql`${new Date(clock.now().getTime() + seconds * 1000).toISOString()}::timestamptz`;

/** An instance of the version before writes this row; its claims are leases in `due_at`. */
async function insertAsBefore(dueInSeconds: number, attempts: number): Promise<void> {
  await db.execute(sql`insert into outbox (id, recipient, subject, text, html, priority, created_at, due_at, attempts, turn)
    values (${id}, 'ann@example.com', 'x', 'x', 'x', 2, ${at(0)}, ${at(dueInSeconds)}, ${attempts}, 0)`);
}

async function claimAsBefore(): Promise<number> {
  const claimed = await db.execute(sql`update outbox set due_at = ${at(leaseSeconds)}, attempts = attempts + 1
    where sent_at is null and failed_at is null and due_at <= ${at(0)} returning id`);
  return (claimed as unknown as readonly unknown[]).length;
}

test('what an instance of the version before queues is sent once, by one of this version', async () => {
  const server = await useMailServer();
  await insertAsBefore(0, 0);

  expect(await claimAsBefore()).toBe(0);
  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(1);
  expect(await claimAsBefore()).toBe(0);
});

test('what an instance of the version before has in hand is left to it until its lease ends', async () => {
  const server = await useMailServer();
  await insertAsBefore(leaseSeconds, 1);

  await deliverDue(deliverer(server));
  expect(server.received).toEqual([]);
  clock.advance(leaseSeconds);
  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(1);
  expect(await read(id)).toMatchObject({ attempts: 2, sentAt: clock.now() });
});

test('what an instance of the version before has sent or not is sent no more, or again when that says', async () => {
  const server = await useMailServer();
  await insertAsBefore(leaseSeconds, 1);
  await db.execute(sql`update outbox set sent_at = ${at(1)} where id = ${id}`);
  clock.advance(leaseSeconds);
  await deliverDue(deliverer(server));
  expect(server.received).toEqual([]);

  await db.execute(sql`delete from outbox`);
  await insertAsBefore(leaseSeconds, 1);
  await db.execute(sql`update outbox set last_failure = 'smtp 451', due_at = ${at(5)} where id = ${id}`);
  await deliverDue(deliverer(server));
  expect(server.received).toEqual([]);
  clock.advance(5);
  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(1);
});
