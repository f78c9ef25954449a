import { eq, sql } from 'drizzle-orm';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import { counted, letterTo, spendAll, takeOne } from '../../platform/limits/store.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Result } from '../../result.ts';
import { endOnProof } from '../passwords/store.ts';
import { withoutQuery } from '../sessions/addresses.ts';
import { isAuthorization } from '../sessions/return-to.ts';
import { endOtherSessions, type KeptBrowser } from '../sessions/store.ts';
import { findUser, lockUser, refusingTakenNames, type TakenName } from '../store.ts';
import { emailVerifications, users } from '../tables.ts';

const { userId: userIdColumn, browserHash, createdAt } = emailVerifications;
const unlessSignUp = sql`case when ${browserHash} is null then excluded.created_at else ${createdAt} end`;

type Row = typeof emailVerifications.$inferInsert;

/**
 * Keeps browser and time of a sign-up, which mark an account that was never verified. An app's
 * request lies in one row alone, behind the cookie of the browser where it began (security C227).
 */
export async function putVerification(tx: Db, { userId, ...values }: Omit<Row, 'createdAt'>, now: Date) {
  const { returnTo } = values;
  const place = isAuthorization(returnTo) ? withoutQuery(returnTo) : returnTo; // protects: C227
  const row = { ...values, returnTo: place, createdAt: now };
  await tx
    .insert(emailVerifications)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: userIdColumn, set: { ...row, createdAt: unlessSignUp } });
}

/** `formerEmail` is the account's present address, which the link verifies or changes. */
export async function findVerification(db: Db, hash: string) {
  const { userId, tokenHash, email, browserHash, returnTo } = emailVerifications;
  const [found] = await db
    .select({
      userId,
      tokenHash,
      email,
      browserHash,
      returnTo,
      formerEmail: users.email,
      verifiedAt: users.emailVerifiedAt,
    })
    .from(emailVerifications)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(tokenHash, hash));
  return found;
}

export type Verification = NonNullable<Awaited<ReturnType<typeof findVerification>>>;

interface Verifying {
  readonly parts: Platform['parts'];
  readonly notices: readonly RenderedEmail[];
  readonly kept: KeptBrowser;
}

/**
 * A first proof ends what came before it. Of an account older than this duty only other sessions
 * end.
 */
export async function verifyEmail(
  db: Db,
  { userId, email, formerEmail, tokenHash, browserHash, verifiedAt }: Verification,
  { parts, notices, kept }: Verifying,
  by: AuditContext,
): Promise<Result<boolean, TakenName>> {
  return refusingTakenNames(() =>
    inTransaction(db, async (tx) => {
      await lockUser(tx, userId);
      const used = await tx
        .delete(emailVerifications)
        .where(eq(emailVerifications.tokenHash, tokenHash))
        .returning({ userId: emailVerifications.userId });
      if (used.length === 0) return false; // protects: C57
      await tx.update(users).set({ email, emailVerifiedAt: by.at }).where(eq(users.id, userId));
      const action = email === formerEmail ? 'email.verified' : 'email.changed';
      await recordAuditEvent(tx, by, { action });
      // protects: C201
      if (verifiedAt === null) {
        await endOtherSessions(tx, userId, kept, by);
        const which = ({ isSignIn = false }) => !isSignIn;
        if (browserHash !== null) await endOnProof(tx, parts, userId, by, { ender: 'user', which });
      }
      await addToOutbox(tx, notices, by.at);
      return true;
    }),
  );
}

/** A taken address gets the same answer (security C71). */
export async function askToChangeEmail(
  db: Db,
  change: Pick<Row, 'userId' | 'email' | 'tokenHash' | 'returnTo'>,
  emails: Readonly<Record<'free' | 'taken', RenderedEmail>>,
  by: AuditContext,
): Promise<void> {
  const { userId, email } = change;
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await putVerification(tx, change, by.at);
    await recordAuditEvent(tx, by, { action: 'email.change_requested' });
    const holder = await findUser(tx, { email });
    await spendAll(tx, [counted('notable', ['email change', userId])], by.at);
    if ((await takeOne(tx, letterTo('verify', email), by.at)) === undefined) return;
    const message = holder === undefined ? emails.free : emails.taken;
    await addToOutbox(tx, [message], by.at, { cause: `email:user:${userId}` });
  });
}
