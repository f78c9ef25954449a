import type { Differences } from '../v2/differences.ts';

const eventTypes = {
  refused: {
    allowReschedulingCancelledBookings: ['A cancelled booking stays cancelled.'],
    allowReschedulingPastBookings: ['A booking that has ended can’t be rescheduled.'],
    bookingRequiresAuthentication: ['Everybody can book; `hidden` keeps an event type out of lists.'],
    bookerActiveBookingsLimit: ['The bookings of one person can’t be limited.'],
    'bookingLimitsCount.week': ['The bookings of a day can be limited, not those of a week.'],
    'bookingLimitsCount.month': ['The bookings of a day can be limited, not those of a month.'],
    'bookingLimitsCount.year': ['The bookings of a day can be limited, not those of a year.'],
    bookingLimitsDuration: ['The minutes of bookings can’t be limited.'],
    requiresBookerEmailVerification: ['Attendees’ addresses aren’t verified: the confirmation goes there.'],
    'confirmationPolicy.blockUnconfirmedBookingsInBooker': [
      'A booking that waits for confirmation always holds its time.',
      true,
    ],
    customName: ['Bookings are named after the event type, the hosts and the attendee.'],
    destinationCalendar: ['An event type has no calendar of its own.'],
    'disableCancelling.disabled': ['Bookings can always be cancelled.'],
    'disableRescheduling.disabled': ['Bookings can always be rescheduled.'],
    'disableRescheduling.minutesBefore': ['Bookings can always be rescheduled.'],
    hideCalendarEventDetails: ['Hosts’ calendar entries show the details.'],
    hideCalendarNotes: ['Hosts’ calendar entries show the attendee’s notes.'],
    offsetStart: ['Slots start with the working hours.'],
    onlyShowFirstAvailableSlot: ['All free slots of a day are offered.'],
    recurrence: ['Bookings don’t repeat.'],
    seats: ['A slot is for one attendee, who can add guests.'],
    seatsPerTimeSlot: ['A slot is for one attendee, who can add guests.'],
    showOptimizedSlots: ['All free slots of a day are offered.'],
    successRedirectUrl: ['Booking pages don’t redirect.'],
    useDestinationCalendarEmail: ['The organizer’s address is that of the service.'],
  },
  renamed: { length: 'lengthInMinutes' },
} as const satisfies Differences;

const teamEventTypes = {
  ...eventTypes,
  refused: {
    ...eventTypes.refused,
    assignAllTeamMembers: ['List the `hosts`.'],
    'emailSettings.disableStandardEmailsToAttendees': ['Attendees always get emails.'],
    'emailSettings.disableStandardEmailsToHosts': ['Hosts always get emails.'],
    'hosts.mandatory': ['Round robins have no fixed hosts.'],
    'hosts.priority': ['Hosts take turns.', 'medium'],
    'hosts.weight': ['Hosts take turns.', 100],
    rescheduleWithSameRoundRobinHost: ['A new time is for the host whose turn it is.'],
    rrHostSubsetEnabled: ['All hosts take turns.'],
  },
} as const satisfies Differences;

const times = {
  allowBookingOutOfBounds: ['Only free slots can be booked.'],
  allowConflicts: ['Only free slots can be booked.'],
  skipBookingLimits: ['Only free slots can be booked.'],
} as const;
const routing = {
  routedTeamMemberIds: ['There are no routing forms.'],
  routingFormResponseId: ['There are no routing forms.'],
  rrHostSubsetIds: ['Hosts take turns.'],
  teamMemberEmail: ['Hosts take turns.'],
} as const;
const slots = {
  refused: {
    ...routing,
    _bypassCalendarBusyTimes: ['Calendars always count.', 'false', '0'],
  },
  renamed: { orgSlug: 'organizationSlug', rescheduleUid: 'bookingUidToReschedule' },
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
      ...times,
      ...routing,
      _isDryRun: ['A request books.'],
      bookingUid: ['Bookings have no seats.'],
      hasHashedBookingLink: ['There are no private links.'],
      hashedLink: ['There are no private links.'],
      orgSlug: ['Names of users and teams are unique without it.'],
      rescheduleUid: ['Use `POST /v2/bookings/{uid}/reschedule`.'],
      reroutingFormResponses: ['There are no routing forms.'],
      routing: ['There are no routing forms.'],
      seatReferenceUid: ['Bookings have no seats.'],
    },
    renamed: {
      end: 'lengthInMinutes',
      language: 'attendee.language',
      locationUrl: 'location',
      responses: 'bookingFieldsResponses',
      timeZone: 'attendee.timeZone',
      user: 'username',
    },
  },
  cancelBooking: {
    refused: {
      allRemainingBookings: ['Bookings don’t repeat.'],
      cancelSubsequentBookings: ['Bookings don’t repeat.'],
      seatReferenceUid: ['Bookings have no seats.'],
      seatUid: ['Bookings have no seats.'],
    },
  },
  rescheduleBooking: {
    refused: {
      ...times,
      rescheduleWithSameHost: ['A new time is for the host whose turn it is.'],
      rrHostSubsetIds: ['Hosts take turns.'],
      seatUid: ['Bookings have no seats.'],
    },
  },
  createSchedule: { renamed: { availabilities: 'availability' } },
  updateSchedule: { renamed: { dateOverrides: 'overrides', schedule: 'availability' } },
  listSlots: slots,
  listAvailableSlots: slots,
  listTeamSchedules: { refused: { eventTypeId: ['The schedules of all members are listed.'] } },
  listTeamMemberships: { refused: { emails: ['All members are listed.'] } },
  updateDestinationCalendar: {
    refused: { delegationCredentialId: ['Calendars are connected by their owners alone.'] },
  },
};
