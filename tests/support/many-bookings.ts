import { sql } from 'drizzle-orm';
import type { TestService } from './service.ts';

/** Accepted bookings of one host, hour after hour from `firstHour` on (now is 0), each with an attendee of its own. */
export async function addBookings(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  host: { readonly id: number },
  count: number,
  firstHour: number,
  of: { readonly eventTypeId?: number; readonly teamId?: number } = {},
): Promise<void> {
  // A statement has the time for this many.
  const most = 2000;
  for (let done = most; done < count; done += most)
    await addBookings({ database, clock }, host, Math.min(most, count - done), firstHour + done, of);
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  await database.db.execute(sql`
    with made as (
      insert into bookings (uid, ics_uid, event_type_id, team_id, title, status, starts_at, ends_at, attendee_name,
        attendee_email, attendee_time_zone, guests, responses, metadata, created_at, updated_at)
      select replace(gen_random_uuid()::text, '-', ''), gen_random_uuid(), ${of.eventTypeId ?? null}::int,
        ${of.teamId ?? null}::int, 'Talk', 'accepted', ${now} + make_interval(hours => ${firstHour}::int + n),
        ${now} + make_interval(hours => ${firstHour}::int + n, mins => 30), 'Dana',
        'dana-' || ${host.id}::int || '-' || ${firstHour}::int + n || '@example.com', 'Europe/Berlin', '{}', '{}', '{}', ${now}, ${now}
      from generate_series(0, ${Math.min(most, count)}::int - 1) n
      returning id, starts_at, ends_at, created_at)
    insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, holds, booked_at)
    select id, ${host.id}::int, starts_at, ends_at, 0, 0, true, created_at from made`);
}
