import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { deliverDue, startDelivery } from '../../src/platform/mail/delivery.ts';
import { priorities } from '../../src/platform/mail/email.ts';
import { maxConnections } from '../../src/platform/mail/smtp.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import type { MailServer } from '../support/mail-server.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { clock, database, deliverer, post } = await openMailroom();

const recipientsAt = ({ received }: MailServer): string[] => received.flatMap(({ recipients }) => recipients);

/** Many booking emails of one cause, as they wait in the table. */
async function fill(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: crypto.randomUUID(),
    recipient: `attendee-${index}@example.com`,
    subject: 'Booked',
    text: 'x',
    html: 'x',
    createdAt: clock.now(),
    dueAt: clock.now(),
    priority: priorities.ordinary,
    cause: 'flood',
    turn: index,
  }));
  for (let at = 0; at < count; at += 1000) await database.db.insert(outbox).values(rows.slice(at, at + 1000));
}

test('an account’s email behind 9,000 booking emails is sent next (security C52)', async () => {
  const server = await useMailServer({ judge: () => sleep(100) });
  await fill(9000);
  const delivery = startDelivery(deliverer(server));
  onTestFinished(delivery.stop);
  await expect.poll(() => server.received.length).toBeGreaterThan(2);

  await post({ recipient: 'ann@example.com', subject: 'Reset your password' });
  const before = server.received.length;
  delivery.nudge();
  await expect.poll(() => recipientsAt(server)).toContain('ann@example.com');

  // Those in hand, and those that the other lanes began meanwhile.
  expect(recipientsAt(server).indexOf('ann@example.com') - before).toBeLessThanOrEqual(3 * maxConnections);
});

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
