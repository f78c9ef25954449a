import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { type EventFilter, listAuditEvents } from '../../src/accounts/audit/store.ts';
import { fillTables } from '../support/database.ts';
import { explain, mostRowsOf } from '../support/plans.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
const { db } = service.database;
const limit = 51;
const behind = { at: new Date('2026-01-08T12:00:00Z'), id: 10_000 };

beforeAll(() =>
  fillTables(service.database, async (tx) => {
    await tx.execute(sql`
    insert into audit_events (at, action, actor_id, user_id, client_id)
    select timestamptz '2026-01-01' + n * interval '1 minute',
      (array['user.signed_in', 'grant.approved', 'client.accepted', 'user.created'])[1 + n % 4],
      n % 100, case when n % 3 = 0 then n % 70 else n % 100 end, (n % 50)::text
    from generate_series(1, 20000) n`);
    await tx.execute(sql`analyze`);
  }),
);

const ofAction = { action: 'grant.approved' } as const;
const days = { from: new Date('2026-01-05'), until: new Date('2026-01-06') };

test.each<[string, EventFilter]>([
  ['everything', {}],
  ['everything, further on', { behind }],
  ['of a person', { personId: 42 }],
  ['of a person, further on', { personId: 42, behind }],
  ['of an app', { clientId: '7' }],
  ['of an app, further on', { clientId: '7', behind }],
  ['of an action', ofAction],
  ['of an action, further on', { ...ofAction, behind }],
  ['of a day', days],
  ['of a person, on a day', { personId: 42, ...days }],
])('of 20,000 events the list reads little more than it shows, by index: %s', async (_name, filter) => {
  const steps = await explain(service, listAuditEvents(db, filter, limit).getSQL(), 'analyze');

  const scanned = steps.filter((step) => step['Node Type'] === 'Seq Scan');
  expect(scanned.filter((step) => step['Relation Name'] === 'audit_events')).toEqual([]);
  expect(mostRowsOf(steps)).toBeLessThanOrEqual(4 * limit);
});
