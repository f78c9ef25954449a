import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openPostgres } from '../../src/platform/database.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const journal = z.looseObject({ entries: z.array(z.looseObject({ idx: z.number() })) });

/** The migrations as they were before the one of this number. */
async function migrationsBefore(index: number): Promise<string> {
  const folder = join(await makeTemporaryDirectory(), 'migrations');
  await cp(new URL('../../migrations', import.meta.url), folder, { recursive: true });
  const path = join(folder, 'meta', '_journal.json');
  const { entries, ...rest } = journal.parse(JSON.parse(await readFile(path, 'utf8')));
  const kept = entries.filter(({ idx }) => idx < index);
  await writeFile(path, JSON.stringify({ ...rest, entries: kept }));
  return folder;
}

test('hosts who have left their team are gone after the migration, and bookings know their team', async () => {
  const database = await openEmptyDatabase();
  onTestFinished(database.close);
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  await migrate(drizzle(sql), { migrationsFolder: await migrationsBefore(4) });
  await sql`insert into users (email, name, password_hash, created_at)
    select n || '@example.com', 'N', 'x', now() from generate_series(1, 3) n`;
  await sql`insert into teams (slug, name, created_at) values ('a', 'A', now()), ('b', 'B', now())`;
  // The third is in the other team alone.
  await sql`insert into memberships (team_id, user_id, role) values (1, 1, 'owner'), (1, 2, 'member'), (2, 3, 'member')`;
  await sql`insert into event_types (user_id, team_id, scheduling_type, slug, title, length_in_minutes, created_at, updated_at)
    values (null, 1, 'roundRobin', 'team', 'T', 30, now(), now()), (1, null, null, 'own', 'T', 30, now(), now())`;
  await sql`insert into event_type_hosts (event_type_id, user_id) values (1, 1), (1, 2), (1, 3)`;
  await sql`insert into bookings (uid, ics_uid, event_type_id, title, status, starts_at, ends_at, attendee_name, attendee_email,
      attendee_time_zone, guests, responses, metadata, created_at, updated_at)
    select uid, uid, event_type_id, 'x', 'accepted', now(), now() + interval '1 hour', 'x', 'x', 'UTC', '{}', '{}', '{}', now(), now()
    from (values ('of-team', 1), ('of-user', 2), ('of-none', null)) as made (uid, event_type_id)`;

  await (await openPostgres(database.url)).close();

  const hosts = await sql`select team_id, user_id from event_type_hosts order by user_id`;
  expect([...hosts]).toEqual([
    { team_id: 1, user_id: 1 },
    { team_id: 1, user_id: 2 },
  ]);
  const teams = await sql`select uid, team_id from bookings order by uid`;
  expect([...teams]).toEqual([
    { uid: 'of-none', team_id: null },
    { uid: 'of-team', team_id: 1 },
    { uid: 'of-user', team_id: null },
  ]);
});
