import type { FinishingTime, LeavingPlatform } from '../../accounts/deletion/store.ts';
import type { CausedEmails } from '../../platform/mail/caused-emails.ts';
import { openCalendars } from '../calendars/open.ts';
import type { BookingPlatform } from './booking.ts';
import { releaseHosted } from './change.ts';
import { listUpcomingHosted, type ShownBooking } from './store.ts';

/** Each booking is a transaction, so an account gets few while someone waits. */
const limits = { atOnce: { bookings: 10, ms: 2000 }, inRun: { bookings: 50, ms: 5000 } } as const;

/** Other hosts' calendars can take long, so a run soon goes on with others (security C129). */
export async function releaseBookings(
  app: LeavingPlatform,
  userId: number,
  when: FinishingTime,
  signal?: AbortSignal,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const able = complete(app, opened);
  const started = app.runtime.now();
  const upcoming = await listUpcomingHosted(app.db, userId, started, limits[when].bookings);
  for (const hosted of upcoming) {
    // protects: C129
    if (signal?.aborted || app.runtime.now().getTime() - started.getTime() >= limits[when].ms) break;
    if (when === 'atOnce' && hosted.schedulingType === 'roundRobin') continue; // protects: C129
    await releaseHosted(able, hosted, (emails) => withoutHost(emails, hosted, userId));
  }
  if (upcoming.length > 0) app.mail.nudge();
}

/** A part that is off has opened nothing. Entries in calendars are written once it's back. */
function complete(app: LeavingPlatform, opened: AsyncDisposableStack): BookingPlatform {
  const { bookingEvents, config, db, languages, log, mail, parts, runtime, secrets } = app;
  const reading = { config, db, log, runtime, secrets, opened, options: {} };
  return {
    bookingEvents,
    config,
    db,
    languages,
    mail,
    parts,
    runtime,
    secrets,
    calendarEntries: app.calendarEntries ?? { nudge() {} },
    calendars: app.calendars ?? openCalendars(reading).calendars,
  };
}

/** They take turns with others' emails, and the runs above are their pace. */
function withoutHost(caused: CausedEmails, { hosts }: ShownBooking, userId: number): CausedEmails {
  const host = hosts.find(({ id }) => id === userId);
  const emails = caused.emails.filter(({ recipient }) => recipient !== host?.email);
  return { ...caused, emails, cause: { lane: `email:deleted:${userId}`, whose: [] } };
}
