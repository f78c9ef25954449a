/** What a contributor waits for: every folder of rules and surfaces, and one journey in a browser for each surface. */
export const innerRing = [
  'tests/*.test.ts',
  'tests/{core,http,scheduling,races,platform,mail,whole}/**/*.test.ts',
  // The optional parts.
  'tests/{webhooks,managed-users,mcp,openid,languages,passkeys,personal-tokens,client-documents}/**/*.test.ts',
  // Accounts, developer settings, review and consent; bookings; agents.
  'tests/flows/{story,booking,agent}.test.ts',
];

/** Tests in those folders that take many seconds for one sentence are in the outer ring. */
export const slow = [
  // Models of all that can happen to a grant, and servers that fail over.
  'tests/core/grant-model.test.ts',
  'tests/races/{grant-model,shortcut,failover}.test.ts',
  // Crowds, floods, and the largest that an account can be.
  'tests/http/accounts-crowd.test.ts',
  'tests/scheduling/{change-limits,email-limits,slot-costs,largest-answers}.test.ts',
  'tests/webhooks/queue.test.ts',
  'tests/whole/{plans-at-size,read-costs,value-costs}.test.ts',
  // Databases and servers of their own, started and ended.
  'tests/platform/{embedded-database,database-*,data-directory*}.test.ts',
  'tests/whole/backup.test.ts',
];
