import type { PartData } from '../platform/parts.ts';
import { pastLife } from '../platform/retention/store.ts';
import {
  bookingBelongings,
  bookingsAsGuest,
  bookingsLeaving,
  bookingsOfDeletedAccounts,
  pastBookings,
} from './bookings/store.ts';
import { calendarAudit, calendarBelongings } from './calendars/store.ts';
import { eventTypeBelongings } from './event-types/store.ts';
import { scheduleBelongings } from './schedules/store.ts';
import { countUpcomingHosted } from './standing.ts';
import * as tables from './tables.ts';

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof calendarAudit, unknown> {}
}

const { calendarEntries, calendars, idempotencyKeys, slotReservations } = tables;

export const schedulingData = {
  tables: [tables],
  belongings: [...scheduleBelongings, ...eventTypeBelongings, ...calendarBelongings, ...bookingBelongings],
  atReset: {
    kept: 'the chosen calendar',
    ended: 'bookings are no longer written to a calendar',
    unproven: 'calendars',
  },
  leaving: {
    ...bookingsLeaving,
    /** What changes bookings is loaded only where there are any, since the part may be off. */
    async finish(app, userId, when, signal) {
      if ((await countUpcomingHosted(app.db, userId, app.runtime.now())) === 0) return;
      const { releaseBookings } = await import('./bookings/release.ts');
      await releaseBookings(app, userId, when, signal);
    },
  },
  expired: [
    pastLife(slotReservations.expiresAt),
    pastLife(idempotencyKeys.createdAt, 1),
    bookingsOfDeletedAccounts,
  ],
  walked: [({ config }, now) => pastBookings(config.bookingRetentionDays, now)],
  encrypted: [
    { column: calendars.encryptedAccess, key: calendars.id, purpose: 'calendar' },
    { column: calendars.encryptedDestination, key: calendars.id, purpose: 'calendar-destination' },
    {
      column: calendarEntries.encryptedCollection,
      key: calendarEntries.calendarId,
      purpose: 'calendar-destination',
    },
  ],
  searched: bookingsAsGuest,
  auditSentences: calendarAudit,
} as const satisfies PartData;
