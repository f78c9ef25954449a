import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type Interval, mergeIntervals } from '../src/scheduling/core/interval.ts';
import { createIcsReader } from '../src/scheduling/ics/reader.ts';

/**
 * Reads all .ics files of a folder, and compares with ical.js: `bench/calendars.ts FOLDER`. With `--out FILE`
 * the readings are kept, and `--against FILE` lists what is read differently since.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, against: { type: 'string' }, all: { type: 'boolean' } },
});
const timeZone = 'Europe/Berlin';
const dayMs = 86_400_000;
const blockMs = 84 * dayMs;
const blocks = 5;

/** The weeks from the first start on are what most of a file is about. */
function rangesOf(text: string): readonly Interval[] {
  const starts = [...text.matchAll(/^DTSTART[^:\r\n]*:(\d{4})(\d\d)(\d\d)/gim)].map(([, y, m, d]) =>
    Date.UTC(Number(y), Number(m) - 1, Number(d)),
  );
  const since = starts.filter((at) => at > Date.UTC(1990, 0));
  const first = (since.length === 0 ? Date.UTC(2026, 0) : Math.min(...since)) - dayMs;
  return Array.from({ length: blocks }, (_, index) => ({
    start: first + index * blockMs,
    end: first + (index + 1) * blockMs,
  }));
}

const oracleMs = 3000;
let oracle: Worker | undefined;

/** Some rules keep ical.js busy for ever, so it's ended. */
async function askOracle(text: string, range: Interval): Promise<readonly Interval[]> {
  oracle ??= new Worker(new URL('../tests/scheduling/ics/oracle-thread.ts', import.meta.url));
  const worker = oracle;
  const { promise, resolve, reject } = Promise.withResolvers<readonly Interval[]>();
  const timer = setTimeout(() => {
    oracle = undefined;
    void worker.terminate();
    reject(new Error('takes too long'));
  }, oracleMs);
  worker.once('message', ({ busy, message }) => {
    clearTimeout(timer);
    if (busy === undefined) reject(new Error(message));
    else resolve(busy);
  });
  worker.postMessage({ text, range, timeZone });
  return promise;
}

type Outcome = { readonly busy: string } | { readonly reason: string };

async function attempt(read: () => Promise<readonly Interval[]>): Promise<Outcome> {
  try {
    const busy = mergeIntervals([...(await read())]).map(({ start, end }) =>
      [start, end].map((at) => `${new Date(at).toISOString().slice(0, 16)}Z`).join('/'),
    );
    return { busy: busy.join(' ') };
  } catch (error) {
    const { message = '', place } = error as { message?: string; place?: { line?: number; what?: string } };
    return { reason: place?.line === undefined ? message : `line ${place.line} ${place.what}` };
  }
}

const [folder] = positionals;
if (folder === undefined) throw new Error('name a folder: npm run node -- bench/calendars.ts FOLDER');
const names = (await readdir(folder, { recursive: true })).filter((name) => /\.ics$/i.test(name)).toSorted();
// A file that takes too long is ended, as in the service.
const reader = createIcsReader();
const { signal } = new AbortController();
const readings: Record<string, Outcome> = {};
const counts = { files: names.length, read: 0, agree: 0, differ: 0, onlyHere: 0, onlyThere: 0, neither: 0 };
for (const name of names) {
  const text = await readFile(join(folder, name), 'utf8');
  const ranges = rangesOf(text);
  const whole = { start: ranges[0]?.start ?? 0, end: ranges.at(-1)?.end ?? 0 };
  const ours = await attempt(async () => {
    const found: Interval[] = [];
    for (const range of ranges)
      found.push(...(await reader.read({ texts: [text], range, timeZone }, signal)).busy);
    return found;
  });
  const theirs = await attempt(() => askOracle(text, whole));
  readings[name] = ours;
  if ('busy' in ours) counts.read += 1;
  const isSame = 'busy' in ours && 'busy' in theirs && ours.busy === theirs.busy;
  const kind = isSame
    ? 'agree'
    : 'busy' in ours
      ? 'busy' in theirs
        ? 'differ'
        : 'onlyHere'
      : 'busy' in theirs
        ? 'onlyThere'
        : 'neither';
  counts[kind] += 1;
  if (kind === 'agree' || (kind === 'onlyHere' && !values.all)) continue;
  const shown = [ours, theirs].map((one) => ('busy' in one ? one.busy : `(${one.reason})`).slice(0, 300));
  console.log(`${kind}: ${name}\n  here    ${shown[0]}\n  ical.js ${shown[1]}`);
}
await reader.close();
await oracle?.terminate();
if (values.against !== undefined) {
  const before: Record<string, Outcome> = JSON.parse(await readFile(values.against, 'utf8'));
  for (const [name, was] of Object.entries(before)) {
    const now = readings[name];
    if (now === undefined || JSON.stringify(now) === JSON.stringify(was)) continue;
    console.log(`changed: ${name}\n  before ${JSON.stringify(was)}\n  now    ${JSON.stringify(now)}`);
  }
}
if (values.out !== undefined) await writeFile(values.out, JSON.stringify(readings, null, 1));
console.log(JSON.stringify(counts));
