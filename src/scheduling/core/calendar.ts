/** What a user's calendar elsewhere is read by. */
export const calendarKinds = ['ics_feed', 'caldav'] as const;
