import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { deliverDue, leaseSeconds, startDelivery } from '../../src/platform/mail/delivery.ts';
import { maxConnections } from '../../src/platform/mail/smtp.ts';
import { claimMessages, emailQueues } from '../../src/platform/mail/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { queueLanes } from '../../src/platform/queue/tables.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { openMailroom, useMailServer } from './mailroom.ts';

const { clock, database, deliverer, post, read } = await openMailroom();
const another = await openPostgres(database.url);
afterAll(another.close);

async function postMany(count: number): Promise<string[]> {
  const messages = await Promise.all(
    Array.from({ length: count }, (_, index) => post({ recipient: `person-${index}@example.com` })),
  );
  return messages.map(({ recipient }) => recipient).toSorted();
}

/** Those under way, too. */
async function readAttempts(): Promise<number[]> {
  const rows = await database.db.select({ id: outbox.id }).from(outbox);
  const attempts = await Promise.all(rows.map(async ({ id }) => (await read(id)).attempts));
  return attempts.toSorted((one, other) => one - other);
}

/** A mail server's judgement that waits until it is told to accept. */
function makeSlowJudge(): { judge: () => Promise<undefined>; asked: Promise<void>; answer: () => void } {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<undefined>();
  const judge = (): Promise<undefined> => {
    asked.resolve();
    return answered.promise;
  };
  return { judge, asked: asked.promise, answer: () => answered.resolve(undefined) };
}

test('a message goes out once, to its recipient, as it was written', async () => {
  const server = await useMailServer();
  const message = await post({ subject: 'Grüße: „Ärmel“', text: 'Zeile eins\n\nZeile drei — 日本' });

  await deliverDue(deliverer(server));
  const sentAt = clock.now();
  clock.advance(86_400);
  await deliverDue(deliverer(server));

  expect(server.received).toMatchObject([
    {
      recipients: ['ann@example.com'],
      email: {
        from: { name: 'Latchkey', address: 'no-reply@cal.example' },
        to: [{ address: 'ann@example.com' }],
        subject: message.subject,
        messageId: `<${message.id}@cal.example>`,
      },
    },
  ]);
  expect(server.received[0]?.email.text?.trim()).toBe(message.text);
  expect(await read(message.id)).toMatchObject({ sentAt, attempts: 1, lastFailure: null });
});

test('a message says that a machine wrote it, so that no machine answers (RFC 3834 §5)', async () => {
  const server = await useMailServer();
  await post();

  await deliverDue(deliverer(server));

  expect(server.received[0]?.email.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  );
});

test('one delivery sends all that is due in a table that the planner takes for tiny', async () => {
  const server = await useMailServer();
  await post();
  await database.db.execute('analyze outbox');
  await post();
  await post();

  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(3);
  expect(await readAttempts()).toEqual([1, 1, 1]);
});

test('a message that is not due yet waits', async () => {
  const server = await useMailServer();
  const message = await post();
  clock.advance(-1);
  onTestFinished(() => clock.advance(1));

  await deliverDue(deliverer(server));

  expect(server.received).toEqual([]);
  expect(await read(message.id)).toMatchObject({ sentAt: null, attempts: 0 });
});

test('a message of a transaction that was rolled back never goes out', async () => {
  const server = await useMailServer();
  await database.db
    .transaction(async (tx) => {
      await post({}, undefined, tx);
      throw new Error('changed my mind');
    })
    .catch(() => {});

  await deliverDue(deliverer(server));

  expect(server.received).toEqual([]);
  expect(await readAttempts()).toEqual([]);
});

test('a message that is queued amid a claim goes out, too', async () => {
  const claim = { now: clock.now(), leaseUntil: new Date(clock.now().getTime() + 120_000), count: 1 };
  const waiting = sql`pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;

  const { message, claiming } = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${queueLanes} in access exclusive mode`);
    const claiming = claimMessages(database.db, emailQueues, claim);
    await expect.poll(() => another.db.$count(waiting)).toBe(1);
    return { message: await post({}, undefined, tx), claiming };
  });

  expect((await claiming).map(({ id }) => id)).toEqual([message.id]);
});

describe('two instances on one outbox', () => {
  test('never send one message twice', async () => {
    const server = await useMailServer();
    const recipients = await postMany(60);
    const first = deliverer(server);
    const second = { ...deliverer(server), db: another.db };

    await Promise.all([first, second, first, second].map((deps) => deliverDue(deps)));

    expect(server.received.flatMap((mail) => mail.recipients).toSorted()).toEqual(recipients);
    expect(await readAttempts()).toEqual(recipients.map(() => 1));
  });

  test('leave a message alone that the other is sending to a slow server', async () => {
    const { judge, asked, answer } = makeSlowJudge();
    const server = await useMailServer({ judge });
    const message = await post();
    const sending = deliverDue(deliverer(server));
    await asked;

    await deliverDue({ ...deliverer(server), db: another.db });
    expect(server.received).toEqual([]);

    answer();
    await sending;
    expect(server.received).toHaveLength(1);
    expect(await read(message.id)).toMatchObject({ sentAt: clock.now(), attempts: 1 });
  });
});

test('a message is sent once even if the database is away when its server accepts it', async () => {
  const { judge, asked, answer } = makeSlowJudge();
  const server = await useMailServer({ judge });
  const line = await layDatabaseLine(database.url);
  const behind = await openPostgres(line.url);
  onTestFinished(behind.close);
  const { id } = await post();
  const sending = deliverDue({ ...deliverer(server), db: behind.db });
  await asked;

  await line.cut();
  answer();
  await expect.poll(() => server.received.length).toBe(1);
  await line.mend();
  await sending;
  clock.advance(leaseSeconds);
  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(1);
  expect(await read(id)).toMatchObject({ sentAt: expect.any(Date), attempts: 1 });
});

describe('delivery in the background', () => {
  test('sends what was due at the start, and what is added at a nudge', async () => {
    const server = await useMailServer();
    await post({ recipient: 'before@example.com' });
    const delivery = startDelivery(deliverer(server));
    onTestFinished(delivery.stop);
    await expect.poll(() => server.received.length).toBe(1);

    await post({ recipient: 'after@example.com' });
    delivery.nudge();

    await expect.poll(() => server.received.length).toBe(2);
    expect(server.received.flatMap((mail) => mail.recipients)).toEqual([
      'before@example.com',
      'after@example.com',
    ]);
  });

  test('stops after the messages in hand, and leaves the others due (security C47)', async () => {
    const { judge, asked, answer } = makeSlowJudge();
    const server = await useMailServer({ judge });
    await postMany(9);
    const delivery = startDelivery(deliverer(server));
    await asked;
    const inHand = async (): Promise<number> =>
      (await readAttempts()).filter((attempts) => attempts > 0).length;
    await expect.poll(inHand).toBe(maxConnections);

    const stopped = delivery.stop();
    answer();
    await stopped;

    expect(server.received).toHaveLength(maxConnections);
    expect(await inHand()).toBe(maxConnections);
    const rows = await database.db.select().from(outbox);
    expect(rows.filter(({ sentAt }) => sentAt !== null)).toHaveLength(maxConnections);
  });
});
