import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { createOutbound } from '../../src/platform/outbound.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';
import { reasonOf } from '../../src/scheduling/calendars/calendar-error.ts';
import { fetchFeed } from '../../src/scheduling/calendars/feed.ts';
import { createReadings, type Reading } from '../../src/scheduling/calendars/readings.ts';
import { createIcsReader } from '../../src/scheduling/ics/reader.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { answerIcs, endlessIcs, icsOf, startFeedServer } from '../support/feed-server.ts';

const server = await startFeedServer();
const clock = { ms: Date.parse('2031-06-01T00:00:00Z') };
const [ann, mallory, trudy] = [1, 2, 3];
const event = ['DTSTART:20310602T070000Z', 'DURATION:PT1H'];
const june = { start: Date.parse('2031-06-01T00:00:00Z'), end: Date.parse('2031-06-15T00:00:00Z') };
const parsing = (text: string) => (reading: Reading) =>
  reading.parse({ texts: [text], range: june, timeZone: 'UTC' }).then(({ busy }) => busy);
const honest = parsing(icsOf(event));
/** Would take hours; it is refused after about a fifth of a second, if its thread isn’t ended before. */
const endless = parsing(endlessIcs);

function open({ limitMs = 2000, maxBytes = 32 * 1024 * 1024, maxWaitMs = 5000 } = {}, begun: number[] = []) {
  const reader = createIcsReader({ limitMs });
  atTheEnd(reader.close);
  const ics: typeof reader = {
    ...reader,
    read(task, signal, begin, left = 0) {
      const note = (): void => {
        begun.push(left);
        begin?.();
      };
      return reader.read(task, signal, note, left);
    },
  };
  const outbound = createOutbound({ mayConnectTo: () => true });
  atTheEnd(outbound.close);
  const runtime = { ...nodeRuntime, now: () => new Date(clock.ms) };
  return createReadings({ ics, outbound, runtime, maxBytes, maxWaitMs });
}

/** A feed of so many bytes that doesn't end before it is released. */
function serveOpen(path: string, bytes: number) {
  const release = Promise.withResolvers<void>();
  const address = server.serve(path, async (_request, response) => {
    response.writeHead(200).write('x'.repeat(bytes));
    await release.promise;
    response.end();
  });
  return { address, release: () => release.resolve() };
}

const fetching = (address: string) => (reading: Reading) => reading.fetch(address, {});
const askedFor = (path: string): number => server.requests.filter((request) => request.path === path).length;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}

describe('owners are read by turns (security C53)', () => {
  test('twenty never-ending calendars of one owner hold one thread, and others are read meanwhile', async () => {
    const run = open();
    let ended = 0;
    for (let count = 0; count < 20; count += 1) run(mallory, endless).catch(() => (ended += 1));
    const soFar: number[] = [];

    for (let count = 0; count < 3; count += 1) {
      expect(await run(ann, honest)).toHaveLength(1);
      soFar.push(ended);
    }

    // In one line, the first would come after all twenty.
    expect(soFar[0]).toBeLessThan(2);
    expect(Math.max(...soFar)).toBeLessThan(4);
  });

  test('the deadline begins with the fetch, and waiting for a thread doesn’t count', async () => {
    const run = open({ limitMs: 1500 });
    const before = [mallory, trudy].map((owner) => run(owner, endless).catch(reasonOf));
    let isFirst = true;
    for (const one of before) void one.then(() => (isFirst = false));

    const busy = await run(ann, honest, 100);

    expect(busy).toHaveLength(1);
    expect(isFirst).toBe(false);
    expect(await Promise.all(before)).toEqual(['too_costly', 'too_costly']);
  });

  test('an owner is read four times at once, and those who wait delay only each other', async () => {
    const run = open();
    const [hanging, other] = [serveOpen('/hanging', 1), serveOpen('/other', 1)];
    other.release();
    const all = Promise.all(Array.from({ length: 10 }, () => run(mallory, fetching(hanging.address))));
    await until(() => askedFor('/hanging') === 4);

    expect((await run(ann, fetching(other.address))).status).toBe(200);

    expect(askedFor('/hanging')).toBe(4);
    hanging.release();
    expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  test('a reading that gets no thread in time, because other owners hold them, is told so', async () => {
    const run = open({ limitMs: 1500, maxWaitMs: 100 });
    const before = [mallory, trudy].map((owner) => run(owner, endless).catch(reasonOf));
    let isFirst = true;
    for (const one of before) void one.then(() => (isFirst = false));

    await expect(run(ann, honest)).rejects.toThrow('busy');

    expect(isFirst).toBe(true);
    expect(await Promise.all(before)).toEqual(['too_costly', 'too_costly']);
    expect(await run(ann, honest)).toHaveLength(1);
  });

  test('one reading of thirty calendars has six connections at once', async () => {
    const run = open();
    const hanging = serveOpen('/thirty', 1);
    const thirty = run(ann, ({ fetch }) =>
      Promise.all(Array.from({ length: 30 }, () => fetch(hanging.address, {}))),
    );
    await until(() => askedFor('/thirty') === 6);
    await sleep(50);

    expect(askedFor('/thirty')).toBe(6);
    hanging.release();
    expect(await thirty).toHaveLength(30);
  });

  test('an owner for whom too many wait is told so', async () => {
    const run = open();
    const hanging = serveOpen('/full', 1);
    const all = Promise.all(Array.from({ length: 164 }, () => run(mallory, fetching(hanging.address))));

    await expect(run(mallory, honest)).rejects.toThrow('busy');

    expect(await run(ann, honest)).toHaveLength(1);
    hanging.release();
    await all;
  });
});

const { max } = memoryLimits.calendar_time;

describe('an owner has so much work a minute (security C142)', () => {
  test('past them, their calendars wait, and nobody else’s', async () => {
    const run = open();
    await run(mallory, async ({ charge }) => charge(60_000));

    await expect(run(mallory, honest)).rejects.toThrow('busy');
    expect(await run(ann, honest)).toHaveLength(1);

    clock.ms += 10_000;
    expect(await run(mallory, honest)).toHaveLength(1);
  });

  test('a thread goes to the owner who took least of late', async () => {
    const begun: number[] = [];
    const run = open({ limitMs: 700 }, begun);
    const [peggy, ted] = [4, 5];
    const read = (owner: number) =>
      run(owner, async (reading) => {
        reading.charge(owner * 100);
        await endless(reading).catch(reasonOf);
      });

    // The first two have the threads; the others come in the wrong order.
    await Promise.all([mallory, trudy, ted, peggy, ann].map(read));

    // So many milliseconds were left to each.
    expect(begun).toEqual([200, 300, 100, 400, 500].map((taken) => max - taken));
  });

  test('a long feed is sieved as long as they last', async () => {
    const run = open();
    const filler = Array.from({ length: 20_000 }, () => [...event, `DESCRIPTION:${'x'.repeat(100)}`]);
    const address = server.serve('/long', answerIcs(icsOf(...filler)));
    const sieve = (left: number) => async (reading: Reading) =>
      fetchFeed({ ...reading, charge: () => left }, address, { range: june, addresses: [] });

    await expect(run(ann, sieve(0))).rejects.toThrow('busy');
    expect((await run(ann, sieve(1)))?.text).toContain('DTSTART');
  });

  test('what a thread takes counts, also when it’s ended', async () => {
    const run = open({ limitMs: 50 });
    await run(mallory, async ({ charge }) => charge(max - 40));
    expect(await run(mallory, endless).catch(reasonOf)).toBe('too_costly');

    await expect(run(mallory, honest)).rejects.toThrow('busy');
  });
});

describe('memory is shared (security C53)', () => {
  test('when it is full, the largest reading of the owner who holds most gives way', async () => {
    const run = open({ maxBytes: 1_000_000 });
    const sizes = [350_000, 300_000, 250_000];
    const feeds = sizes.map((size, index) => serveOpen(`/large-${index}`, size));
    let arrived = 0;
    const outcomes = feeds.map(({ address }) =>
      run(mallory, async ({ fetch }) => {
        arrived += 1;
        return (await fetch(address, {})).text.length;
      }).catch(reasonOf),
    );
    await until(() => arrived === 3);
    const own = serveOpen('/own', 200_000);
    own.release();

    // Mallory's bytes may come later than Ann's: she keeps her place in any order.
    const [text] = await Promise.all([
      run(ann, async ({ fetch }) => {
        const answer = await fetch(own.address, {});
        await Promise.race(outcomes);
        return answer.text;
      }),
      Promise.race(outcomes).then(() => {
        for (const { release } of feeds) release();
      }),
    ]);

    expect(text).toHaveLength(200_000);
    expect(await Promise.all(outcomes)).toEqual(['busy', 300_000, 250_000]);
  });

  test('what a reading held is free when it is over', async () => {
    const run = open({ maxBytes: 500_000 });
    const feed = serveOpen('/again', 400_000);
    feed.release();

    for (let count = 0; count < 3; count += 1)
      expect((await run(ann, fetching(feed.address))).text).toHaveLength(400_000);
  });

  test('all that one reading fetches is 4 MB at most', async () => {
    const run = open();
    const feed = serveOpen('/third', 1_900_000);
    feed.release();
    const three = ({ fetch }: Reading) =>
      Promise.all(Array.from({ length: 3 }, () => fetch(feed.address, {})));

    await expect(run(ann, three)).rejects.toThrow('too_large');
  });
});
