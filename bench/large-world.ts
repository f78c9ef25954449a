import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../src/platform/database.ts';

const sessionIdLength = 43;

/** Opens the session of a person of {@link fillLargeWorld}. */
export const largeSessionOf = (userId: number): string => String(userId).padStart(sessionIdLength, '0');

/** Numbers of rows. The skew is what costs: one app, host, team, organization or person has much of it. */
export function sizesOf(people: number) {
  return {
    people,
    grants: people * 10,
    bookings: people * 5,
    webhooks: Math.ceil(people / 2),
    emails: people * 10,
    auditEvents: people * 5,
    ofOneApp: 0.75,
    bookingsOfOneHost: Math.ceil(people / 4),
    bookingsOfOneTeam: Math.ceil(people / 2),
    members: Math.min(200, Math.ceil(people / 10)),
    organization: Math.min(5000, Math.ceil(people / 20)),
    grantsOfOnePerson: Math.ceil(people / 7),
  } as const;
}

/** Who has the most, by id: the host, who also owns the app; the one with the grants; the busy admin. */
export const heaviest = {
  host: 1,
  grantee: 2,
  admin: 3,
  app: 'app1',
  team: 1,
  organization: 2,
  eventType: 1,
};

/**
 * Fills an empty, migrated database with statements for whole tables, so that millions of rows take minutes. Nothing is
 * analyzed: whether statistics are there is for the caller.
 */
export async function fillLargeWorld(db: Db, people: number): Promise<void> {
  const size = sizesOf(people);
  const { host, grantee, admin } = heaviest;
  const run = async (statement: SQL): Promise<void> => void (await db.execute(statement));
  const others = Math.ceil(people / 20);
  // Nothing refers to rows that aren't there, and checking 20 million references takes longer than all the rest.
  await run(sql`set session_replication_role = replica`);
  await run(sql`insert into users (email, username, name, password_hash, is_admin, email_verified_at, created_at)
    select 'large' || n || '@example.com', 'large' || n, 'Person ' || n, 'none', n = ${admin}::int, now(), now() - n * interval '1 minute'
    from generate_series(1, ${people}::int) n`);
  await run(sql`insert into schedules (user_id, name, time_zone, weekly, overrides, is_default, created_at)
    select n, 'Hours', 'UTC', '[{"weekDay":1,"startMinute":540,"endMinute":1020}]', '{}', true, now()
    from generate_series(1, ${people}::int) n`);
  await run(sql`insert into groups (kind, slug, name, organization_id, created_at)
    select case n when 2 then 'organization' else 'team' end, 'large' || n, 'Group ' || n, case when n between 3 and 100 then 2 end, now()
    from generate_series(1, ${others}::int) n`);
  await run(sql`insert into memberships (group_id, kind, user_id, role)
    select 1, 'team', n, case n when ${host}::int then 'owner' else 'member' end from generate_series(1, ${size.members}::int) n
    union all
    select 2, 'organization', n, case n when ${host}::int then 'owner' else 'member' end from generate_series(1, ${size.organization}::int) n
    union all
    select 3 + n % ${others - 3}::int, 'team', n, 'owner' from generate_series(${size.members + 1}::int, ${people}::int) n`);
  await run(sql`insert into event_types (team_id, slug, title, length_in_minutes, scheduling_type, created_at, updated_at)
    values (1, 'round', 'Talk', 30, 'roundRobin', now(), now())`);
  await run(sql`insert into event_types (user_id, slug, title, length_in_minutes, created_at, updated_at)
    select n, 'talk', 'Talk', 30, now(), now() from generate_series(1, ${people}::int) n`);
  await run(sql`insert into event_types (team_id, slug, title, length_in_minutes, scheduling_type, created_at, updated_at)
    select n, 'talk', 'Talk', 30, case when n % 2 = 0 then 'collective' else 'roundRobin' end, now(), now()
    from generate_series(3, ${others}::int) n`);
  await run(sql`insert into event_type_hosts (event_type_id, team_id, user_id)
    select e.id, m.group_id, m.user_id from event_types e inner join memberships m on m.group_id = e.team_id and m.kind = 'team'`);
  await run(sql`insert into slot_reservations (uid, event_type_id, starts_at, ends_at, expires_at)
    select gen_random_uuid(), 1 + n, at, at + interval '30 minutes', now() + interval '1 day'
    from generate_series(1, ${people}::int) n, lateral (select date_trunc('hour', now()) + n % 500 * interval '1 hour' as at) times`);
  // The first are one host's, the next a team's, and no two of a host overlap; two thirds of each are past.
  const [ofHost, ofTeam] = [size.bookingsOfOneHost, size.bookingsOfOneTeam];
  const alone = people - size.members;
  await run(sql`insert into bookings (uid, ics_uid, event_type_id, team_id, title, description, status, starts_at, ends_at, attendee_name,
      attendee_email, attendee_time_zone, guests, responses, metadata, created_at, updated_at)
    select 'large' || n, 'large' || n, case kind when 'host' then 2 when 'team' then 1 else ${2 + size.members}::int + n % ${alone}::int end,
      case kind when 'team' then 1 end, 'Talk', repeat('words ', 20), case n % 10 when 0 then 'cancelled' else 'accepted' end,
      at, at + interval '30 minutes', 'Guest ' || n, 'guest' || n % ${people}::int || '@example.com', 'UTC', '{}', '{}', '{}',
      now() - interval '200 days', now() - interval '200 days'
    from generate_series(1, ${size.bookings}::int) n,
      lateral (select case when n <= ${ofHost}::int then 'host' when n <= ${ofHost + ofTeam}::int then 'team' else 'other' end as kind) kinds,
      lateral (select case kind when 'host' then n - 2 * ${ofHost}::int / 3 when 'team' then n - ${ofHost}::int - 2 * ${ofTeam}::int / 3
        else n / 10 - ${Math.ceil(size.bookings / 15)}::int end as place) places,
      lateral (select date_trunc('hour', now()) + place * interval '30 minutes' as at) times`);
  await run(sql`insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, holds, booked_at)
    select id, case event_type_id when 2 then ${host}::int when 1 then 2 + id % ${size.members - 1}::int else event_type_id - 1 end,
      starts_at, ends_at, 0, 0, status = 'accepted', created_at from bookings`);
  await run(sql`insert into calendars (user_id, name, kind, encrypted_access, created_at)
    select n, 'Work', 'caldav', 'x'::bytea, now() from generate_series(1, ${people}::int) n
    where n = ${host}::int or n > ${size.members}::int`);
  await run(sql`insert into calendar_entries (user_id, ics_uid, calendar_id, encrypted_collection, server, changed_at, failure)
    select ${host}::int, 'large' || n, (select id from calendars where user_id = ${host}::int), 'x'::bytea, 'cal.example', now(), 'refused'
    from generate_series(greatest(1, ${ofHost}::int - 3000), ${ofHost}::int) n
    union all
    select user_id, 'large' || ${ofHost + ofTeam}::int + user_id, id, 'x'::bytea, 'cal.example', now(), null from calendars
    where user_id <> ${host}::int`);
  await run(sql`insert into clients (id, owner_id, name, purpose, type, redirect_uris, status, created_at, submitted_at)
    select 'app' || n, case when n = 1 then ${host}::int else 1 + n % ${people}::int end, 'App ' || n, 'Testing', 'public',
      array['https://app.example/callback'], (array['accepted', 'pending', 'rejected'])[1 + (n - 1) % 3], now(), now() - n * interval '1 minute'
    from generate_series(1, ${Math.max(100, others)}::int) n`);
  await run(sql`insert into grants (id, client_id, user_id, redirect_uri, generation, issued_at, redeemed_at, rotated_at)
    select md5('grant' || n)::uuid,
      case when n % 100 < ${size.ofOneApp * 100}::int then 'app1' else 'app' || (1 + n % ${Math.max(100, others)}::int) end,
      case when n <= ${size.grantsOfOnePerson}::int then ${grantee}::int else 1 + n % ${people}::int end,
      'https://app.example/callback', 1, now() - n * interval '1 second', now(), now()
    from generate_series(1, ${size.grants}::int) n`);
  await run(sql`insert into grants (id, client_id, user_id, team_id, redirect_uri, generation, issued_at, redeemed_at, rotated_at)
    values (md5('team')::uuid, 'app1', ${host}::int, 1, 'https://app.example/callback', 1, now(), now(), now())`);
  await run(sql`insert into remembered_consents (user_id, client_id, redirect_uri, remembered_at)
    select n, 'app1', 'https://app.example/callback', now() from generate_series(1, ${people}::int) n`);
  await run(sql`insert into sessions (id_hash, user_id, created_at, last_seen_at, expires_at)
    select rtrim(translate(encode(sha256(lpad(n::text, ${sessionIdLength}::int, '0')::bytea), 'base64'), '+/', '-_'), '='),
      n, now(), now(), now() + interval '1 day' from generate_series(1, ${people}::int) n`);
  await run(sql`insert into devices (id_hash, user_id, first_seen_at, last_seen_at)
    select md5(n::text), n, now(), now() from generate_series(1, ${people}::int) n`);
  await run(sql`insert into webhooks (id, user_id, app_user_id, subscriber_url, triggers, encrypted_secret, created_at)
    select md5('hook' || n)::uuid, 1 + n % ${people}::int, 1 + n % ${people}::int, 'https://hooks.example', array['BOOKING_CREATED'], 'x'::bytea, now()
    from generate_series(1, ${size.webhooks}::int) n`);
  await run(sql`insert into outbox (id, recipient, subject, text, html, created_at, attempts, last_failure, sent_at)
    select md5('mail' || n)::uuid, 'guest' || n % ${people}::int || '@example.com', 'New booking', repeat('words ', 100), repeat('words ', 100),
      now() - n * interval '1 second', 1, case when n % 5000 = 0 then 'refused' end, case when n % 5000 = 0 then null else now() end
    from generate_series(1, ${size.emails}::int) n`);
  await run(sql`insert into audit_events (at, action, actor_id, user_id, client_id)
    select now() - n * interval '10 seconds', 'grant.approved', busy, busy, 'app' || n % 100
    from generate_series(1, ${size.auditEvents}::int) n,
      lateral (select case when n % 5 = 0 then ${grantee}::int else 1 + n % ${people}::int end as busy) people`);
  await run(sql`set session_replication_role = origin`);
}
