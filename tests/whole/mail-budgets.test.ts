import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, inTransaction } from '../../src/platform/database.ts';
import { addCausedEmails, type CausedEmail, type EmailCause } from '../../src/platform/mail/budgets.ts';
import { deliverDue } from '../../src/platform/mail/delivery.ts';
import { priorities } from '../../src/platform/mail/email.ts';
import { listMessages } from '../../src/platform/mail/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { BudgetSpent } from '../../src/platform/rate-limits/budget.ts';
import { rateLimits } from '../../src/platform/rate-limits/tables.ts';
import { emailBudgets, mailboxBudget } from '../../src/scheduling/limits.ts';
import { causedByUser } from '../../src/v2/limits.ts';
import { openMailroom, useMailServer } from '../mail/mailroom.ts';

const { clock, database, deliverer } = await openMailroom();
const { db } = database;
const another = await openPostgres(database.url);
afterAll(another.close);
beforeEach(async () => {
  await db.delete(rateLimits);
});

let networks = 0;
function anyNetwork(): EmailCause {
  networks += 1;
  return [{ scope: 'network', id: networks, max: 150 }];
}

const topic = (id: number) => ({ ...emailBudgets.eventType, id });
const toHost = { recipientBudget: emailBudgets.host, topicBudget: undefined };

let threads = 0;
function email(recipient: string, changes: Partial<CausedEmail> = {}): CausedEmail {
  threads += 1;
  return {
    id: randomUUID(),
    recipient,
    subject: 'Booked',
    text: 'x',
    html: 'x',
    encryptedLink: null,
    calendarEntry: null,
    priority: priorities.ordinary,
    thread: `booking ${threads}`,
    recipientBudget: emailBudgets.attendee,
    topicBudget: topic(1),
    ...changes,
  };
}

/** Queues in a transaction, as a request does, and returns whether it was refused. */
async function queue(
  emails: readonly CausedEmail[],
  cause: EmailCause | undefined = anyNetwork(),
  on: Db = db,
): Promise<BudgetSpent | undefined> {
  try {
    const caused = { cause, emails, replacesUnsent: true, areFirst: false };
    await inTransaction(on, (tx, last) => addCausedEmails(tx, caused, clock.now(), last));
    return undefined;
  } catch (error) {
    if (error instanceof BudgetSpent) return error;
    throw error;
  }
}

async function queuedTo(recipient?: string): Promise<number> {
  const rows = await db.select().from(outbox);
  return rows.filter((row) => recipient === undefined || row.recipient === recipient).length;
}

/** How many of so many requests are accepted, each with one email to another person. */
async function countAccepted(count: number, causeOf: (index: number) => EmailCause): Promise<number> {
  let accepted = 0;
  for (let index = 0; index < count; index += 1) {
    const refused = await queue(
      [email(`p${index}@example.com`, { topicBudget: topic(index) })],
      causeOf(index),
    );
    if (refused === undefined) accepted += 1;
  }
  return accepted;
}

const gmailSpellings = [
  'victim@gmail.com',
  'v.ictim@gmail.com',
  'vi.c.tim@googlemail.com',
  'V.I.C.T.I.M+x@gmail.com',
];

describe('an hour’s emails (security C50)', () => {
  test.each([
    ['as it is', (_: number) => 'victim@example.com'],
    ['in capitals', (index: number) => (index % 2 === 0 ? 'Victim@Example.com' : 'victim@example.com')],
    ['with tags', (index: number) => `victim+${index}@example.com`],
    ['in Gmail’s spellings', (index: number) => gmailSpellings[index % gmailSpellings.length] ?? ''],
  ])('to one mailbox are at most 20, no matter who causes them: its address %s', async (_, addressOf) => {
    for (let index = 0; index < 25; index += 1)
      expect(await queue([email(addressOf(index), { topicBudget: topic(index) })])).toBeUndefined();
    expect(await queuedTo()).toBe(20);

    clock.advance(3600);
    await queue([email(addressOf(0))]);
    expect(await queuedTo()).toBe(21);
  });

  test.each<[string, number, (index: number) => EmailCause]>([
    ['a network', 150, () => [{ scope: 'network', id: '10.1.2.3', max: 150 }]],
    ['a user', 300, () => causedByUser(7)],
    [
      'an IPv6 /48, from whatever /64 in it',
      600,
      (index: number) => [
        { scope: 'network', id: `2001:db8:7:${index.toString(16)}::`, max: 150 },
        { scope: 'network', id: '2001:db8:7::/48', max: 600 },
      ],
    ],
  ])('caused by %s are at most %i; then nothing of a request is written', async (_, max, causeOf) => {
    expect(await countAccepted(max + 5, causeOf)).toBe(max);

    expect(await queuedTo()).toBe(max);
    expect((await queue([email('late@example.com')], causeOf(0)))?.retryAfterSeconds).toBe(3600);
    expect(await queue([email('other@example.com')])).toBeUndefined();
  });

  test('about one event type are at most 300 to attendees and guests; its hosts still hear of every booking', async () => {
    for (let index = 0; index < 305; index += 1) {
      const host = email('host@example.com', toHost);
      await queue([
        email(`p${index}@example.com`, { topicBudget: topic(5) }),
        ...(index >= 295 ? [host] : []),
      ]);
    }

    expect(await queuedTo()).toBe(300 + 10);
    expect(await queuedTo('host@example.com')).toBe(10);
  });

  test('to one mailbox are counted by two instances together, in parallel', async () => {
    const recipients = ['a@example.com', 'b@example.com', 'c@example.com'];

    const refused = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        queue(
          // In different orders, which must not make them wait for each other.
          recipients.toSorted(() => (index % 3) - 1).map((recipient) => email(recipient)),
          anyNetwork(),
          index % 2 === 0 ? db : another.db,
        ),
      ),
    );

    expect(refused).toEqual(refused.map(() => undefined));
    for (const recipient of recipients) expect(await queuedTo(recipient)).toBe(20);
  });
});

describe('an owner’s share of a mailbox (security C50, C205)', () => {
  const { attendee, guest } = emailBudgets;
  const of = (
    owner: string,
    address = 'victim@example.com',
    { scope, max }: typeof attendee | typeof guest = attendee,
  ) =>
    email(address, {
      recipientBudget: { scope, max, owner },
      mailboxBudget,
      topicBudget: undefined,
    });
  const queueMany = async (count: number, emailAt: (index: number) => CausedEmail) => {
    for (let index = 0; index < count; index += 1) await queue([emailAt(index)]);
  };

  test('is 20 an hour, in any spelling; nothing of it is taken by another owner’s, nor by guests', async () => {
    await queueMany(25, (index) => of('user 1', `victim+${index}@example.com`));
    expect(await queuedTo()).toBe(20);

    await queueMany(25, () => of('user 2', 'victim@example.com', guest));
    await queue([of('user 2')]);
    expect(await queuedTo()).toBe(20 + 20 + 1);
  });

  test('of many owners together is 60 an hour past the first three of each, which always come', async () => {
    for (let owner = 0; owner < 10; owner += 1) await queueMany(20, () => of(`user ${owner}`));
    expect(await queuedTo()).toBe(60 + 10 * 3);

    await queueMany(5, () => of('user 11'));
    expect(await queuedTo()).toBe(60 + 11 * 3);
  });

  test('never drops what changes a booking that its recipient was told of: it comes an hour later, once', async () => {
    const server = await useMailServer();
    const told = of('user 1');
    await queue([told]);
    await deliverDue(deliverer(server));
    await queueMany(25, () => of('user 1'));
    await deliverDue(deliverer(server));
    const before = server.received.length;
    const news = (subject: string, changes: Partial<CausedEmail> = {}) => ({
      ...of('user 1'),
      ...{ thread: told.thread, subject, since: clock.now(), ...changes },
    });

    await queue([news('Rescheduled')]);
    await queue([news('Cancelled')]);
    await queue([news('Of something else', { thread: 'never told' })]);
    clock.advance(3599);
    await deliverDue(deliverer(server));
    expect(server.received).toHaveLength(before);
    clock.advance(1);
    await deliverDue(deliverer(server));

    expect(server.received.slice(before).map(({ email: { subject } }) => subject)).toEqual(['Cancelled']);
  });

  test('comes later too where what was told is older than what the outbox keeps', async () => {
    await queueMany(25, () => of('user 1'));
    const since = new Date(clock.now().getTime() - 31 * 86_400_000);
    await queue([{ ...of('user 1'), subject: 'Cancelled', since }]);

    const rows = await listMessages(db, 'waiting', undefined, 100);
    const due = rows.filter(({ subject }) => subject === 'Cancelled').map(({ dueAt }) => dueAt);
    expect(due).toEqual([new Date(clock.now().getTime() + 3_600_000)]);
  });
});

describe('several emails about one booking', () => {
  const about = (subject: string) => email('dana@example.com', { subject, thread: 'one' });

  test('collapse into the last one while they wait, and count as one', async () => {
    const cause = anyNetwork();
    for (let index = 1; index <= 300; index += 1)
      expect(await queue([about(`Change ${index}`)], cause)).toBeUndefined();

    const rows = await db.select().from(outbox);
    expect(rows.map(({ subject }) => subject)).toEqual(['Change 300']);
  });

  test('are a minute apart at least, with the last change', async () => {
    const server = await useMailServer();
    for (let second = 0; second < 150; second += 1) {
      await queue([about(`After ${second} s`)]);
      await deliverDue(deliverer(server));
      clock.advance(1);
    }

    expect(server.received.map(({ email: { subject } }) => subject)).toEqual([
      'After 0 s',
      'After 60 s',
      'After 120 s',
    ]);
  });

  test('are not taken away from a connection that is sending one', async () => {
    const held = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<void>();
    const server = await useMailServer({
      judge: () => {
        asked.resolve();
        return held.promise;
      },
    });
    await queue([about('Booked')]);
    const sending = deliverDue(deliverer(server));
    await asked.promise;

    await queue([about('Cancelled')]);
    held.resolve(undefined);
    await sending;
    clock.advance(60);
    await deliverDue(deliverer(server));

    expect(server.received.map(({ email: { subject } }) => subject)).toEqual(['Booked', 'Cancelled']);
  });

  test('reach a person once who is attendee and guest in different spellings; a host who books gets both', async () => {
    await queue([
      email('dana@example.com', { thread: 'two' }),
      email('dana+guest@example.com', { thread: 'two' }),
      email('Dana@example.com', { thread: 'two', ...toHost }),
    ]);

    const rows = await db.select().from(outbox);
    expect(rows.map(({ recipient }) => recipient)).toEqual(['dana@example.com', 'Dana@example.com']);
  });
});
