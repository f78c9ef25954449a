import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { bundleService, compileService } from '../../build.ts';
import { fillOncePerRun } from '../support/once-per-run.ts';

export const repository = join(import.meta.dirname, '../..');
/** The service as `npm run build` makes it, with its modules listed in `modules.json`. */
export const bundleFolder = await fillOncePerRun('bundle', async (folder) => {
  const modules = await bundleService(folder);
  await writeFile(join(folder, 'modules.json'), JSON.stringify(modules));
  await compileService(folder);
});
const secret = 'a-root-secret-for-tests-only-0123456789abcdef';

/** A running service, started as users start it. */
export interface ServerProcess {
  readonly id: number;
  /** The address that it prints; rejects when it ends before. */
  listening(): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** What it has written so far. */
  readonly output: () => string;
  readonly errors: () => string;
}

/** When to clean up: after the test, or, at the top of a file, `afterAll`. */
type CleanUp = (work: () => Promise<void>) => void;

/** A new folder, removed in the end. */
export async function makeFolder(cleanUp: CleanUp = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-start-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What a start on a PostgreSQL database needs. */
export function onPostgres(url: string): Readonly<Record<string, string>> {
  return { DATABASE_URL: url, SECRET: secret };
}

/** In the process, its machine's clock is wrong by so much. */
export function shiftedBy(seconds: number): Readonly<Record<string, string>> {
  const source = `const Real = Date;
    const now = () => Real.now() + ${seconds * 1000};
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
}

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The working directory, in which `./data` lies. */
  readonly folder: string;
  readonly cleanUp?: CleanUp;
  /** As `ulimit -n` would say. */
  readonly maxFiles?: number;
}

/** Starts the service on a free port with nothing in its environment but what is given; killed in the end. */
export function startServer({ environment = {}, folder, cleanUp, maxFiles }: StartOptions): ServerProcess {
  const service = [process.execPath, join(bundleFolder, 'server.js')] as const;
  const limited = ['-c', `ulimit -n ${maxFiles} && exec "$0" "$@"`, ...service];
  const [file, words] = maxFiles === undefined ? [service[0], service.slice(1)] : ['/bin/sh', limited];
  const child = spawn(file, words, {
    cwd: folder,
    env: { PORT: '0', APP_URL: 'http://localhost:3000', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child, (name) => child.kill(name), cleanUp);
}

/** A service that listens. */
export interface Instance {
  readonly server: ServerProcess;
  readonly address: string;
}

/** On a PostgreSQL database; resolves when it listens. */
export async function startInstance(
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Instance> {
  const folder = await makeFolder();
  const server = startServer({ folder, environment: { ...onPostgres(url), ...environment } });
  return { server, address: await server.listening() };
}

/** Watches a process that runs the service, however it was started; `signal` reaches all of it. */
export function follow(
  child: ChildProcessByStdio<null, Readable, Readable>,
  signal: (name: NodeJS.Signals) => void,
  cleanUp: CleanUp = onTestFinished,
): ServerProcess {
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode);
  cleanUp(async () => {
    if (child.exitCode === null && child.signalCode === null) signal('SIGKILL');
    await ended;
  });
  return {
    id: child.pid ?? 0,
    async listening() {
      while (child.exitCode === null && child.signalCode === null) {
        const [, address] = /Latchkey \S+ listens on (http:[^; ]+)/.exec(output) ?? [];
        if (address !== undefined) return address;
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
      throw new Error(`the process ended: ${output}${errors}`);
    },
    signal,
    ended,
    output: () => output,
    errors: () => errors,
  };
}

/** The statuses of a page, its style, the API documentation with its reader, and readiness. */
export async function openPages(address: string): Promise<readonly number[]> {
  const page = await fetch(`${address}/signin`);
  const [, style = ''] = /href="(\/assets\/style\.css[^"]*)"/.exec(await page.text()) ?? [];
  const paths = [style, '/docs', '/docs/reader.js', '/readyz'];
  const answers = await Promise.all(paths.map((path) => fetch(`${address}${path}`)));
  return [page, ...answers].map(({ status }) => status);
}
