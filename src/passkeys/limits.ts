import { databaseLimits, hour, minute } from '../platform/rate-limits/limit.ts';

export const passkeyLimits = databaseLimits({
  // An account's own browsers count apart, after its password.
  second_factor: [10, 15 * minute, 'an account and a browser', 'wrong passkeys and recovery codes'],
  // Each change sends an email.
  passkey_change: [20, hour, 'an account', 'passkeys added or removed, recovery codes replaced'],
});
