import { databaseLimits, hour, memoryLimits } from '../platform/rate-limits/limit.ts';

export const personalTokenLimits = databaseLimits({
  // Each sends an email.
  personal_token: [10, hour, 'an account', 'personal tokens made'],
});

export const unknownTokenLimits = memoryLimits({
  // Each takes a look into the database.
  unknownTokens: ['unknown_personal_tokens', 60, 'a network', 'unknown personal tokens'],
});
