/** The names of all parts, as a tree without some of them still asks the core about each. */
export const scopeNames = [
  'PROFILE_READ',
  'PROFILE_WRITE',
  'EVENT_TYPE_READ',
  'EVENT_TYPE_WRITE',
  'BOOKING_READ',
  'BOOKING_WRITE',
  'SCHEDULE_READ',
  'SCHEDULE_WRITE',
  'WEBHOOK_READ',
  'WEBHOOK_WRITE',
] as const;
