import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { addEventType, bookOn } from '../support/booking.ts';
import { startCluster } from '../support/cluster.ts';
import { createDatabase } from '../support/create-database.ts';
import { openTestDatabaseAt } from '../support/database.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { findDebianServer } from '../support/server-binaries.ts';
import { createTestClock, openAnotherInstance, openTestService } from '../support/service.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { issueTokens, revoke, rotate, usable, use } from '../support/tokens.ts';
import { addClient, addUser, refresh, type TestClient, type Tokens } from '../support/world.ts';

const run = promisify(execFile);
/** pg_dump reads no newer server than itself: both are Debian's. */
const { bin } = findDebianServer();

/** A service on a server of its own, whose database can be dumped and restored beside it. */
async function openBackedUpService() {
  const cluster = await startCluster({ binaries: bin });
  onTestFinished(cluster.stop);
  const file = join(await makeTemporaryDirectory(), 'latchkey.dump');
  const service = await openTestService({}, createTestClock(), openTestDatabaseAt(cluster.address));
  return {
    service,
    dump: () => run(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, service.database.url]),
    /** The service as it was, with nothing but DATABASE_URL and SECRET. */
    async restore() {
      const { url, drop } = await createDatabase(cluster.address, undefined);
      onTestFinished(drop);
      await run(join(bin, 'pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${url}`, file]);
      return openAnotherInstance(service, { DATABASE_URL: url });
    },
  };
}

type BackedUpService = Awaited<ReturnType<typeof openBackedUpService>>['service'];

/** Apps that refresh one after the other until they are told to stop; all tokens of each, oldest first. */
async function refreshAll(service: BackedUpService, client: TestClient, apps: number) {
  const chains: Tokens[][] = [];
  for (let app = 0; app < apps; app += 1) chains.push([await issueTokens(service, client)]);
  let isOver = false;
  const loads = chains.map(async (chain) => {
    for (let tokens = chain[0]; tokens !== undefined && !isOver; chain.push(tokens))
      tokens = await rotate(service, client, tokens);
  });
  return {
    refreshed: () => chains.flat().length,
    async stop() {
      isOver = true;
      await Promise.all(loads);
      return chains;
    },
  };
}

test('a dump under load, restored: who refreshed once since goes on, who refreshed more often is refused and keeps the grant (ADR 13, operations)', {
  timeout: 120_000,
}, async () => {
  const { service, dump, restore } = await openBackedUpService();
  const client = await addClient(service, { type: 'public' });
  const talk = await addEventType(service, await addUser(service));
  const [quiet, once, often, revoked] = [
    await issueTokens(service, client),
    await issueTokens(service, client),
    await issueTokens(service, client),
    await issueTokens(service, client),
  ];
  const booking = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
  const laterSlot = inBerlin(nextDate(), '10:00');

  const load = await refreshAll(service, client, 4);
  const before = load.refreshed();
  await dump();
  expect(load.refreshed()).toBeGreaterThan(before);
  const chains = await load.stop();
  const newest = {
    once: await rotate(service, client, once),
    often: await rotate(service, client, await rotate(service, client, often)),
  };
  await revoke(service, client, revoked.refresh_token);
  const later = await bookOn(service, talk.path, laterSlot);
  const after = await restore();

  expect(await use(after, client, quiet)).toEqual(usable);
  expect(await use(after, client, newest.once)).toEqual(usable);
  expect(await use(after, client, newest.often)).toEqual({ me: 200, refresh: 400 });
  expect(await use(after, client, often)).toEqual(usable);
  // What ended since goes on again.
  expect(await use(after, client, revoked)).toEqual(usable);
  for (const chain of chains) {
    // From the newest back, each is refused without ending anything, up to the one ahead of the dump.
    const statuses = [];
    for (const { refresh_token: token } of chain.toReversed()) {
      if (statuses.at(-1) !== 200) statuses.push((await refresh(after, client, token)).statusCode);
    }
    expect(statuses.toReversed()).toEqual([200, ...Array(statuses.length - 1).fill(400)]);
  }
  const statusOf = async (url: string) => (await after.app.inject({ url })).statusCode;
  expect([await statusOf(booking), await statusOf(later)]).toEqual([200, 404]);
  expect(await statusOf(await bookOn(after, talk.path, laterSlot))).toBe(200);
});
