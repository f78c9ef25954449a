import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { isDatabaseAway } from '../../src/platform/database.ts';
import { countsOf } from '../../src/platform/metrics/counters.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { openTestDatabaseAt } from '../support/database.ts';
import { createTestClock, openAnotherInstance, openTestService } from '../support/service.ts';
import { grantIdOf, grantsOf, issueCode, issueTokens, rotate, usable, use } from '../support/tokens.ts';
import { addClient, refresh, requestToken } from '../support/world.ts';

const patient = { timeout: 120_000 } as const;

/** Two servers, the second of which follows the first; a service on the first, and one on each later. */
async function openPair() {
  const cluster = await startCluster({ hasStandby: true });
  onTestFinished(cluster.stop);
  const service = await openTestService({}, createTestClock(), openTestDatabaseAt(cluster.address));
  const url = new URL(service.database.url);
  const standby = await connectTo(cluster, url.pathname);
  return {
    service,
    /** What is committed from now on is lost. */
    async stopStreaming(): Promise<void> {
      await standby.sql`alter system set primary_conninfo = ''`;
      await standby.sql`select pg_reload_conf()`;
      const receivers = () => standby.sql`select from pg_stat_wal_receiver`;
      await expect.poll(async () => (await receivers()).length).toBe(0);
    },
    /** What was committed without waiting may not be written yet. */
    async caughtUp(): Promise<void> {
      const primary = postgres(service.database.url, { max: 1 });
      const [row] = await primary`select pg_current_wal_insert_lsn()::text as lsn`;
      await primary.end();
      const replayed = () => standby.sql`select pg_last_wal_replay_lsn() >= ${row?.['lsn']} as "isCaughtUp"`;
      await expect.poll(async () => (await replayed())[0]?.['isCaughtUp']).toBe(true);
    },
    /** Refuses, as long as it is one. */
    readOnStandby: async (clientId: string, grantId: string): Promise<unknown> => {
      const sql = postgres(standby.url, { max: 1 });
      const reading = tokenStore(drizzle(sql, { casing: 'snake_case' })).find(clientId, grantId);
      return reading.catch((error: unknown) => error).finally(() => sql.end());
    },
    openOnStandby: () => openAnotherInstance(service, { DATABASE_URL: standby.url }),
    promote: async (): Promise<void> => {
      // Without a wait: replay may need what this statement's snapshot holds.
      await standby.sql`select pg_promote(wait => false)`;
      const following = () => standby.sql`select where pg_is_in_recovery()`;
      await expect.poll(async () => (await following()).length, patient).toBe(0);
    },
  };
}

async function connectTo({ standbyAddress }: Cluster, path: string) {
  const sql = postgres(`${standbyAddress}/postgres`, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  return { sql, url: `${standbyAddress}${path}` };
}

test(
  'a failover that lost the last refresh, or the exchange, signs nobody out; one that lost two refuses (contract §4, security C67)',
  patient,
  async () => {
    const { service, caughtUp, stopStreaming, readOnStandby, openOnStandby, promote } = await openPair();
    const client = await addClient(service, { type: 'public' });
    const issued = await issueTokens(service, client);
    const kept = await rotate(service, client, issued);
    const twice = await issueTokens(service, client);
    const exchange = await issueCode(service, client);
    await caughtUp();
    await stopStreaming();
    const newest = await rotate(service, client, kept);
    const further = await rotate(service, client, await rotate(service, client, twice));
    const exchanged = (await requestToken(service, exchange)).json();
    const before = await grantsOf(service, client);
    const fromStandby = await readOnStandby(client.id, grantIdOf(newest));
    await promote();
    const after = await openOnStandby();

    const countBefore = countsOf('refresh_tokens_ahead').get('') ?? 0;
    const goneOn = await refresh(after, client, newest.refresh_token);
    const spent = await refresh(after, client, kept.refresh_token);
    const afterExchange = await refresh(after, client, exchanged.refresh_token);
    const tooFar = await refresh(after, client, further.refresh_token);

    // Answered with 503: a standby may not have heard of a grant's last change.
    expect(isDatabaseAway(fromStandby)).toBe(true);
    expect(before.map(({ generation }) => generation).toSorted()).toEqual([1, 3, 3]);
    expect([goneOn, spent, afterExchange, tooFar].map(({ statusCode }) => statusCode)).toEqual([
      200, 400, 200, 400,
    ]);
    expect(await use(after, client, afterExchange.json())).toEqual(usable);
    expect(countsOf('refresh_tokens_ahead').get('')).toBe(countBefore + 2);
    expect(after.logText()).toContain('one generation ahead of its grant');
  },
);
