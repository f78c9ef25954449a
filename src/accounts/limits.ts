import { databaseLimits, day, hour, memoryLimits, minute } from '../platform/rate-limits/limit.ts';

const quarterHour = 15 * minute;
const noneIsSent = { past: 'then none is sent' };
const ignored = { past: 'then nothing is done' };

export const accountLimits = databaseLimits({
  // Browsers that the account knows have a limit each (OWASP, device cookies).
  account: [10, quarterHour, 'an account', 'failed sign-ins from unknown browsers'], // protects: C48
  device: [10, quarterHour, 'an account', 'failed sign-ins from one of its own browsers'],
  address: [100, quarterHour, 'a network', 'failed sign-ins'],
  // Each sign-in costs a password hash, and so does a sign-up.
  sign_in: [30, quarterHour, 'an account', 'sign-ins from unknown browsers; its own; by passkey'],
  sign_up: [50, hour, 'a network', 'new accounts, and tries'],
  sign_up_form: [1, minute, 'an address and a name', 'sign-ups; a form sent twice is one', ignored],
  verification_letter: [3, hour, 'an address', 'emails because someone enters it as theirs', noneIsSent],
  verification_request: [5, hour, 'an account', 'links to verify its address, or a new one'],
  // Nobody should try out passwords in an open session.
  // protects: C144
  password_change: [10, quarterHour, 'an account', 'tries to change the password, right ones included'],
  data_export: [5, day, 'an account', 'downloads of its data'],
  reset_request: [60, quarterHour, 'a network', 'requests to reset a password'],
  // A link works as long, so a flooded mailbox still has an email whose link works.
  reset_letter: [3, 2 * quarterHour, 'an address', 'emails to reset a password', noneIsSent],
});

/** One limit covers whatever people open (security C217). */
export const pageLimits = memoryLimits({
  ofSession: ['pages', 600, 'a session; signed out, a network', 'pages and forms'],
});

/** A person's sessions share twice the limit of one, so a thief's session leaves some to others. */
export const personShare = 2;
