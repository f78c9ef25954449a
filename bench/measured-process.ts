import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';

export const repository = join(import.meta.dirname, '..');
/** The container image starts the bundle with these flags. */
export const bundleFlags = ['--max-old-space-size=512', '--max-semi-space-size=16'] as const;
const imageEnvironment = { MALLOC_ARENA_MAX: '2' };

export interface MeasuredProcess {
  readonly address: string;
  /** The time counts from the start of the process to the end of its first answer. */
  readonly firstAnswerMs: number;
  /** Counts 2^20 bytes that are resident now; Linux only. */
  readonly residentMegabytes: () => number;
  /** Counts user and system time so far; Linux only. */
  readonly cpuSeconds: () => number;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
// Nothing of ours outlives this process; PostgreSQL looks after that itself.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** @throws if the program ends before it prints `listens on <address>`, or `path` isn't a 200 */
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

export interface PostgresMeter {
  /** Includes all processes of the server, also those that have ended; Linux only. */
  cpuSeconds(): number;
  walBytes(): Promise<number>;
  /** A database has counted everything once nobody is connected to it. */
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

/** Fields begin with the state (proc(5), field 3); none when the process has ended. */
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
