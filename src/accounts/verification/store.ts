import { and, eq } from 'drizzle-orm';
import { type AuditContext, recordAuditEvent } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Result } from '../../result.ts';
import { lockUser, refusingTakenNames } from '../store.ts';
import { emailVerifications, users } from '../tables.ts';

type Row = typeof emailVerifications.$inferInsert;

/** Room for the longest authorization request, and for no more. */
const maxReturnTo = 32_768;

/** Replaces the account's former link. Without `browserHash`, the former one's stays. */
export async function putVerification(
  tx: Pick<Db, 'insert'>,
  { userId, returnTo, ...values }: Omit<Row, 'createdAt'>,
  now: Date,
): Promise<void> {
  const row = { ...values, returnTo: returnTo.length > maxReturnTo ? '/' : returnTo, createdAt: now };
  await tx
    .insert(emailVerifications)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: emailVerifications.userId, set: row });
}

/** `formerEmail` is the account's address now, which the link verifies or changes. */
export async function findVerification(db: Db, tokenHash: string) {
  const { userId, email, browserHash, returnTo } = emailVerifications;
  const [found] = await db
    .select({ userId, email, browserHash, returnTo, formerEmail: users.email })
    .from(emailVerifications)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(emailVerifications.tokenHash, tokenHash));
  return found;
}

export type Verification = NonNullable<Awaited<ReturnType<typeof findVerification>>>;

/** Uses the link up. False when it was used or replaced; `email_taken`: someone else has it now. */
export async function verifyEmail(
  db: Db,
  { userId, email, formerEmail, tokenHash }: Verification & { readonly tokenHash: string },
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<Result<boolean, 'name_taken' | 'email_taken'>> {
  return refusingTakenNames(() =>
    db.transaction(async (tx) => {
      await lockUser(tx, userId);
      const used = await tx
        .delete(emailVerifications)
        .where(eq(emailVerifications.tokenHash, tokenHash))
        .returning({ userId: emailVerifications.userId });
      if (used.length === 0) return false;
      const verified = await tx
        .update(users)
        .set({ email, emailVerifiedAt: by.at })
        .where(and(eq(users.id, userId), eq(users.email, formerEmail)))
        .returning({ id: users.id });
      if (verified.length === 0) return false;
      const action = email === formerEmail ? 'email.verified' : 'email.changed';
      await recordAuditEvent(tx, by, { action });
      await addToOutbox(tx, notices, by.at);
      return true;
    }),
  );
}
