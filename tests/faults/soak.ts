import { setTimeout as sleep } from 'node:timers/promises';
import { startInstance } from '../start/server-process.ts';
import type { TestDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { queryRows } from '../support/query-rows.ts';
import type { openLoad } from './load.ts';

const sampleEveryMs = 10_000;
const countRows =
  'select relname as table, n_live_tup as rows from pg_stat_user_tables where n_live_tup > 0 order by 1';
const rowsOf = 'rows of ';
const codesEachMinute = 60;
/** The flags are the container image's. */
const flags = '--max-old-space-size=512 --max-semi-space-size=16';
const gauges = {
  'resident memory, MB': ['process_resident_memory_bytes', 2 ** -20],
  'heap used, MB': ['nodejs_heap_size_used_bytes', 2 ** -20],
  'open files and sockets': ['process_open_fds', 1],
  'event loop delay p99, ms': ['nodejs_eventloop_lag_p99_seconds', 1000],
} as const;

/** Mixed load on one instance after a tenth of the time to warm up; answers a table of medians by quarter. */
export async function soak(
  { url }: TestDatabase,
  load: Awaited<ReturnType<typeof openLoad>>,
  minutes: number,
): Promise<string> {
  const metricsPort = await findFreePort();
  const limits = {
    CODE_TTL_SECONDS: '600',
    TRUSTED_PROXIES: '127.0.0.1',
    NODE_OPTIONS: flags,
    MALLOC_ARENA_MAX: '2',
  };
  const { address } = await startInstance(url, { ...limits, METRICS_PORT: String(metricsPort) });
  await load.fillCodes(codesEachMinute);
  load.start(address);
  const samples = new Map<string, number[]>();
  const readMetrics = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await sleep(minutes * 6000);
  const cpuBefore = (await readMetrics())('process_cpu_seconds_total');
  const startedAt = performance.now();
  const requestsBefore = requestsOf(load);
  for (let index = 0; performance.now() - startedAt < minutes * 60_000; index += 1) {
    if (index % 6 === 0) await load.fillCodes(codesEachMinute);
    const read = await readMetrics();
    for (const [what, [name, factor]] of Object.entries(gauges)) add(samples, what, read(name) * factor);
    for (const { table, rows } of await queryRows(url, countRows))
      add(samples, `${rowsOf}${table}`, Number(rows));
    await sleep(sampleEveryMs);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = ((await readMetrics())('process_cpu_seconds_total') - cpuBefore) / seconds;
  const perSecond = (requestsOf(load) - requestsBefore) / seconds;
  await load.stop();
  await load.audit();
  const bookings = growthOf(samples.get(`${rowsOf}bookings`) ?? []);
  const rows = [...samples].flatMap(([what, figures]) => describe(what, figures, bookings));
  const heading = ['median of', 'first quarter', 'second', 'third', 'last', 'slope, an hour', ''];
  const rate = `${perSecond.toFixed(0)} requests a second, ${(cpu * 100).toFixed(0)} % of a core`;
  const title = `${minutes} minutes after ${minutes / 10} to warm up, ${rate}:`;
  const table = [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${title}\n\n${table.join('\n')}`;
}

const requestsOf = ({ ledger }: Awaited<ReturnType<typeof openLoad>>): number =>
  [...ledger.statuses.values()].reduce((sum, count) => sum + count, 0);

function add(samples: Map<string, number[]>, what: string, figure: number): void {
  samples.set(what, [...(samples.get(what) ?? []), figure]);
}

/**
 * The slope of the second half is that between the medians of its quarters; flat: they differ by less
 * than a fortieth, or by 1. Tables that don't change are left out; others grow with what is made.
 */
function describe(what: string, figures: readonly number[], bookings: number): string[][] {
  const isTable = what.startsWith(rowsOf);
  if (isTable && growthOf(figures) === 0) return [];
  const quarter = Math.max(1, Math.floor(figures.length / 4));
  const medians = [0, 1, 2, 3].map((index) => median(figures.slice(index * quarter, (index + 1) * quarter)));
  const [third = 0, last = 0] = medians.slice(2);
  const isFlat = Math.abs(last - third) <= Math.max(0.025 * third, 1);
  const anHour = ((last - third) * 3_600_000) / (quarter * sampleEveryMs);
  const change = isFlat ? 'flat' : 'not flat';
  const verdict = isTable ? `${(growthOf(figures) / bookings).toFixed(2)} a booking` : change;
  const digits = isTable ? 0 : 1;
  return [[what, ...[...medians, anHour].map((figure) => figure.toFixed(digits)), verdict]];
}

function growthOf(figures: readonly number[]): number {
  return (figures.at(-1) ?? 0) - (figures[0] ?? 0);
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
