import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import type { Db } from '../../src/platform/database.ts';
import type { DeliveryOptions } from '../../src/platform/mail/delivery.ts';
import { priorities, type RenderedEmail } from '../../src/platform/mail/email.ts';
import { type SendMail, smtpSender } from '../../src/platform/mail/smtp.ts';
import { addToOutbox } from '../../src/platform/mail/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { anEmail } from '../support/email.ts';
import { emptyTable } from '../support/empty-table.ts';
import { type MailServer, type MailServerOptions, startMailServer } from '../support/mail-server.ts';
import { createTestClock, linesTo, type TestClock } from '../support/service.ts';

/** An outbox of the test file's own, emptied before each test, with a clock to move. */
export interface Mailroom {
  readonly database: TestDatabase;
  readonly clock: TestClock;
  /** What the deliverers have logged, one object a line. */
  readonly logText: () => string;
  /** A deliverer; without a server as without SMTP_URL. */
  readonly deliverer: (server?: Pick<MailServer, 'smtpUrl'>) => DeliveryOptions;
  /** Puts one message to this recipient into the outbox, in this transaction. */
  readonly post: (message?: Partial<RenderedEmail>, cause?: string, tx?: Db) => Promise<RenderedEmail>;
  /** With its job, if it waits: when it's due, and the attempt that is under way. */
  readonly read: (id: string) => Promise<typeof outbox.$inferSelect & { readonly dueAt?: Date }>;
}

const rootSecret = createSecrets(['a-root-secret-for-tests-only-0123456789abcdef']);
const sender = 'Latchkey <no-reply@cal.example>';

export async function openMailroom(): Promise<Mailroom> {
  const database = await openTestDatabase();
  afterAll(database.close);
  const { db } = database;
  const clock = createTestClock(new Date('2030-01-01T12:00:00Z'));
  const lines: string[] = [];
  beforeEach(async () => {
    for (const table of [outbox, queueJobs, queueLanes]) await emptyTable(db, table);
    lines.splice(0);
  });
  const log = pino({ level: 'info' }, linesTo(lines));
  return {
    database,
    clock,
    logText: () => lines.join(''),
    deliverer: (server) => ({
      db,
      runtime: clock,
      secrets: rootSecret,
      log,
      send: server === undefined ? undefined : sendThrough(server),
    }),
    async post(changes = {}, cause = undefined, tx = db) {
      const words = { subject: 'Your app was accepted', text: 'Hello Ann', html: '<p>Hello Ann</p>' };
      const message = anEmail({ ...words, priority: priorities.account, ...changes });
      await addToOutbox(tx, [message], clock.now(), { cause });
      return message;
    },
    async read(id) {
      const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
      if (row === undefined) throw new Error('the message is lost');
      const [job] = await db.select().from(queueJobs).where(eq(queueJobs.key, id));
      return job === undefined ? row : { ...row, dueAt: job.dueAt, attempts: row.attempts + job.attempts };
    },
  };
}

export function sendThrough(
  { smtpUrl }: Pick<MailServer, 'smtpUrl'>,
  limits?: Parameters<typeof smtpSender>[1],
): SendMail {
  return smtpSender({ smtpUrl, from: sender }, limits);
}

/** A mail server that ends with the test. */
export async function useMailServer(options?: MailServerOptions): Promise<MailServer> {
  const server = await startMailServer(options);
  onTestFinished(server.close);
  return server;
}
