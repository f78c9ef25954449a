import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

export const repository = join(import.meta.dirname, '..');
/** As the container image starts the bundle. */
export const bundleFlags = ['--max-old-space-size=512', '--max-semi-space-size=4'] as const;
const imageEnvironment = { MALLOC_ARENA_MAX: '2' };

/** A process that answers, and how long it took until it did. */
export interface MeasuredProcess {
  readonly address: string;
  /** From the start of the process to the end of its first answer. */
  readonly firstAnswerMs: number;
  /** Resident memory now, in 2^20 bytes; Linux only. */
  readonly residentMegabytes: () => number;
  /** User and system time so far; Linux only. */
  readonly cpuSeconds: () => number;
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// However we end, nothing of ours stays; PostgreSQL looks after that itself.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/**
 * Starts a Node program that prints `listens on <address>` and takes its first answer from `path`.
 *
 * @throws when it ends before, or answers with anything but 200
 */
export async function startMeasured(
  args: readonly string[],
  path: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<MeasuredProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: { ...imageEnvironment, PORT: '0', APP_URL: 'http://localhost:3000', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const ended = once(child, 'exit');
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 10_000) output += text;
      const [, found] = /listens on (http:[^; \n]+)/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error('the process ended')));
  });
  const answer = await fetch(`${address}${path}`);
  await answer.arrayBuffer();
  const firstAnswerMs = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return {
    address,
    firstAnswerMs,
    residentMegabytes() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    cpuSeconds: () => cpuSecondsOf(statOf(String(child.pid))),
    async stop() {
      child.kill();
      await ended;
      running.delete(child);
    },
  };
}

/** What a whole PostgreSQL server has done. */
export interface PostgresMeter {
  /** Of all its processes, those that have ended included; Linux only. */
  cpuSeconds(): number;
  walBytes(): Promise<number>;
  /** Of one database, once nobody is connected to it: only then does it have counted everything. */
  countsOf(databaseName: string): Promise<{ readonly transactions: number; readonly rows: number }>;
  close(): Promise<void>;
}

export async function openPostgresMeter(clusterAddress: string): Promise<PostgresMeter> {
  const sql = postgres(`${clusterAddress}/postgres`, { max: 1 });
  const [own] = await sql`select pg_backend_pid() as pid`;
  const server = statOf(String(own?.['pid']))[1] ?? '';
  return {
    cpuSeconds() {
      const stats = readdirSync('/proc').map((pid) => (/^\d+$/.test(pid) ? statOf(pid) : []));
      const children = stats.filter(([, parent]) => parent === server);
      const itself = statOf(server);
      const ended = (Number(itself[13]) + Number(itself[14])) / 100;
      return ended + [itself, ...children].reduce((sum, stat) => sum + cpuSecondsOf(stat), 0);
    },
    async walBytes() {
      const [row] = await sql`select pg_current_wal_insert_lsn() - '0/0' as bytes`;
      return Number(row?.['bytes']);
    },
    async countsOf(databaseName) {
      for (;;) {
        const [row] = await sql`
          select xact_commit, tup_inserted - tup_deleted as grown, numbackends from pg_stat_database where datname = ${databaseName}`;
        if (row?.['numbackends'] === 0)
          return { transactions: Number(row['xact_commit']), rows: Number(row['grown']) };
        await sleep(100);
      }
    },
    close: () => sql.end(),
  };
}

/** From the state on (proc(5), field 3); empty when the process has ended. */
function statOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** Linux counts in hundredths. */
const cpuSecondsOf = (stat: readonly string[]): number => (Number(stat[11]) + Number(stat[12])) / 100;
