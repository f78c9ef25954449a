import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openService, type Service, type ServiceOptions } from '../../src/open-service.ts';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { describeFault } from '../../src/platform/log.ts';
import { nodeRuntime, type Runtime } from '../../src/platform/runtime.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import { atTheEnd } from './at-the-end.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { sharedDatabases } from './database-content.ts';

/** A clock that stands still until it is moved; the dice are real. */
export interface TestClock extends Runtime {
  advance(seconds: number): void;
}

/** A Monday in winter, so that no test's outcome hangs on the day on which it runs. */
const usualStart = new Date('2027-02-01T09:00:00Z');

export function createTestClock(start: Date = usualStart): TestClock {
  let now = start;
  return {
    now: () => now,
    randomBytes: nodeRuntime.randomBytes,
    advance(seconds) {
      now = new Date(now.getTime() + seconds * 1000);
    },
  };
}

interface Query {
  readonly text: string;
  readonly params: readonly unknown[];
  readonly isOfRequest: boolean;
}

export interface TestService {
  readonly app: FastifyInstance;
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly rootSecret: Secrets;
  readonly appUrl: string;
  /** Everything that was logged, as text. */
  readonly logText: () => string;
  /** What was logged since the last call; it is forgotten. */
  readonly takeLog: () => string;
  /**
   * What requests have sent to the database since the last call, in order; without what the service does on its own, and the queues.
   */
  readonly takeStatements: () => string[];
  readonly takeAllStatements: () => string[];
  /** Those of requests, with their values. */
  readonly takeQueries: () => Query[];
  /** Before its time; it is closed at the end anyway. */
  readonly close: () => Promise<void>;
}

export interface TestOptions
  extends Pick<
    ServiceOptions,
    | 'cleanupEveryMs'
    | 'httpConnections'
    | 'documents'
    | 'calendarDeadlineMs'
    | 'calendarThreadMs'
    | 'limits'
    | 'passwordCost'
  > {
  /** To the database. */
  readonly connections?: number;
}

/** What a service does on its own, from its start on: it may be about what other files have left. */
const onItsOwn = new AsyncLocalStorage<true>();

/** Looks into the queues of emails, webhooks and calendars, when a request nudges them. */
const isQueue =
  /^(?:with .*)?update "outbox"|from "outbox" where|^select "calendar_entries".ctid|set_config\('enable_seqscan'|^select "id", "webhook_id" from "webhook_deliveries"|queue_claim|queue_release|"queue_lanes"|"queue_jobs"/s;

/** The SECRET of every test service that is given no other. */
const testSecret = 'a-root-secret-for-tests-only-0123456789abcdef';

/**
 * The whole service on a database of its own, with a clock to move; closed after the test that opened it, or after the file's.
 * `environment` overrides single variables of contract §1.
 */
export async function openTestService(
  environment: Readonly<Record<string, string>> = {},
  clock: TestClock = createTestClock(),
  opening: Promise<TestDatabase> = openTestDatabase(),
  options: TestOptions = {},
): Promise<TestService> {
  const database = await opening;
  atTheEnd(database.close);
  return openInstance(database, clock, environment, options);
}

/** Files move the shared clock on, too; one that has come into another season is left behind. */
const stillUsual = new Date('2027-03-20T09:00:00Z');
let shared: Promise<TestService> | undefined;

/**
 * The usual service for files whose tests look at nothing but what they made: they turn no clock back, and read no whole
 * tables. All of them in one process share it, since opening one takes longer than most of their tests; it ends with the process.
 */
export async function sharedService(): Promise<TestService> {
  const former = await shared;
  if (former !== undefined && former.clock.now() > stillUsual) {
    shared = undefined;
    await former.close();
    await former.database.close();
  }
  shared ??= openForFiles();
  const service = await shared;
  // No file uses up what limits leave to the next one, nor begins at another time of day.
  const sinceNine = (service.clock.now().getTime() - usualStart.getTime()) / 1000;
  service.clock.advance(2 * 86_400 - (sinceNine % 86_400));
  service.takeLog();
  service.takeStatements();
  return service;
}

/** So many requests reach any limit in memory of `sparingService`; docs/limits.md has the numbers that ship. */
export const few = 12;
let sparing: Promise<TestService> | undefined;

/** The usual service with limits that a few requests reach; files share it as `sharedService`. */
export async function sparingService(): Promise<TestService> {
  sparing ??= openForFiles(Object.fromEntries(Object.keys(memoryLimits).map((name) => [name, few])));
  const service = await sparing;
  service.clock.advance(60);
  return service;
}

async function openForFiles(limits?: TestOptions['limits']): Promise<TestService> {
  const database = await openTestDatabase();
  sharedDatabases.add(database.url);
  return openInstance(database, createTestClock(), {}, limits === undefined ? {} : { limits }, () => {});
}

/**
 * One more instance of the service on the same database, clock and secret, as behind a load balancer. It logs and counts its statements
 * for itself.
 */
export async function openAnotherInstance(
  first: TestService,
  environment: Readonly<Record<string, string>> = {},
  options: TestOptions = {},
): Promise<TestService> {
  return openInstance(first.database, first.clock, environment, options);
}

/** But for races and for what is sent at once, few do the same work: each costs a process and its plans of statements. */
const usualConnections = (): number =>
  /\/(?:races|webhooks)\//.test(expect.getState().testPath ?? '') ? 10 : 4;

/** The passwords of tests protect nobody, and what ships takes 22 ms of CPU for each. */
const quick = { memory: 8, passes: 1 } as const;

/** Where a log goes that a test reads. */
export const linesTo = (lines: string[]) => ({ write: (line: string) => void lines.push(line) });

async function openInstance(
  database: TestDatabase,
  clock: TestClock,
  environment: Readonly<Record<string, string>>,
  { connections = usualConnections(), passwordCost = quick, ...options }: TestOptions,
  whenItEnds = atTheEnd,
): Promise<TestService> {
  const lines: string[] = [];
  const config = readConfig({ DATABASE_URL: database.url, SECRET: testSecret, ...environment });
  const queries: Query[] = [];
  const opening = {
    // A cleanup would delete what expired for other tests, once a file takes a minute.
    cleanupEveryMs: 3_600_000,
    ...options,
    passwordCost,
    log: pino({ level: 'debug', serializers: { err: describeFault } }, linesTo(lines)),
    runtime: clock,
    // Failed requests are written when their page is opened, and at the end: not in the midst of a request
    // whose statements are counted.
    storeFailedRequestsAfterMs: 3_600_000,
    // A crowd on a busy machine may wait.
    database: {
      limitMs: 30_000,
      maxConnections: connections,
      queryLogger: {
        logQuery(text: string, params: unknown[]) {
          const isOfRequest = onItsOwn.getStore() === undefined && !isQueue.test(text);
          queries.push({ text, params, isOfRequest });
        },
      },
    },
  };
  let held: Service | undefined = await onItsOwn.run(true, () => openService(config, opening));
  const read = (): Service => {
    if (held === undefined) throw new Error('the service is gone, as its file or test is over');
    return held;
  };
  await read().app.ready();
  // Files of one process keep what they name: 6 MB for each service, and more for what it has logged.
  whenItEnds(async () => {
    await held?.close();
    held = undefined;
    lines.splice(0);
    queries.splice(0);
  });
  const [first] = config.secrets ?? [testSecret];
  const takeQueries = () => queries.splice(0).filter(({ isOfRequest }) => isOfRequest);
  const textOf = ({ text }: Query) => text;
  return {
    get app() {
      return read().app;
    },
    database,
    clock,
    rootSecret: createSecrets([first]),
    appUrl: config.appUrl,
    logText: () => lines.join(''),
    takeLog: () => lines.splice(0).join(''),
    takeStatements: () => takeQueries().map(textOf),
    takeAllStatements: () => queries.splice(0).map(textOf),
    takeQueries,
    close: () => read().close(),
  };
}
