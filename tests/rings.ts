/** What a contributor waits for: every rule, every surface, and of all else the one test that most changes would break. */
export const innerRing = [
  'tests/*.test.ts',
  'tests/{core,http,scheduling,races,platform,mail}/**/*.test.ts',
  // Each optional part does what it is for.
  'tests/*/main-job.test.ts',
  // Every page, and the document of every operation.
  'tests/whole/{pages,permissions,openapi}.test.ts',
  // Accounts, developer settings, review and consent; bookings; agents.
  'tests/flows/{story,booking,agent}.test.ts',
];

/** Files in those folders whose tests take more than a second each are in the outer ring, but for a few races. */
export const slow = [
  // Models of all that can happen to a grant, and servers that fail over.
  'tests/core/grant-model.test.ts',
  'tests/races/{grant-model,shortcut,failover}.test.ts',
  // Crowds, floods, and the largest that an account can be.
  'tests/http/{accounts-crowd,token-limits}.test.ts',
  'tests/mail/priorities.test.ts',
  'tests/scheduling/{change-limits,email-limits,slot-costs,largest-answers,list-costs}.test.ts',
  // Calendars that are away for days, or cost what a thread has.
  'tests/scheduling/{calendar-outages,readings}.test.ts',
  // Databases and servers of their own, started and ended.
  'tests/platform/{embedded-*,database-*,data-directory*,migrations,background-work}.test.ts',
];
