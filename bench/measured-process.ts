import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository = join(import.meta.dirname, '..');
/** As the container image starts the bundle. */
export const bundleFlags = ['--max-old-space-size=512', '--max-semi-space-size=4'] as const;
export const secret = 'a-root-secret-for-benchmarks-only-0123456789';

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
    env: { PORT: '0', APP_URL: 'http://localhost:3000', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const answer = await fetch(`${address}${path}`);
  await answer.arrayBuffer();
  const firstAnswerMs = performance.now() - startedAt;
  if (answer.status !== 200) {
    await stop();
    throw new Error(`${path} answered ${answer.status}`);
  }
  return {
    address,
    firstAnswerMs,
    residentMegabytes() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    cpuSeconds: () => cpuSecondsOf(String(child.pid)),
    stop,
  };
}

/** Linux counts in hundredths. */
function cpuSecondsOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Of the PostgreSQL processes that serve this database's connections. */
export function cpuSecondsOfDatabase(name: string): number {
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  return pids.reduce((sum, pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(` ${name} `)
        ? sum + cpuSecondsOf(pid)
        : sum;
    } catch {
      return sum; // It has ended meanwhile.
    }
  }, 0);
}
