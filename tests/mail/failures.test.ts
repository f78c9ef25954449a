import { describe, expect, test } from 'vitest';
import { deliverDue, retrySeconds } from '../../src/platform/mail/delivery.ts';
import type { SendMail } from '../../src/platform/mail/smtp.ts';
import { hurryMessage, listMessages } from '../../src/platform/mail/store.ts';
import { findFreePort } from '../support/free-port.ts';
import type { MailServer } from '../support/mail-server.ts';
import { openMailroom, sendThrough, useMailServer } from './mailroom.ts';

const { clock, database, deliverer, logText, post, read } = await openMailroom();
const serverWords = 'canary: mailbox of ann is full';

function dueIn(seconds: number): Date {
  return new Date(clock.now().getTime() + seconds * 1000);
}

test.for([
  [1, 5],
  [2, 10],
  [3, 20],
  [10, 2560],
  [11, 3600],
  [12, 3600],
  [100_000, 3600],
] as const)('after %i failed attempts the next one waits %i seconds', ([attempts, seconds]) => {
  expect(retrySeconds(attempts)).toBe(seconds);
});

test('a server that refuses for now is tried again, later and later, until it takes the message; which is then sent once', async () => {
  const refusals = 12;
  let asked = 0;
  const server = await useMailServer({
    judge: async () => {
      asked += 1;
      return asked <= refusals ? 451 : undefined;
    },
  });
  const { id } = await post();

  for (let attempt = 1; attempt <= refusals; attempt += 1) {
    await deliverDue(deliverer(server));
    const wait = retrySeconds(attempt);
    expect(await read(id)).toMatchObject({ attempts: attempt, dueAt: dueIn(wait), sentAt: null });
    clock.advance(wait - 1);
    await deliverDue(deliverer(server));
    expect(asked).toBe(attempt);
    clock.advance(1);
  }
  await deliverDue(deliverer(server));

  expect(server.received).toHaveLength(1);
  expect(await read(id)).toMatchObject({ sentAt: clock.now(), lastFailure: null });
});

describe('a server that refuses a message for good (RFC 5321 §4.2.1)', () => {
  /** Until nothing more happens to it. */
  async function deliverFor(hours: number, server: MailServer): Promise<void> {
    for (let minute = 0; minute < hours * 60; minute += 1) {
      await deliverDue(deliverer(server));
      clock.advance(60);
    }
  }

  test('is asked five times within a quarter of an hour, and then no more; admins see it', async () => {
    let asked = 0;
    const server = await useMailServer({
      judge: async () => {
        asked += 1;
        return 550;
      },
    });
    const { id } = await post();

    await deliverFor(2, server);

    expect(asked).toBe(5);
    const row = await read(id);
    expect(row).toMatchObject({ attempts: 5, lastFailure: 'smtp 550', sentAt: null });
    expect(clock.now().getTime() - (row.failedAt?.getTime() ?? 0)).toBeGreaterThan(100 * 60_000);
    expect(await listMessages(database.db, 'failing', undefined, 10)).toMatchObject([{ id }]);
    expect(await listMessages(database.db, 'waiting', undefined, 10)).toEqual([]);
  });

  test('is asked once more when an admin says so', async () => {
    let code: number | undefined = 550;
    const server = await useMailServer({ judge: async () => code });
    const { id } = await post();
    await deliverFor(1, server);

    code = undefined;
    await hurryMessage(database.db, id, clock.now());
    await deliverDue(deliverer(server));

    expect(server.received).toHaveLength(1);
    expect(await read(id)).toMatchObject({ sentAt: clock.now(), failedAt: null });
  });

  test('has not refused the message when it refuses our password: that is tried for ever', async () => {
    const server = await useMailServer({ credentials: { user: 'sender', password: 'right' } });
    const wrong = { smtpUrl: server.smtpUrl.replace('//', '//sender:wrong@') };
    const { id } = await post();

    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await deliverDue(deliverer(wrong));
      clock.advance(3600);
    }

    expect(await read(id)).toMatchObject({ attempts: 8, lastFailure: 'smtp 535', failedAt: null });
  });
});

describe.for([550, 451])('a server that refuses with %i', (code) => {
  test('is remembered by its code; its words are neither stored nor logged', async () => {
    const server = await useMailServer({ judge: async () => code, refusal: serverWords });
    const { id } = await post();

    await deliverDue(deliverer(server));

    expect((await read(id)).lastFailure).toBe(`smtp ${code}`);
    expect(JSON.stringify(await read(id))).not.toContain('canary');
    expect(logText()).toContain(`smtp ${code}`);
    expect(logText()).not.toContain('canary');
  });

  test('for one recipient does not hold back the others', async () => {
    const server = await useMailServer({
      judge: async (recipient) => (recipient.startsWith('refused') ? code : undefined),
    });
    await post({ recipient: 'refused@example.com' });
    await post({ recipient: 'taken@example.com' });

    await deliverDue(deliverer(server));

    expect(server.received.map((mail) => mail.recipients)).toEqual([['taken@example.com']]);
  });
});

test('a server that is gone loses nothing: the message goes out when it is back', async () => {
  const { close, port, smtpUrl } = await useMailServer({ port: await findFreePort() });
  await close();
  const { id } = await post();
  await deliverDue(deliverer({ smtpUrl }));
  expect(await read(id)).toMatchObject({ attempts: 1, dueAt: dueIn(5), sentAt: null });
  expect((await read(id)).lastFailure).toMatch(/^[A-Z]+$/);

  const back = await useMailServer({ port });
  clock.advance(5);
  await deliverDue(deliverer(back));

  expect(back.received).toHaveLength(1);
});

test('a password that the server refuses is neither stored nor logged', async () => {
  const server = await useMailServer({
    credentials: { user: 'sender', password: 'right' },
    refusal: serverWords,
  });
  const { id } = await post();

  await deliverDue(deliverer({ smtpUrl: server.smtpUrl.replace('//', '//sender:canary-password@') }));

  expect(await read(id)).toMatchObject({ attempts: 1, lastFailure: 'smtp 535' });
  expect(logText()).not.toContain('canary');
});

test('the user and the password of SMTP_URL are used (contract §1)', async () => {
  const server = await useMailServer({ credentials: { user: 'sender', password: 'p@ss/word' } });
  await post();

  await deliverDue(deliverer({ smtpUrl: server.smtpUrl.replace('//', '//sender:p%40ss%2Fword@') }));

  expect(server.received).toHaveLength(1);
});

describe('an instance that dies', () => {
  const leaseSeconds = 120;

  /** Begins to send and is never heard of again; `send` says how far it comes. */
  async function dieSending(id: string, send: SendMail): Promise<void> {
    const dying = deliverDue({
      ...deliverer(),
      send: (message) => send(message).then(() => new Promise(() => {})),
    });
    await Promise.race([dying, expect.poll(async () => (await read(id)).attempts).toBe(1)]);
  }

  test('between claiming and sending leaves the message due again after the lease', async () => {
    const server = await useMailServer();
    const { id } = await post();
    await dieSending(id, async () => {});

    clock.advance(leaseSeconds - 1);
    await deliverDue(deliverer(server));
    expect(server.received).toEqual([]);
    clock.advance(1);
    await deliverDue(deliverer(server));

    expect(server.received).toHaveLength(1);
    expect(await read(id)).toMatchObject({ sentAt: clock.now(), attempts: 2 });
  });

  test('between sending and noting it makes a second copy, with the Message-ID of the first (RFC 5322 §3.6.4)', async () => {
    const server = await useMailServer();
    const { id } = await post();
    await dieSending(id, sendThrough(server));
    await expect.poll(() => server.received.length).toBe(1);

    clock.advance(leaseSeconds);
    await deliverDue(deliverer(server));

    const ids = server.received.map(({ email }) => email.messageId);
    expect(ids).toEqual([`<${id}@cal.example>`, `<${id}@cal.example>`]);
  });
});
