import { and, eq, lt, or, sql } from 'drizzle-orm';
import { type Leaving, tellCount } from '../accounts/deletion/leaving.ts';
import { isOver } from '../accounts/deletion/store.ts';
import { users } from '../accounts/tables.ts';
import type { Db } from '../platform/database.ts';
import { batchRows, type Expired, type ExpiredOnWalk } from '../platform/retention/store.ts';
import type { Sentence } from '../platform/words.ts';
import { countUpcomingHosted, isUpcomingOf } from './standing.ts';
import { bookingHosts, bookings, calendars, eventTypes } from './tables.ts';

const hosting = sql`${bookingHosts} inner join ${bookings} on ${bookings.id} = ${bookingHosts.bookingId}`;

const isTheirsAlone = sql`${bookings.teamId} is null and not exists (
  select from ${bookingHosts} as others
  where others.booking_id = ${bookings.id} and others.user_id <> ${users.id}
)`;

const rest: Sentence =
  'Your past bookings are deleted after 30 days. Bookings of a team stay with the team, and bookings that you made with others stay with their hosts.';

/** Bookings of deleted accounts are cancelled, and deleted once their emails' links don't work. */
export const schedulingLeaving: Leaving = {
  async tell({ db, runtime }, userId) {
    const upcoming = await countUpcomingHosted(db, userId, runtime.now());
    const types = await db.$count(eventTypes, eq(eventTypes.userId, userId));
    const connected = await db.$count(calendars, eq(calendars.userId, userId));
    return [
      ...tellCount(
        '{count, plural, one {# upcoming booking that you host is} other {# upcoming bookings that you host are}} cancelled, or given to another host of a round-robin team. Attendees get an email; the next bookings come first.',
        upcoming,
      ),
      ...tellCount(
        '{count, plural, one {# event type} other {# event types}} and your booking pages no longer work.',
        types,
      ),
      ...tellCount(
        '{count, plural, one {# calendar is} other {# calendars are}} disconnected, with address and password deleted.',
        connected,
      ),
      ...((await isInBookings(db, userId)) ? [rest] : []),
    ];
  },
  async words(db, userId) {
    if (!(await isInBookings(db, userId))) return undefined;
    return {
      now: 'Upcoming bookings that you host are being cancelled, and attendees get an email.',
      later: 'Your past bookings are deleted after 30 days.',
    };
  },
  /** What changes bookings is loaded only where there are any, since the part may be off. */
  async finish(app, { userId }, when, signal) {
    if ((await countUpcomingHosted(app.db, userId, app.runtime.now())) === 0) return;
    const { releaseBookings } = await import('./bookings/release.ts');
    await releaseBookings(app, userId, when, signal);
  },
  needsName: (now) => sql`exists (select from ${bookingHosts} where ${isUpcomingOf(users.id, now)})`,
  keepsRow: sql`exists (
    select from ${hosting} where ${bookingHosts.userId} = ${users.id} and ${isTheirsAlone}
  )`,
};

/** The person hosted a booking, or made one with the address of the account. */
async function isInBookings(db: Db, userId: number): Promise<boolean> {
  const isHost = sql`exists (select from ${bookingHosts} where ${bookingHosts.userId} = ${users.id})`;
  const isAttendee = sql`exists (
    select from ${bookings} where lower(${bookings.attendeeEmail}) = ${users.email}
  )`;
  return (await db.$count(users, and(eq(users.id, userId), or(isHost, isAttendee)))) > 0;
}

/** Bookings stay as long as the links in emails about them work. */
export function bookingsOfDeletedAccounts(now: Date): Expired {
  const theirs = sql`select ${bookings.id} from ${users} inner join (${hosting})
    on ${bookingHosts.userId} = ${users.id}
    where ${isOver(now)} and ${isTheirsAlone} limit ${batchRows}`;
  return { table: bookings, isExpired: sql`${bookings.id} = any(array(${theirs}))` };
}

/** A walk finds these: an index by their end would make each booking dearer. */
export function pastBookings(days: number | undefined, now: Date): ExpiredOnWalk | undefined {
  if (days === undefined) return undefined;
  const before = new Date(now.getTime() - days * 86_400_000);
  return { table: bookings, key: bookings.id, isExpired: lt(bookings.endsAt, before) };
}
