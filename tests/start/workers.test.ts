import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { makeFolder, onPostgres, type ServerProcess, startServer } from './server-process.ts';

const patient = { timeout: 120_000 } as const;

async function startWorkers(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const database = await openTestDatabase();
  onTestFinished(database.close);
  return startServer({
    folder: await makeFolder(),
    environment: { ...onPostgres(database.url), WORKERS: '2', ...environment },
  });
}

/** Lists the workers that have started, in the order of their log lines. */
function workerPids({ output }: ServerProcess): readonly number[] {
  const lines = output().matchAll(/^\{.*"pid":(\d+),.*Latchkey \S+ listens/gm);
  return [...lines].map(([, pid]) => Number(pid));
}

function answeringPids({ output }: ServerProcess): ReadonlySet<number> {
  const lines = output().matchAll(/^\{.*"pid":(\d+),.*"msg":"answered"/gm);
  return new Set([...lines].map(([, pid]) => Number(pid)));
}

async function statusesOf(count: number, ask: () => Promise<Response>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    const answer = await ask();
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

test(
  'WORKERS=2 answers from two processes that share a limit; one that is killed is replaced, and SIGTERM ends all with 0 (contract §1)',
  patient,
  async () => {
    const port = await findFreePort();
    const server = await startWorkers({ METRICS_PORT: String(port) });
    const address = await server.listening();
    await expect.poll(() => workerPids(server).length, { timeout: 30_000 }).toBe(2);

    // Each on a connection of its own, which the workers get in turn.
    const reserve = () =>
      fetch(`${address}/v2/slots/reservations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ eventTypeId: 1, slotStart: '2050-01-01T10:00:00Z' }),
      });
    const first = await statusesOf(20, reserve);
    await sleep(500);
    const next = await statusesOf(10, reserve);
    expect(answeringPids(server).size).toBe(2);
    expect(first).toEqual(Array(20).fill(404));
    // One request may be allowed again; if two limits did not know of each other, all would be.
    expect(next.filter((status) => status === 429).length).toBeGreaterThanOrEqual(9);

    const metrics = await Promise.all(
      [port, port + 1].map((port) => fetch(`http://127.0.0.1:${port}/metrics`)),
    );
    expect(metrics.map(({ status }) => status)).toEqual([200, 200]);

    const [oldest = 0] = workerPids(server);
    process.kill(oldest, 'SIGKILL');
    await expect.poll(() => workerPids(server).length, { timeout: 30_000 }).toBe(3);
    expect(await statusesOf(10, () => fetch(`${address}/readyz`))).toEqual(Array(10).fill(200));

    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    for (const pid of workerPids(server)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
);
