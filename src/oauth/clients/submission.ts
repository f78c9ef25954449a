import { maxOf, rateLimitOf } from '../../accounts/rate-limits/limits.ts';
import { listAdminEmails } from '../../accounts/store.ts';
import type { Db } from '../../platform/database.ts';
import { type Email, type RenderedEmail, renderEmail } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SubmissionLimits, TooMany } from './store.ts';

export type SubmissionCapabilities = Pick<Platform, 'db' | 'runtime' | 'secrets' | 'config' | 'mail'>;

/** Clients and edits together. */
const maxWaiting = 25;

export function limitsOf(ownerId: number, { secrets }: Pick<Platform, 'secrets'>): SubmissionLimits {
  return { maxWaiting, submission: rateLimitOf({ kind: 'submission', parts: [String(ownerId)] }, secrets) };
}

export const tooManyWords = {
  too_many_waiting: `Nothing was submitted: you already have ${maxWaiting} apps and changes in review. Try again when some have been reviewed.`,
  too_many_submissions: `Nothing was submitted: you can submit up to ${maxOf('submission')} apps and changes an hour. Try again later.`,
} as const satisfies Record<TooMany, string>;

export const statusOf = (problem: string): 409 | 429 => (problem === 'too_many_submissions' ? 429 : 409);

/** `db` may be a transaction. */
export async function emailAdmins(
  db: Db,
  email: Email,
  { runtime, secrets }: Pick<Platform, 'runtime' | 'secrets'>,
): Promise<readonly RenderedEmail[]> {
  const admins = await listAdminEmails(db);
  return admins.map((address) => renderEmail(email, address, { runtime, secrets }));
}
