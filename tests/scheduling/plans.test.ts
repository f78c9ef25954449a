import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { selectDueMeetings } from '../../src/scheduling/bookings/store.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addTeamEventType } from '../support/booking.ts';
import { fillTables } from '../support/database.ts';
import { nextDate } from '../support/dates.ts';
import { explain } from '../support/plans.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const service = await openTestService();
const { db } = service.database;
const ann = await represent(service);
const many = 20_000;
const largeTables = [
  'bookings',
  'booking_hosts',
  'event_types',
  'event_type_hosts',
  'memberships',
  'slot_reservations',
  'schedules',
];
const team = await addTeam(service, ann.user);
const forTeam = await represent(service, { user: ann.user, teamSlug: team.slug });

beforeAll(() =>
  fillTables(service.database, async (tx) => {
    await tx.execute(sql`
    insert into users (email, username, name, password_hash, created_at)
    select 'u' || n || '@example.com', 'u' || n, 'U', 'x', now() from generate_series(1, ${many}::int) n`);
    await tx.execute(sql`
    insert into schedules (user_id, name, time_zone, weekly, overrides, is_default, created_at)
    select id, 'x', 'UTC', '[]', '{}', true, now() from users where username ~ '^u[0-9]'`);
    await tx.execute(sql`
    insert into event_types (user_id, slug, title, length_in_minutes, created_at, updated_at)
    select id, 'talk', 'x', 30, now(), now() from users where username ~ '^u[0-9]'`);
    await tx.execute(sql`
    insert into groups (kind, slug, name, created_at) select 'team', 't' || n, 'T', now() from generate_series(1, ${many / 10}::int) n`);
    await tx.execute(sql`
    insert into memberships (group_id, kind, user_id, role)
    select t.id, 'team', u.id, 'member' from users u inner join groups t on t.slug = 't' || (substring(u.username from '^u([0-9]+)$')::int / 10)`);
    await tx.execute(sql`
    insert into event_types (team_id, slug, title, length_in_minutes, scheduling_type, created_at, updated_at)
    select id, 'talk', 'x', 30, case when id % 2 = 0 then 'collective' else 'roundRobin' end, now(), now() from groups where slug ~ '^t[0-9]+$'`);
    await tx.execute(sql`
    insert into event_type_hosts (event_type_id, team_id, user_id)
    select e.id, m.group_id, m.user_id from event_types e inner join memberships m on m.group_id = e.team_id`);
    await tx.execute(sql`
    insert into slot_reservations (uid, event_type_id, starts_at, ends_at, expires_at)
    select gen_random_uuid(), id, now(), now() + interval '30 minutes', now() + interval '1 day' from event_types`);
    await tx.execute(sql`
    insert into bookings (uid, ics_uid, event_type_id, team_id, title, status, starts_at, ends_at, attendee_name, attendee_email,
      attendee_time_zone, guests, responses, metadata, created_at, updated_at)
    select 'b' || id, 'b' || id, id, team_id, 'x', 'accepted', at, at + interval '30 minutes', 'x', 'x' || id || '@example.com', 'UTC', '{}', '{}', '{}',
      now(), now()
    from event_types, lateral (select timestamptz '2031-01-01' + id * interval '1 hour' as at) times`);
    await tx.execute(sql`
    insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, holds, booked_at)
    select b.id, e.user_id, b.starts_at, b.ends_at, 0, 0, true, now() from bookings b inner join event_types e on e.id = b.event_type_id
    where e.user_id is not null`);
    await tx.execute(sql`analyze`);
  }),
);

const filters =
  'status=upcoming&eventTypeIds=1,2&teamId=1&teamsIds=1,2&attendeeName=x&attendeeEmail=x@example.com&afterCreatedAt=2025-01-01&beforeUpdatedAt=2032-01-01&sortEnd=desc';

/** The large tables that are read from end to end by any of the statements. */
async function findScans(statements: readonly string[]): Promise<string[]> {
  const scans: string[] = [];
  for (const statement of statements.filter((text) => text.startsWith('select'))) {
    for (const step of await explain(service, statement)) {
      const table = step['Relation Name'] ?? '';
      if (step['Node Type'] === 'Seq Scan' && largeTables.includes(table))
        scans.push(`${table}: ${statement}`);
    }
  }
  return scans;
}

test.each([
  ['the slots of an event type', '/slots?eventTypeId=1&start=2031-06-02&end=2031-06-30'],
  [
    'the slots of a user’s event type by name',
    '/slots?eventTypeSlug=talk&username=u7&start=2031-06-02&end=2031-06-30',
  ],
  ['the event types of a user by name', '/event-types?username=u7&take=20'],
  ['the event types of a user, by age', '/event-types?username=u7&take=20&sortCreatedAt=desc'],
  ['the caller’s event types', '/event-types'],
  ['the caller’s bookings', '/bookings?take=20'],
  ['the caller’s bookings, upcoming, by start', '/bookings?status=upcoming&sortStart=asc&take=20'],
  ['the caller’s bookings, filtered', `/bookings?${filters}`],
  ['the caller’s booking by its uid', '/bookings?bookingUid=b1'],
  ['one booking', '/bookings/b1'],
  ['the caller’s schedules', '/schedules'],
  ['who the caller is', '/me'],
])('%s are found by index, however many others there are (contract §8)', async (_words, path) => {
  service.takeStatements();
  const answer = await callApi(service, 'GET', path, { token: ann.token });
  if (answer.statusCode !== 404) bodyOf(answer);
  const statements = service.takeStatements();

  expect(statements.length).toBeGreaterThan(0);
  expect(await findScans(statements)).toEqual([]);
});

const slugOfMany = 'eventTypeSlug=talk&teamSlug=t7&start=2031-06-02&end=2031-06-30';
test.each([
  ['the slots of a team’s event type', `/slots?${slugOfMany}`],
  ['a team’s bookings', '/bookings?take=20'],
  ['a team’s bookings, upcoming, by start', '/bookings?status=upcoming&sortStart=asc&take=20'],
  ['a team’s bookings, filtered', `/bookings?${filters}`],
])('%s are found by index, too', async (_words, path) => {
  service.takeStatements();
  bodyOf(await callApi(service, 'GET', path, { token: forTeam.token }));
  const statements = service.takeStatements();

  expect(statements.length).toBeGreaterThan(0);
  expect(await findScans(statements)).toEqual([]);
});

test.each(['/slots/reservations', '/bookings'])(
  'what POST %s looks at while it holds the hosts is found by index',
  async (path) => {
    const { id } = await addTeamEventType(service, team, [ann.user]);
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
    const start = `${nextDate()}T08:00:00Z`;
    const body = { eventTypeId: id, ...(path === '/bookings' ? { start, attendee } : { slotStart: start }) };
    service.takeStatements();
    bodyOf(await callApi(service, 'POST', path, { body }), 201);
    const statements = service.takeStatements();

    expect(statements.some((statement) => statement.includes('pg_advisory_xact_lock'))).toBe(true);
    expect(await findScans(statements)).toEqual([]);
  },
);

test('meetings that start or end are found by index (security C251)', async () => {
  await db.execute(sql`update bookings set next_meeting_at = starts_at`);
  await db.execute(sql`analyze bookings`);

  expect(await findScans([selectDueMeetings(db, service.clock.now()).toSQL().sql])).toEqual([]);
});

test('a plan that reads a whole table is noticed', async () => {
  expect(await findScans([`select "id" from "bookings" where "title" = $1`])).toHaveLength(1);
});
