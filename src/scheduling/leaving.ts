import { eq, lt, sql } from 'drizzle-orm';
import { type Leaving, tellCount, type UnfinishedDeletion } from '../accounts/deletion/leaving.ts';
import { isOver } from '../accounts/deletion/store.ts';
import { users } from '../accounts/tables.ts';
import type { CausedEmails } from '../platform/mail/budgets.ts';
import { BudgetSpent } from '../platform/rate-limits/budget.ts';
import { batchRows, type Expired, type ExpiredOnWalk } from '../platform/retention/store.ts';
import { emailCauses } from '../v2/limits.ts';
import { releaseHosted } from './bookings/change.ts';
import {
  countUpcomingHosted,
  isUpcomingOf,
  listUpcomingHosted,
  type ShownBooking,
} from './bookings/store.ts';
import { emailBudgets } from './limits.ts';
import { bookingHosts, bookings, calendars, eventTypes } from './tables.ts';

/** Each booking is a transaction, so an account gets few while someone waits. */
const limits = { atOnce: { bookings: 10, ms: 2000 }, inRun: { bookings: 50, ms: 5000 } } as const;
const hosting = sql`${bookingHosts} inner join ${bookings} on ${bookings.id} = ${bookingHosts.bookingId}`;

const isTheirsAlone = sql`${bookings.teamId} is null and not exists (
  select from ${bookingHosts} as others
  where others.booking_id = ${bookings.id} and others.user_id <> ${users.id}
)`;

/** Bookings of deleted accounts are cancelled, and deleted once their emails' links don't work. */
export const schedulingLeaving: Leaving = {
  async tell({ db, runtime }, userId) {
    const upcoming = await countUpcomingHosted(db, userId, runtime.now());
    const types = await db.$count(eventTypes, eq(eventTypes.userId, userId));
    const connected = await db.$count(calendars, eq(calendars.userId, userId));
    return [
      ...tellCount(
        upcoming,
        '1 upcoming booking that you host is',
        'upcoming bookings that you host are',
        'cancelled, or given to another host of a round-robin team. Attendees get an email; the next bookings come first.',
      ),
      ...tellCount(types, '1 event type', 'event types', 'and your booking pages no longer work.'),
      ...tellCount(
        connected,
        '1 calendar is',
        'calendars are',
        'disconnected, with address and password deleted.',
      ),
      'Your past bookings are deleted after 30 days. Bookings of a team stay with the team, and bookings that you made with others stay with their hosts.',
    ];
  },
  words: {
    now: 'Upcoming bookings that you host are being cancelled, and attendees get an email.',
    later: 'Your past bookings are deleted after 30 days.',
  },
  /** Other hosts' calendars can take long, so a run soon goes on with others (security C129). */
  async finish(app, { userId, managedBy }, when, signal) {
    const started = app.runtime.now();
    const upcoming = await listUpcomingHosted(app.db, userId, started, limits[when].bookings);
    try {
      for (const hosted of upcoming) {
        // protects: C129 (limits[when].ms → Infinity)
        if (signal?.aborted || app.runtime.now().getTime() - started.getTime() >= limits[when].ms) break;
        if (when === 'atOnce' && hosted.schedulingType === 'roundRobin') continue; // protects: C129
        await releaseHosted(app, hosted, (emails) => paced(emails, hosted, { userId, managedBy }));
      }
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    }
    if (upcoming.length > 0) app.mail.nudge();
  },
  needsName: (now) => sql`exists (select from ${bookingHosts} where ${isUpcomingOf(users.id, now)})`,
  keepsRow: sql`exists (
    select from ${hosting} where ${bookingHosts.userId} = ${users.id} and ${isTheirsAlone}
  )`,
};

function paced(
  caused: CausedEmails,
  { hosts }: ShownBooking,
  { userId, managedBy }: UnfinishedDeletion,
): CausedEmails {
  const ofAccount = { ...emailBudgets.deleted, id: userId };
  const host = hosts.find(({ id }) => id === userId);
  const emails = caused.emails
    .filter(({ recipient }) => recipient !== host?.email)
    // A full topic budget would drop emails, which wait here instead.
    .map((email) => ({ ...email, topicBudget: undefined }));
  return {
    ...caused,
    emails,
    // protects: C129 (without { ...emailCauses.client, id: managedBy },)
    cause: managedBy === null ? [ofAccount] : [{ ...emailCauses.client, id: managedBy }, ofAccount],
  };
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
