import postgres from 'postgres';
import { beforeAll, expect, test, vi } from 'vitest';
import { fillLargeWorld } from '../../bench/large-world.ts';
import { openSurface, sentTo, type Target } from '../fuzz/surface.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { fillTables } from '../support/database.ts';
import { type Step, stepsOf } from '../support/plans.ts';
import { queryRows } from '../support/query-rows.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';

const people = 6000;
/** Nobody of those who ask has so many rows of anything. */
const maxRows = 1500;

// What runs once a minute, in whole batches, would look like statements of the request that it meets.
vi.useFakeTimers({ toFake: ['setInterval'] });
const [service, routes] = await recordingRoutes(() => openTestService());
vi.useRealTimers();
await fillTables(service.database, (db) => fillLargeWorld(db, people));
const { targets } = await openSurface(service, routes);
const client = postgres(service.database.url, { max: 1, onnotice: () => {} });
atTheEnd(() => client.end());
// Values are texts by now, as Drizzle has made them.
for (const type of [114, 3802]) client.options.serializers[type] = (value: unknown) => value;
/** A table of one page is read whole whatever indexes it has. */
const large = new Set<string>();

beforeAll(async () => {
  await queryRows(service.database.url, 'analyze');
  const counted = await queryRows(
    service.database.url,
    `select relname as name from pg_class where relkind = 'r' and reltuples >= 500`,
  );
  for (const { name } of counted) large.add(String(name));
});

/** What a plan reads that isn't the asker's: whole tables, planned for any values, and rows, for these. */
async function faultsOf(text: string, params: readonly unknown[]): Promise<string[]> {
  const values = params.map((value) => (value instanceof Date ? value.toISOString() : value));
  const faults: string[] = [];
  const explain = async (options: string, given: readonly unknown[]): Promise<readonly Step[]> => {
    let steps: readonly Step[] = [];
    const rollback = new Error('rollback');
    await client
      .begin(async (tx) => {
        const [row] = await tx.unsafe(`explain (${options}, format json) ${text}`, given as never[]);
        steps = stepsOf(row?.['QUERY PLAN'][0].Plan);
        throw rollback;
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error;
      });
    return steps;
  };
  for (const step of await explain('generic_plan', [])) {
    const { 'Node Type': node, 'Relation Name': table = '' } = step;
    if (node === 'Seq Scan' && large.has(table)) faults.push(`all of ${table}`);
  }
  // What was inserted can't be inserted again.
  const done = /\binsert into\b/.test(text) ? [] : await explain('analyze', values);
  for (const step of done) {
    const {
      'Actual Rows': rows = 0,
      'Actual Loops': loops = 0,
      'Rows Removed by Filter': removed = 0,
    } = step;
    const { 'Node Type': node, 'Relation Name': table = '' } = step;
    if (large.has(table) && (rows + removed) * loops > maxRows)
      faults.push(`${Math.round((rows + removed) * loops)} rows of ${table} by ${node}`);
  }
  return [...new Set(faults)];
}

async function send(target: Target): Promise<number> {
  const query = Object.fromEntries(Object.entries(target.query).filter(([, value]) => value !== ''));
  return (await service.app.inject(sentTo({ ...target, query }))).statusCode;
}

test('no page and no operation reads a growing table from end to end, or rows that grow with others’ (contract §5, security C261)', async () => {
  const known = new Set<string>();
  const found: string[] = [];
  const statuses: number[] = [];
  for (const target of targets) {
    service.clock.advance(2);
    service.takeQueries();
    statuses.push(await send(target));
    for (const { text, params } of service.takeQueries()) {
      if (known.has(text) || !/^(select|with|update|delete) /.test(text)) continue;
      known.add(text);
      for (const fault of await faultsOf(text, params))
        found.push(`${target.method} ${target.route}: ${fault}: ${text}`);
    }
  }

  expect(statuses.filter((status) => status < 400).length).toBeGreaterThan(targets.length / 2);
  expect(known.size).toBeGreaterThan(200);
  expect(found).toEqual([]);
}, 300_000);

test('a statement that reads a whole table, or many rows of one, is noticed', async () => {
  expect(await faultsOf(`select id from bookings where title = $1`, ['x'])).toContain('all of bookings');
  expect(await faultsOf(`select count(*) from bookings where team_id = $1`, [1])).toHaveLength(1);
});
