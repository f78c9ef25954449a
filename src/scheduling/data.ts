import type { PartData } from '../part.ts';
import { pastLife } from '../platform/retention/store.ts';
import { auditSentences } from './audit-sentences.ts';
import { bookingsAsGuest, schedulingBelongings } from './belongings.ts';
import { bookingsOfDeletedAccounts, pastBookings, schedulingLeaving } from './leaving.ts';
import * as tables from './tables.ts';

const { calendarEntries, calendars, idempotencyKeys, slotReservations } = tables;

export const schedulingData = {
  tables: [tables],
  belongings: schedulingBelongings,
  atReset: {
    kept: 'the chosen calendar',
    ended: 'bookings are no longer written to a calendar',
    unproven: 'calendars',
  },
  leaving: schedulingLeaving,
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
  auditSentences,
} as const satisfies PartData;
