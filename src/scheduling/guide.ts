import type { GuideChapter } from '../api/openapi/guide.ts';

export const schedulingGuide: readonly GuideChapter[] = [
  {
    place: 0,
    text: () => 'Manage event types, schedules, bookings and free slots for the users who connect your app.',
  },
  {
    place: 9,
    text: ({ apiUrl }) => `## Try a call without a token

List the free slots of an event type. Its ID is in the answer of \`GET /v2/event-types?username=…\`, which needs no token either:

\`\`\`sh
curl '${apiUrl}/v2/slots?eventTypeId=YOUR_EVENT_TYPE_ID&start=2030-01-07&end=2030-01-14'
\`\`\``,
  },
  {
    place: 31,
    text: () =>
      `\`GET /v2/slots/available\` is the list of slots up to \`2024-08-13\`; with \`2024-09-04\` it isn’t found.`,
  },
  {
    place: 41,
    text: () => 'For a slot, 409 says that it was taken. A 502 names a calendar that can’t be read.',
  },
  {
    place: 60,
    text: ({ apiUrl }) => `## Attendees without an account

The answer to a booking has \`links\` to the attendee’s private pages, and a \`bookingToken\`. With it, and without an access token, your program gets, cancels and reschedules that booking for its attendee:

\`\`\`sh
curl -X POST '${apiUrl}/v2/bookings/THE_UID/cancel' -H 'x-booking-token: THE_BOOKING_TOKEN' \\
  -H 'Content-Type: application/json' -d '{"cancellationReason": "I am ill."}'
\`\`\`

Keep it like a password: send it in this header alone, because addresses end up in logs. It is also the last part of the link in the attendee’s emails. A wrong one is answered with 404. Rescheduling returns a new booking with a token of its own.`,
  },
  {
    place: 70,
    text: () => `## Idempotent requests

When you create a booking, send an \`Idempotency-Key\` of your choice. If the response gets lost, retry the same request with the same key within 24 hours: the slot is booked once, and you get the current state of that booking; without an access token, a retry gets no \`links\` and no \`bookingToken\`. The same key with a different request is rejected with 409.`,
  },
  { place: 81, text: () => 'Long ranges of slots with many hosts count as several requests.' },
];
