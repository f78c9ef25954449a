import type { Differences } from '../v2/differences.ts';

const eventTypes = {
  refused: {
    'bookingWindow.rolling': ['The days are counted from today, whether they have free slots or not.'],
    bookerActiveBookingsLimit: ['The bookings of one person can’t be limited.'],
    bookingLimitsCount: ['The number of bookings can’t be limited.'],
    bookingLimitsDuration: ['The minutes of bookings can’t be limited.'],
    customName: ['Bookings are named after the event type, the hosts and the attendee.'],
    destinationCalendar: ['An event type has no calendar of its own.'],
    disableCancelling: ['Bookings can always be cancelled.'],
    disableRescheduling: ['Bookings can always be rescheduled.'],
    hideCalendarEventDetails: ['Hosts’ calendar entries show the details.'],
    hideCalendarNotes: ['Hosts’ calendar entries show the attendee’s notes.'],
    offsetStart: ['Slots start with the working hours.'],
    onlyShowFirstAvailableSlot: ['All free slots of a day are offered.'],
    recurrence: ['Bookings don’t repeat.'],
    seats: ['A slot is for one attendee, who can add guests.'],
    successRedirectUrl: ['Booking pages don’t redirect.'],
    useDestinationCalendarEmail: ['The organizer’s address is that of the service.'],
  },
  ignored: {
    bookerLayouts: 'booking pages have one layout',
    calVideoSettings: 'there is no Cal Video',
    color: 'pages don’t show it',
    hideOrganizerEmail: 'attendees never see hosts’ addresses',
    lockTimeZoneToggleOnBookingPage: 'it concerns the page alone',
  },
} as const satisfies Differences;

const teamEventTypes = {
  refused: {
    ...eventTypes.refused,
    assignAllTeamMembers: ['List the `hosts`.'],
    'hosts.mandatory': ['Round robins have no fixed hosts.'],
    'hosts.priority': ['Hosts take turns.', 'medium'],
    'hosts.weight': ['Hosts take turns.', 100],
  },
  ignored: eventTypes.ignored,
} as const satisfies Differences;

const managedUsers = {
  refused: { metadata: ['No metadata is stored with users.'] },
  ignored: {
    avatarUrl: 'pages show no pictures',
    bio: 'pages don’t show it',
    locale: 'emails and pages are in English',
  },
} as const satisfies Differences;

/** Refusals, the reference and docs/cal-com.md come from this table (contract §8). */
export const calComDifferences: Readonly<Record<string, Differences>> = {
  createEventType: eventTypes,
  createTeamEventType: {
    ...teamEventTypes,
    refused: { ...teamEventTypes.refused, scheduleId: ['Hosts go by schedules of their own.'] },
  },
  updateEventType: teamEventTypes,
  updateTeamEventType: teamEventTypes,
  listBookings: {
    refused: {
      userIds: ['Only the bookings of the token’s user or team are listed.'],
    },
  },
  createBooking: {
    refused: {
      organizationSlug: ['Names of users and teams are unique without it.'],
      instant: ['There are no instant meetings.'],
      recurrenceCount: ['Bookings don’t repeat.'],
    },
  },
  cancelBooking: {
    refused: {
      cancelSubsequentBookings: ['Bookings don’t repeat.'],
      seatUid: ['Bookings have no seats.'],
    },
  },
  rescheduleBooking: {
    refused: { seatUid: ['Bookings have no seats.'] },
    ignored: { rescheduledBy: 'the token says who reschedules' },
  },
  createManagedUser: managedUsers,
  updateManagedUser: managedUsers,
  disconnectCalendar: { ignored: { id: 'the path names the calendar' } },
  updateDestinationCalendar: {
    refused: { delegationCredentialId: ['Calendars are connected by their owners alone.'] },
  },
};
