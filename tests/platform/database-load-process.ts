import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type Db, isDatabaseAway } from '../../src/platform/database.ts';
import { openPostgres } from '../../src/platform/open-database.ts';

/**
 * Keeps a database busy as an instance of the service does: `statements <url>` or `transactions <url>` begins and answers
 * `busy`; the next line ends it and answers the {@link Account} of it.
 */
interface Account {
  /** After all disturbance more was answered than was under way by then. */
  readonly answeredLately: boolean;
  /** Faults that do not say that the database is away. */
  readonly otherFaults: readonly string[];
  /** Neither answered nor refused within five seconds. */
  readonly unsettled: number;
}

const workerCount = 30;

const kinds: Readonly<Record<string, (db: Db) => PromiseLike<unknown>>> = {
  statements: (db) => db.execute(sql`select ${'text'}::text`),
  transactions: (db) =>
    db.transaction(async (transaction) => {
      await transaction.execute(sql`select 1`);
      await transaction.execute(sql`select 2`);
    }),
};

process.stdout.write('started\n');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const [kind = '', url = ''] = String((await lines.next()).value).split(' ');
const act = kinds[kind];
if (act === undefined) throw new Error('no such kind of load');
const { db } = await openPostgres(url);
const otherFaults: string[] = [];
const stopping = new AbortController();
const load = { answered: 0, unsettled: 0 };

async function work(): Promise<void> {
  while (!stopping.signal.aborted) {
    load.unsettled += 1;
    try {
      await act?.(db);
      load.answered += 1;
    } catch (error) {
      if (!isDatabaseAway(error)) otherFaults.push(String(error));
      await sleep(10);
    }
    load.unsettled -= 1;
  }
}

const workers = Array.from({ length: workerCount }, work);
process.stdout.write('busy\n');
await lines.next();
const answeredBefore = load.answered;
const isAnswering = (): boolean => load.answered > answeredBefore + workerCount;
for (let waitedMs = 0; !isAnswering() && waitedMs < 2000; waitedMs += 20) await sleep(20);
const answeredLately = isAnswering();
stopping.abort();
await Promise.race([Promise.all(workers), sleep(5000)]);
const account: Account = {
  answeredLately,
  otherFaults,
  unsettled: load.unsettled,
};
process.stdout.write(`${JSON.stringify(account)}\n`);
process.exit();
