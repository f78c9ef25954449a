import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { bundleService, compileService } from '../build.ts';
import { startCluster } from '../tests/support/cluster.ts';
import * as contenders from './contenders.ts';
import { openPostgresMeter, type PostgresMeter, repository } from './measured-process.ts';
import { type Burst, describe, type Measurement, publish, quantile, ratioOf } from './report.ts';
import { measureStarts } from './start.ts';
import { feed } from './world.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    /** The workload "grants" has so many in its larger table. */
    grants: { type: 'string', default: '1000000' },
    check: { type: 'boolean', default: false },
    /** Measures the service of this commit first, and the working tree's in turns with it. */
    against: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
/** Two services in turns say what one costs of the other, not how they crowd. */
const callers = options.against === undefined ? contenders.concurrency : 8;
/** After the warm-up V8 has compiled what runs often, as in a server that is up for a minute. */
const usual = options.check ? { warmUp: 4000, calls: 6000 } : { warmUp: 20_000, calls: 8000 };
const dear: Readonly<Record<string, typeof usual>> = {
  '/v2/me, personal token': { warmUp: 4000, calls: 2000 },
  consent: { warmUp: 3000, calls: 1000 },
  slots: { warmUp: 200, calls: 100 },
  booking: { warmUp: 500, calls: 200 },
  allow: { warmUp: 400, calls: 200 },
};
/** A queue pauses for less between what it does. */
const restMs = 300;
/** The guard runs the other workloads only to know that they run. */
const guarded: readonly string[] = ['refresh', '/v2/me'];
/** Limits are multiples of the floor; README.md says what they find. */
const limits = { serverMicroseconds: 2.5, databaseMicroseconds: 1.5, transactions: 0.5 } as const;
/** A request pays for no part that it doesn't use. Few rounds on a shared machine differ by a tenth. */
const limitOfDoor = 1.15;
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const inProduction = { ...durable, autovacuum: 'on', max_wal_size: '1GB' };

const known: readonly string[] = [...contenders.workloadNames, 'grants', 'start'];
const wanted: readonly string[] = options.check ? contenders.workloadNames : positionals;
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
let loadShare = 0;

async function main(): Promise<void> {
  if (!wanted.every((name) => known.includes(name)))
    throw new Error(`The workloads are ${known.join(', ')}.`);
  await using stack = new AsyncDisposableStack();
  const cache = join(repository, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const bundleFolder = await mkdtemp(join(cache, 'latchkey-bench-'));
  stack.defer(() => rm(bundleFolder, { recursive: true }));
  await bundleService(bundleFolder);
  await compileService(bundleFolder);
  const cluster = await startCluster({ settings: inProduction });
  stack.defer(cluster.stop);
  const meter = await openPostgresMeter(cluster.address);
  stack.defer(meter.close);
  const calendar = createServer((_request, response) => response.end(feed)).listen(0, '127.0.0.1');
  await once(calendar, 'listening');
  stack.defer(() => void calendar.close());
  const listening = calendar.address();
  const feedUrl = `http://127.0.0.1:${typeof listening === 'object' ? listening?.port : 0}/feed.ics`;
  const setting = { clusterAddress: cluster.address, meter, bundleFolder, feedUrl };
  const { against } = options;
  const former = against === undefined ? undefined : await buildCommit(against, stack);

  const measured: Measurement[] = [];
  for (const workload of contenders.workloadNames.filter(isWanted)) {
    const found = await measure(workload, setting, async (own) => {
      if (former !== undefined && against !== undefined)
        return [
          { ...(await contenders.startLatchkey({ ...own, bundleFolder: former }, workload)), name: against },
          await contenders.startLatchkey(own, workload),
        ];
      if (options.check && !guarded.includes(workload))
        return [await contenders.startLatchkey(own, workload)];
      const floors = await contenders.startFloors(own, workload, !options.check);
      const latchkey = await contenders.startLatchkey(own, workload);
      if (dear[workload] !== undefined) return [...floors, latchkey];
      const door = await contenders.startLatchkey(own, workload, { parts: 'door' });
      return [
        ...floors,
        latchkey,
        door,
        ...(options.check ? [] : [await contenders.startPeer(own, workload)]),
      ];
    });
    measured.push(...found);
    if (against !== undefined) process.stderr.write(`${describe(found)}\n`);
  }
  if (wanted.includes('grants')) {
    const found = await measure('refresh', setting, async (own) => [
      await contenders.startLatchkey(own, 'refresh', { grants: 10_000 }),
      await contenders.startLatchkey(own, 'refresh', { grants: Number(options.grants) }),
    ]);
    measured.push(...found.map((one) => ({ ...one, workload: 'grants' })));
  }
  const cores = `${rounds} rounds on ${availableParallelism()} cores.`;
  const load = `The callers took ${(loadShare * 100).toFixed(0)} % of a core at most.`;
  const doorFolder = join(bundleFolder, 'door');
  if (isWanted('start')) {
    await bundleService(doorFolder, 'door');
    await compileService(doorFolder);
  }
  const starts = isWanted('start')
    ? await measureStarts(cluster.address, { bundleFolder, doorFolder }, 2 * rounds + 1)
    : '';
  const text = `${describe(measured)}\n\n${cores} ${load}\n\n${starts}`.trim();
  process.stdout.write(`${text}\n`);
  if (wanted.length === 0 && against === undefined) publish(measured, text);
  if (options.check) check(measured);
}

/** Builds a commit as it builds itself, with its own packages. */
async function buildCommit(commit: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-commit-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'ignore' });
  git('worktree', 'add', '--detach', folder, commit);
  stack.defer(() => void git('worktree', 'remove', '--force', folder));
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync(process.execPath, ['build.ts', '--compile'], { cwd: folder, stdio: 'inherit' });
  return join(folder, 'dist');
}

/** Bursts of contenders take turns, so that a busy moment hits all. */
async function measure(
  workload: contenders.WorkloadName,
  setting: Omit<contenders.Setting, 'stack' | 'calls'>,
  startAll: (setting: contenders.Setting) => Promise<readonly contenders.Contender[]>,
): Promise<readonly Measurement[]> {
  process.stderr.write(`${workload} …\n`);
  await using stack = new AsyncDisposableStack();
  const own = options.check && !guarded.includes(workload) ? { warmUp: 20, calls: 20 } : dear[workload];
  const sizeOf = (name: string) =>
    (name.startsWith('Latchkey') || name === options.against ? own : undefined) ?? usual;
  const callsOf = (name: string): number => sizeOf(name).warmUp + rounds * sizeOf(name).calls;
  const started = await startAll({ ...setting, stack, calls: callsOf('Latchkey') });
  const running = started.map((contender) => ({ contender, bursts: [] as Burst[], megabytes: Number.NaN }));
  for (const one of running) {
    await burst(one.contender, sizeOf(one.contender.name).warmUp, setting.meter);
    one.megabytes = one.contender.server?.residentMegabytes() ?? Number.NaN;
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { contender, bursts } of running)
      bursts.push(await burst(contender, sizeOf(contender.name).calls, setting.meter));
  const measured: Measurement[] = [];
  for (const { contender, bursts, megabytes } of running) {
    const { name, end } = contender;
    measured.push({ workload, name, bursts, megabytes, ...(await end(callsOf(name))) });
  }
  return measured;
}

async function burst(contender: contenders.Contender, calls: number, meter: PostgresMeter): Promise<Burst> {
  const { server, run } = contender;
  const serverCpu = (): number => server?.cpuSeconds() ?? Number.NaN;
  const before = { wal: await meter.walBytes(), server: serverCpu(), database: meter.cpuSeconds() };
  const [ownBefore, startedAt] = [process.cpuUsage(), performance.now()];
  const durationsMs = server === undefined ? [] : await call(contender, server.address, calls);
  const perSecond = run?.(calls) ?? (calls * 1000) / (performance.now() - startedAt);
  const { user, system } = process.cpuUsage(ownBefore);
  loadShare = Math.max(loadShare, (user + system) / 1000 / (performance.now() - startedAt));
  const written = await writtenAtRest(meter);
  return {
    perSecond,
    serverMicroseconds: ((serverCpu() - before.server) * 1e6) / calls,
    databaseMicroseconds: ((meter.cpuSeconds() - before.database) * 1e6) / calls,
    p99Ms: quantile(durationsMs, 0.99),
    walBytes: (written - before.wal) / calls,
  };
}

/** What waits in queues is of these calls, and not of the other service's, which come next. */
async function writtenAtRest(meter: PostgresMeter): Promise<number> {
  for (let before = Number.NaN; ; ) {
    const written = await meter.walBytes();
    if (written === before) return written;
    before = written;
    await sleep(restMs);
  }
}

/** @throws at the first answer that isn't a success */
async function call({ name, next, learn }: contenders.Contender, address: string, calls: number) {
  const pool = new Pool(address, { connections: callers });
  const durationsMs: number[] = [];
  let begun = 0;
  const callAs = async (caller: number): Promise<void> => {
    while (begun++ < calls) {
      const callAt = performance.now();
      const asked = next(caller);
      const { statusCode, headers, body } = await pool.request(asked);
      const answer = await body.text();
      if (statusCode > 201 && !String(headers['location']).includes('code='))
        throw new Error(`${name}: ${asked.path}: ${statusCode} ${answer.slice(0, 500)}`);
      learn?.(caller, answer);
      durationsMs.push(performance.now() - callAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, (_, caller) => callAs(caller)));
    return durationsMs;
  } finally {
    await pool.destroy();
  }
}

function check(measured: readonly Measurement[]): void {
  for (const one of measured) {
    if (one.name !== 'Latchkey' || !guarded.includes(one.workload)) continue;
    const ratios = {
      serverMicroseconds: ratioOf(measured, one, 'serverMicroseconds'),
      databaseMicroseconds: ratioOf(measured, one, 'databaseMicroseconds'),
      transactions: one.transactions,
    };
    const ofDoor = ratioOf(measured, one, 'serverMicroseconds', 'Latchkey, door');
    if (!(ofDoor <= limitOfDoor)) {
      process.exitCode = 1;
      process.stderr.write(
        `${one.workload}: all parts cost ${ofDoor.toFixed(2)} times the door, limit ${limitOfDoor}\n`,
      );
    }
    for (const figure of ['serverMicroseconds', 'databaseMicroseconds', 'transactions'] as const) {
      const ratio = ratios[figure];
      if (ratio <= limits[figure]) continue;
      process.exitCode = 1;
      const line = `${one.workload}: ${figure} is ${ratio.toFixed(2)} times the floor's, limit ${limits[figure]}\n`;
      process.stderr.write(line);
    }
  }
}

await main();
