import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { cleanUp } from '../../src/cleanup.ts';
import { advisoryLocks } from '../../src/platform/database.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { rateLimits } from '../../src/platform/rate-limits/tables.ts';
import { withoutTable } from '../support/database-faults.ts';
import { openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const dayMs = 86_400_000;

function deleteExpired(lines: string[] = []): Promise<void> {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return cleanUp({ db, runtime: service.clock, log: pino(sink) });
}

async function addMessage(sentAt: Date | null): Promise<string> {
  const id = randomUUID();
  const now = service.clock.now();
  const words = { recipient: 'ann@example.com', subject: 'x', text: 'x', html: 'x' };
  await db.insert(outbox).values({ id, ...words, createdAt: now, dueAt: now, loggedAt: now, sentAt });
  return id;
}

test('what nobody can use any more goes, and what a user can stays', async () => {
  const now = service.clock.now();
  await signIn(service, await addUser(service));
  const expired = { key: 'expired', count: 3, resetAt: new Date(now.getTime() - 1) };
  const running = { key: 'running', count: 3, resetAt: new Date(now.getTime() + 1) };
  await db.insert(rateLimits).values([expired, running]);
  const sentLongAgo = await addMessage(new Date(now.getTime() - 31 * dayMs));
  const sentLately = await addMessage(new Date(now.getTime() - 29 * dayMs));
  const unsent = await addMessage(null);

  await deleteExpired();

  expect(await db.$count(sessions)).toBe(1);
  const keys = (await db.select().from(rateLimits)).map(({ key }) => key);
  expect(keys).toContain('running');
  expect(keys).not.toContain('expired');
  const messages = (await db.select().from(outbox)).map(({ id }) => id);
  expect(messages).toEqual(expect.arrayContaining([sentLately, unsent]));
  expect(messages).not.toContain(sentLongAgo);
});

test('a cleanup that fails is logged by its name, and the others go on', async () => {
  const sentLongAgo = await addMessage(new Date(service.clock.now().getTime() - 31 * dayMs));
  const lines: string[] = [];

  await withoutTable(service.database, 'invitations', () => deleteExpired(lines));

  expect(lines.map((line) => JSON.parse(line).cleanup)).toEqual(['invitations']);
  const left = await db.$count(outbox, sql`${outbox.id} = ${sentLongAgo}`);
  expect(left).toBe(0);
});

test('no two things wait for each other by sharing an advisory lock', () => {
  const numbers = Object.values(advisoryLocks);

  expect(new Set(numbers).size).toBe(numbers.length);
});
