import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { issueGrant } from '../../src/oauth/store.ts';
import { clients } from '../../src/oauth/tables.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { lifetimes } from '../support/core-builders.ts';
import { openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { scopeNames } from '../support/scopes.ts';

const database = await openTestDatabase();
afterAll(database.close);
// One connection, so that its statistics can be asked for when it is done.
const { db, close } = await openPostgres(database.url, { maxConnections: 1 });
afterAll(close);
const store = tokenStore(db);

const now = new Date('2030-01-01T12:00:00Z');
const grantCount = 300;
const refreshes = 4;

async function issueGrants(): Promise<Grant[]> {
  // A user has 100 grants for one client at most.
  const people = ['ann', 'ben', 'cleo'].map((name) => ({
    email: `${name}@example.com`,
    name,
    passwordHash: 'none',
    createdAt: now,
  }));
  const accounts = await db.insert(users).values(people).returning();
  const [owner] = accounts;
  if (owner === undefined) throw new Error('no user');
  const client = {
    id: 'client',
    ownerId: owner.id,
    name: 'App',
    purpose: 'Testing',
    type: 'public',
    status: 'accepted',
  } as const;
  await db
    .insert(clients)
    .values({ ...client, redirectUris: ['https://app.example/callback'], createdAt: now, submittedAt: now });
  const ids = Array.from({ length: grantCount }, () => randomUUID());
  for (const [index, id] of ids.entries()) {
    const grant = {
      id,
      clientId: client.id,
      userId: accounts[index % accounts.length]?.id ?? owner.id,
      teamId: null,
      scopes: scopeNames,
      resources: null,
      codeChallenge: null,
      dpopJkt: null,
    };
    await issueGrant(db, { ...grant, redirectUri: 'https://app.example/callback' }, [], lifetimes, now);
  }
  const found = await Promise.all(ids.map((id) => store.find(client.id, id)));
  return found.flatMap(({ grant }) => grant ?? []);
}

test('grants leaves room on its pages: fillfactor 70 (architecture §2)', async () => {
  expect(await queryRows(database.url, `select reloptions from pg_class where relname = 'grants'`)).toEqual([
    { reloptions: ['fillfactor=70'] },
  ]);
});

interface UpdateCounts {
  readonly updates: number;
  readonly hot: number;
}

/** What the server has counted; complete as soon as the connection that made them has told it. */
async function readUpdateCounts(): Promise<UpdateCounts> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const [counts] = await queryRows(
    database.url,
    `select n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'grants'`,
  );
  return { updates: Number(counts?.['updates']), hot: Number(counts?.['hot']) };
}

test('exchanges and refreshes are HOT updates, so no index grows with them (architecture §2)', async () => {
  const grants = await issueGrants();
  for (const grant of grants) await store.redeem(grant, now);
  const shares: number[] = [];
  let former: UpdateCounts = { updates: 0, hot: 0 };
  let generation = 2;

  // While other connections are being made PostgreSQL may not clear a page of old rows yet: that lowers the share of a round, never raises it.
  for (let round = 1; round <= 12 && !shares.some((share) => share > 0.9); round += 1) {
    const end = generation + refreshes;
    for (; generation < end; generation += 1)
      for (const grant of grants) await store.advance(grant, generation, now);
    const made = grantCount * (generation - 1);
    await expect.poll(async () => (await readUpdateCounts()).updates).toBe(made);
    const counts = await readUpdateCounts();
    shares.push((counts.hot - former.hot) / (counts.updates - former.updates));
    former = counts;
  }

  expect(Math.max(...shares)).toBeGreaterThan(0.9);
});
