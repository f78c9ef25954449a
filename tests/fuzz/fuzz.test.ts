import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Pool } from 'undici';
import { expect, test } from 'vitest';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { emptyTable } from '../support/empty-table.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';
import { addressCanary, type HostileRequest, listHostile } from './requests.ts';
import { openSurface } from './surface.ts';

/** `tests/fuzz/run.ts` sends more. */
const total = Number(process.env['FUZZ_REQUESTS'] ?? 1000);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
/** What requests have ended or used up is made anew after so many. */
const perSurface = 3000;
const atOnce = 4;
const slowestMs = 5000;
const secret = 'a-canary-root-secret-0123456789abcdefghij';

const [service, routes] = await recordingRoutes(() =>
  openTestService({ SECRET: secret, TRUSTED_PROXIES: '127.0.0.1' }),
);
const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
/** What an answer repeats of an address: less than what a request may have. */
const maxHeaderSize = 80 * 1024;
const pool = new Pool(address, {
  maxHeaderSize,
  connections: atOnce,
  bodyTimeout: 20_000,
  headersTimeout: 20_000,
});
atTheEnd(() => pool.close());

// Compressed in a thread, once for each process.
await (await fetch(`${address}/docs/reader.js`)).arrayBuffer();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

async function heapMegabytes(): Promise<number> {
  service.takeStatements();
  service.database.statements.splice(0);
  // What finishes after its answer is let go first.
  await sleep(50);
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

interface Outcome {
  /** 599: no answer that can be read. */
  readonly status: number;
  readonly ms: number;
  /** Headers and body. */
  readonly text: string;
}

async function send({ method, path, headers, body }: HostileRequest): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const answer = await pool.request({ method, path, headers, body: body ?? null });
    const content = await answer.body.text();
    const ms = performance.now() - startedAt;
    return { status: answer.statusCode, ms, text: `${JSON.stringify(answer.headers)}\n${content}` };
  } catch (error) {
    return { status: 599, ms: performance.now() - startedAt, text: String(error) };
  }
}

/** Sends them, a few at the same time, and answers what is wrong with the answers. */
async function sendAll(requests: readonly HostileRequest[], canaries: readonly string[]) {
  const wrong: string[] = [];
  const statuses: number[] = [];
  let slowest = 0;
  const waiting = requests.values();
  const worker = async (): Promise<void> => {
    for (const request of waiting) {
      // So that most requests are answered, not limited: fifty a minute, from many addresses.
      if (statuses.length % 50 === 0) service.clock.advance(60);
      const { status, ms, text } = await send(request);
      statuses.push(status);
      slowest = Math.max(slowest, ms);
      const leaked = canaries.filter((canary) => text.includes(canary)).length;
      if (status >= 500 || ms > slowestMs || leaked > 0)
        wrong.push(JSON.stringify({ status, ms, leaked, request, answer: text.slice(0, 2000) }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { wrong, statuses, slowest };
}

test(`${total} hostile requests, seed ${seed}: no fault, none slow, no memory kept, no secret told (security C90)`, {
  timeout: 60_000 + total * 100,
}, async () => {
  const counts = new Map<string, number>();
  const heaps: number[] = [];
  const wrong: string[] = [];
  let slowest = 0;
  const rounds = Math.ceil(total / perSurface);
  for (let round = 0; round < rounds; round += 1) {
    await emptyTable(service.database.db, rateLimits);
    const { world, tokens, targets } = await openSurface(service, routes);
    const { cookie, token, client, person } = world;
    const canaries = [
      ...[secret, cookie.split('=')[1], token, tokens.access_token, tokens.refresh_token],
      ...[client.secret, world.platform.secret, person.password],
    ].filter((canary) => canary !== undefined);
    // The world's own tokens are told once, while it is made.
    service.takeLog();
    const count = Math.min(perSurface, total - round * perSurface);
    const outcome = await sendAll(listHostile(targets, seed * 1000 + round, count), canaries);
    const log = service.takeLog();

    const told = [...canaries, addressCanary].filter((canary) => log.includes(canary)).length;
    const faults = log.split('\n').filter((line) => /"level":(?:50|60)/.test(line));
    wrong.push(
      ...outcome.wrong,
      ...faults,
      ...(told > 0 ? [`round ${round}: ${told} secrets in the log`] : []),
    );
    slowest = Math.max(slowest, outcome.slowest);
    for (const status of outcome.statuses) {
      const kind = `${status}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    heaps.push(await heapMegabytes());
  }
  const early = heaps[Math.floor(rounds / 10)] ?? 0;
  const late = heaps.at(-1) ?? 0;
  process.stdout.write(
    `${total} requests, seed ${seed}: ${JSON.stringify(Object.fromEntries(counts))}, slowest ${slowest.toFixed(0)} ms, heap ${early.toFixed(1)} MB after a tenth, ${late.toFixed(1)} MB at the end\n`,
  );

  expect(wrong.slice(0, 20)).toEqual([]);
  expect(late).toBeLessThan(early + 20);
});
