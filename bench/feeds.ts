import ICAL from 'ical.js';
import { fetchFeed } from '../src/scheduling/calendars/feed.ts';
import type { CalendarFetch } from '../src/scheduling/calendars/readings.ts';
import { readBusyTimes } from '../src/scheduling/ics/busy-times.ts';

/**
 * CPU of reading the busy times of two weeks from a feed as it arrives, as a ratio to ical.js parsing the same
 * text and doing nothing else: `bench/feeds.ts`. Both take turns in one process; medians.
 */
const sizes = [5000, 20_000] as const;
const rounds = 15;
const warmUps = 5;
const chunkLength = 64 * 1024;
const timeZone = 'Europe/Berlin';
const range = { start: Date.UTC(2031, 5, 1), end: Date.UTC(2031, 5, 15) };

/** Half of the entries are in the range, and a tenth come again each week. */
function feedOf(entries: number, name: string, suffix: string): string {
  const events = Array.from({ length: entries }, (_, index) => {
    const start = new Date(Date.UTC(2031, 4, 18) + (index % 2000) * 20 * 60_000);
    const written = start.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    const rule = index % 10 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=4'] : [];
    const times = [`DTSTART${name}:${written}${suffix}`, 'DURATION:PT20M', ...rule];
    return ['BEGIN:VEVENT', `UID:${index}@feed.example`, 'SUMMARY:Busy', ...times, 'END:VEVENT'];
  });
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
}

async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function readFeed(text: string): Promise<void> {
  const fetch: CalendarFetch = async (_address, { sieve }) => {
    for (let at = 0; at < text.length; at += chunkLength) sieve?.add(text.slice(at, at + chunkLength));
    return { status: 200, headers: new Headers(), text: sieve?.end() ?? text };
  };
  const feed = await fetchFeed({ fetch, charge: () => 1 }, 'https://feed.example/', { range, addresses: [] });
  readBusyTimes({ texts: [feed?.text ?? ''], range, timeZone, addresses: [] });
}

const feeds = sizes.flatMap((size) => [
  [`UTC, ${size} entries`, feedOf(size, '', 'Z')] as const,
  [`${timeZone}, ${size} entries`, feedOf(size, `;TZID=${timeZone}`, '')] as const,
]);
process.stdout.write(
  '| Times in | ical.js parses, ms of CPU | busy times, ms of CPU | ratio |\n|---|---|---|---|\n',
);
for (const [name, text] of feeds) {
  const [floor, reading]: [number[], number[]] = [[], []];
  for (let round = 0; round < warmUps + rounds; round += 1) {
    floor.push(await cpuMsOf(() => ICAL.parse(text)));
    reading.push(await cpuMsOf(() => readFeed(text)));
  }
  const [least, whole] = [floor, reading].map((values) => medianOf(values.slice(warmUps)));
  if (least === undefined || whole === undefined) continue;
  process.stdout.write(
    `| ${name} | ${least.toFixed(0)} | ${whole.toFixed(0)} | ${(whole / least).toFixed(1)} |\n`,
  );
}
