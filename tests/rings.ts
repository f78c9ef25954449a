/** What a contributor waits for: every folder of rules and surfaces, and one journey in a browser for each surface. */
export const innerRing = [
  'tests/*.test.ts',
  'tests/{core,http,scheduling,races,platform,mail,whole}/**/*.test.ts',
  // The optional parts.
  'tests/{webhooks,managed-users,mcp,passkeys,client-documents}/**/*.test.ts',
  // Accounts, developer settings, review and consent; bookings; agents.
  'tests/flows/{story,booking,agent}.test.ts',
];
