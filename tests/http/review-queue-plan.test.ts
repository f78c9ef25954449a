import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Listing, listApps } from '../../src/oauth/review/queue/store.ts';
import { fillTables } from '../support/database.ts';
import { explain, mostRowsOf } from '../support/plans.ts';
import { openTestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const limit = 26;
const position = { at: new Date('2026-01-01T12:00:00Z'), id: '0' };

beforeAll(async () => {
  const { id: ownerId } = await addUser(service);
  await fillTables(service.database, async (tx) => {
    await tx.execute(sql`
    insert into clients (id, owner_id, name, purpose, type, redirect_uris, status, created_at, submitted_at)
    select md5(n::text), ${ownerId}, 'App ' || n, 'Testing', 'public', array['https://app' || n || '.example/'],
      (array['pending', 'accepted', 'rejected'])[1 + n % 3], at, at
    from generate_series(1, 20000) n, lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) times`);
    await tx.execute(sql`
    insert into client_edits (client_id, name, purpose, redirect_uris, status, submitted_at)
    select id, name, purpose, redirect_uris, case when random() < 0.5 then 'pending' else 'rejected' end, submitted_at
    from clients where status = 'accepted'`);
    await tx.execute(sql`
    insert into client_events (client_id, kind, at)
    select id, kind, submitted_at from clients, unnest(array['submitted', 'rejected', 'resubmitted']) kind`);
    await tx.execute(sql`analyze`);
  });
});

const plan = (listing: Pick<Listing, 'status'> & Partial<Listing>) =>
  explain(service, listApps(db, { search: '', after: undefined, limit, ...listing }).getSQL(), 'analyze');

describe('of 20,000 clients the list reads no more than it shows, by index', () => {
  test.each([
    ['what waits', { status: 'waiting' }, ['clients', 'client_edits']],
    ['what waits, further on', { status: 'waiting', after: position }, ['clients', 'client_edits']],
    ['accepted', { status: 'accepted' }, ['clients']],
    ['rejected, further on', { status: 'rejected', after: position }, ['clients']],
    ['all', { status: 'all' }, ['clients']],
    ['all, further on', { status: 'all', after: position }, ['clients']],
  ] as const)('%s', async (_name, listing, tables) => {
    const steps = await plan(listing);

    const indexes = steps.map((step) => step['Index Name']);
    for (const table of tables) expect(indexes).toContain(`${table}_status_submitted_at_index`);
    const scanned = steps.filter((step) => step['Node Type'] === 'Seq Scan');
    expect(scanned.map((step) => step['Relation Name']).filter((name) => name !== 'users')).toEqual([]);
    expect(mostRowsOf(steps)).toBeLessThanOrEqual(4 * limit);
  });
});

test('a search stops when its page is full', async () => {
  const steps = await plan({ status: 'waiting', search: 'app' });

  expect(mostRowsOf(steps)).toBeLessThanOrEqual(4 * limit);
});
