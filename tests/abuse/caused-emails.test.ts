import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, inTransaction } from '../../src/platform/database.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { LimitReached } from '../../src/platform/limits/reached.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { whoseNetwork } from '../../src/platform/limits/whose.ts';
import { addCausedEmails, type CausedEmail, type EmailCause } from '../../src/platform/mail/caused-emails.ts';
import { deliverDue } from '../../src/platform/mail/delivery.ts';
import { listMessages } from '../../src/platform/mail/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { causedByUser } from '../../src/v2/limits.ts';
import { openMailroom, useMailServer } from '../mail/mailroom.ts';
import { anEmail } from '../support/email.ts';
import { emptyTable } from '../support/empty-table.ts';

const { clock, database, deliverer } = await openMailroom();
const { db } = database;
const another = await openPostgres(database.url);
afterAll(another.close);
beforeEach(async () => {
  await emptyTable(db, rateLimits);
});

const ofNetwork = (address: string): EmailCause => ({
  lane: `email:network:${address}`,
  whose: whoseNetwork(address),
});

let networks = 0;
function anyNetwork(): EmailCause {
  networks += 1;
  return ofNetwork(`192.0.2.${networks}`);
}

const toHost = { of: ['host'], times: 10 };

let threads = 0;
function email(recipient: string, changes: Partial<CausedEmail> = {}): CausedEmail {
  threads += 1;
  const thread = `booking ${threads}`;
  return { ...anEmail({ recipient, thread }), of: ['attendee', 'user 1'], ...changes };
}

/** Queues in a transaction, as a request does, and returns whether it was refused. */
async function queue(
  emails: readonly CausedEmail[],
  cause: EmailCause | undefined = anyNetwork(),
  on: Db = db,
): Promise<LimitReached | undefined> {
  try {
    const caused = { cause, emails, replacesUnsent: true, areFirst: false };
    await inTransaction(on, (tx, last) => addCausedEmails(tx, caused, clock.now(), last));
    return undefined;
  } catch (error) {
    if (error instanceof LimitReached) return error;
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
    const refused = await queue([email(`p${index}@example.com`)], causeOf(index));
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

const { max: ofCause } = databaseLimits.emails;
const { max: toOne } = databaseLimits.emails_to;

describe('an hour’s emails (security C50)', () => {
  test.each([
    ['as it is', (_: number) => 'victim@example.com'],
    ['in capitals', (index: number) => (index % 2 === 0 ? 'Victim@Example.com' : 'victim@example.com')],
    ['with tags', (index: number) => `victim+${index}@example.com`],
    ['in Gmail’s spellings', (index: number) => gmailSpellings[index % gmailSpellings.length] ?? ''],
  ])('to one mailbox are limited, no matter who causes them: its address %s', async (_, addressOf) => {
    for (let index = 0; index < toOne + 5; index += 1)
      expect(await queue([email(addressOf(index))])).toBeUndefined();
    expect(await queuedTo()).toBe(toOne);

    clock.advance(3600);
    await queue([email(addressOf(0))]);
    expect(await queuedTo()).toBe(toOne + 1);
  });

  test.each<[string, number, (index: number) => EmailCause]>([
    ['a network', ofCause, () => ofNetwork('10.1.2.3')],
    ['a user', 2 * ofCause, () => causedByUser(7)],
    [
      'an IPv6 /48, from whatever /64 in it',
      4 * ofCause,
      (index: number) => ofNetwork(`2001:db8:7:${index.toString(16)}::1`),
    ],
  ])('caused by %s are at most %i; then nothing of a request is written', async (_, max, causeOf) => {
    expect(await countAccepted(max + 5, causeOf)).toBe(max);

    expect(await queuedTo()).toBe(max);
    expect((await queue([email('late@example.com')], causeOf(0)))?.retryAfterSeconds).toBe(3600);
    expect(await queue([email('other@example.com')])).toBeUndefined();
  });

  test('that end what they are about are sent whatever their cause has caused: a cancellation is never dropped', async () => {
    const cause = ofNetwork('10.1.2.4');
    expect(await countAccepted(ofCause, () => cause)).toBe(ofCause);
    const caused = { cause, emails: [email('dana@example.com')], replacesUnsent: true, areFirst: false };

    await inTransaction(db, (tx, last) =>
      addCausedEmails(tx, { ...caused, areLast: true }, clock.now(), last),
    );

    expect(await queuedTo('dana@example.com')).toBe(1);
  });

  test('to one mailbox are counted by two instances together, in parallel', async () => {
    const recipients = ['a@example.com', 'b@example.com', 'c@example.com'];

    const refused = await Promise.all(
      Array.from({ length: 2 * toOne }, (_, index) =>
        queue(
          // In different orders, which must not make them wait for each other.
          recipients.toSorted(() => (index % 3) - 1).map((recipient) => email(recipient)),
          anyNetwork(),
          index % 2 === 0 ? db : another.db,
        ),
      ),
    );

    expect(refused).toEqual(refused.map(() => undefined));
    for (const recipient of recipients) expect(await queuedTo(recipient)).toBe(toOne);
  });
});

test('people share neither turns nor a limit, and the users of a client share both (security C128)', () => {
  const sharedBy = (one: EmailCause, other: EmailCause) => ({
    turns: one.lane === other.lane,
    limits: one.whose.map(([key]) => key).filter((key) => other.whose.some(([its]) => its === key)),
  });

  expect(sharedBy(causedByUser(1), causedByUser(2))).toEqual({ turns: false, limits: [] });
  expect(sharedBy(causedByUser(1, 'app'), causedByUser(2, 'app'))).toEqual({
    turns: true,
    limits: ['client app'],
  });
});

describe('an owner’s limit for a mailbox (security C50, C205)', () => {
  const of = (owner: string, address = 'victim@example.com', party = 'attendee') =>
    email(address, { of: [party, owner] });
  const queueMany = async (count: number, emailAt: (index: number) => CausedEmail) => {
    for (let index = 0; index < count; index += 1) await queue([emailAt(index)]);
  };

  test('is so many an hour, in any spelling; nothing of it is taken by another owner’s, nor by guests', async () => {
    await queueMany(toOne + 5, (index) => of('user 1', `victim+${index}@example.com`));
    expect(await queuedTo()).toBe(toOne);

    await queueMany(toOne + 5, () => of('user 2', 'victim@example.com', 'guest'));
    await queue([of('user 2')]);
    expect(await queuedTo()).toBe(2 * toOne + 1);
  });

  test('is each owner’s own: bookings elsewhere silence nobody’s', async () => {
    for (let owner = 0; owner < 10; owner += 1) await queueMany(toOne + 5, () => of(`user ${owner}`));
    expect(await queuedTo()).toBe(10 * toOne);

    await queueMany(1, () => of('user 11'));
    expect(await queuedTo()).toBe(10 * toOne + 1);
  });

  test('never drops what changes a booking that its recipient was told of: it comes an hour later, once', async () => {
    const server = await useMailServer();
    const told = of('user 1');
    await queue([told]);
    await deliverDue(deliverer(server));
    await queueMany(toOne + 5, () => of('user 1'));
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
    await queueMany(toOne + 5, () => of('user 1'));
    const since = new Date(clock.now().getTime() - 31 * 86_400_000);
    await queue([{ ...of('user 1'), subject: 'Cancelled', since }]);

    const rows = await listMessages(db, 'waiting', undefined, 100);
    const due = rows.filter(({ subject }) => subject === 'Cancelled').map(({ dueAt }) => dueAt);
    expect(due).toEqual([new Date(clock.now().getTime() + 3_600_000)]);
  });
});

describe('several emails about one booking', () => {
  const about = (subject: string) => email('dana@example.com', { subject, thread: 'one' });

  test('collapse into the last one while they wait, which counts as one for the mailbox', async () => {
    const cause = anyNetwork();
    for (let index = 1; index <= ofCause; index += 1)
      expect(await queue([about(`Change ${index}`)], cause)).toBeUndefined();

    const rows = await db.select().from(outbox);
    expect(rows.map(({ subject }) => subject)).toEqual([`Change ${ofCause}`]);
    expect((await queue([about('Change 151')], cause))?.limit.name).toBe('emails');
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
      email('Dana@example.com', { thread: 'two host', ...toHost }),
    ]);

    const rows = await db.select().from(outbox);
    expect(rows.map(({ recipient }) => recipient)).toEqual(['dana@example.com', 'Dana@example.com']);
  });
});
