import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Ender } from '../../platform/belongings.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import { endOnProof, endOnReset } from '../../platform/endings.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { consumeOne, type RateLimit } from '../../platform/rate-limits/store.ts';
import { endAllSessions } from '../sessions/store.ts';
import type { RevokeGrants } from '../store.ts';
import { emailVerifications, users } from '../tables.ts';

/**
 * Without an email, for an unknown address, it's counted and committed too, so both take as long.
 */
export async function addResetEmail(
  db: Db,
  limit: RateLimit,
  email: RenderedEmail | undefined,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const consumed = await consumeOne(tx, limit, now);
    if (email !== undefined && consumed !== undefined) await addToOutbox(tx, [email], now);
  });
}

export interface PasswordChange {
  readonly userId: number;
  /** As it was when the password or the link was checked. */
  readonly email: string;
  readonly formerHash: string;
  readonly newHash: string;
  /** By a link that was emailed: the account's address is verified (security C57). */
  readonly reset?: Reset;
}

interface Reset {
  readonly app: Pick<Platform, 'config' | 'parts'>;
  /** What gives others a hold; after a first proof, all but what somebody signs in with. */
  readonly keepsAll: boolean;
}

/**
 * Ends the user's sessions, forgets their browsers and notifies them. False when the former
 * password isn't the stored one any more: of parallel changes one counts.
 */
export async function replacePassword(
  db: Db,
  { userId, email, formerHash, newHash, reset }: PasswordChange,
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<boolean> {
  const firstVerified = sql`coalesce(${users.emailVerifiedAt}, ${by.at.toISOString()}::timestamptz)`;
  return inTransaction(db, async (tx) => {
    const [former] = await tx
      .select({ verifiedAt: users.emailVerifiedAt })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update');
    const replaced = await tx
      .update(users)
      .set({
        passwordHash: newHash,
        ...(reset ? { emailVerifiedAt: firstVerified, passwordResetAt: by.at } : {}),
      })
      .where(and(eq(users.id, userId), eq(users.email, email), eq(users.passwordHash, formerHash)))
      .returning({ id: users.id });
    if (replaced.length === 0) return false;
    await endAllSessions(tx, userId);
    await recordAuditEvent(tx, by, { action: reset ? 'password.reset' : 'password.changed' });
    if (reset !== undefined) {
      const { app, keepsAll } = reset;
      if (former?.verifiedAt === null)
        await endOnFirstProof(tx, app, userId, by, { ender: 'user', keepsAll });
      await forgetLink(tx, userId);
      if (!keepsAll) await endOnReset(tx, app.parts, userId, by);
    }
    await addToOutbox(tx, notices, by.at, { cause: `email:user:${userId}` });
    return true;
  });
}

/** Whether a stranger may have signed up: elsewhere nobody had to show whose an address is. */
export async function hadToVerify(
  db: Db,
  { emailVerification }: Pick<Platform['config'], 'emailVerification'>,
  userId: number,
): Promise<boolean> {
  if (emailVerification === 'required') return true;
  const isSignUp = and(eq(emailVerifications.userId, userId), isNotNull(emailVerifications.browserHash));
  return (await db.$count(emailVerifications, isSignUp)) > 0;
}

/**
 * For an account that was never verified, before its link is forgotten: ends what somebody signs in
 * with, and all else where it had to be verified, unless the person keeps it. Elsewhere it's the
 * owner's work.
 */
export async function endOnFirstProof(
  tx: Db,
  { config, parts }: Pick<Platform, 'config' | 'parts'>,
  userId: number,
  by: AuditContext,
  { ender, keepsAll = false }: { readonly ender: Ender; readonly keepsAll?: boolean },
): Promise<void> {
  const endsAll = !keepsAll && (await hadToVerify(tx, config, userId));
  const which = ({ isSignIn = false }) => isSignIn || endsAll;
  await endOnProof(tx, parts, userId, by, { ender, which });
}

/** It may lead to an address that somebody else chose. */
async function forgetLink(tx: Db, userId: number): Promise<void> {
  await tx.delete(emailVerifications).where(eq(emailVerifications.userId, userId));
}

/**
 * Ends sessions and grants, removes passkeys and forgets browsers: the account's creator must not
 * stay signed in. False when there is no such account, or it's an admin already.
 */
export async function promoteToAdmin(
  app: Pick<Platform, 'db' | 'config' | 'parts'>,
  email: string,
  passwordHash: string,
  by: AuditContext,
  revokeGrants: RevokeGrants,
): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const [promoted] = await tx
      .update(users)
      .set({ isAdmin: true, passwordHash, passwordResetAt: by.at })
      .where(and(eq(users.email, email), eq(users.isAdmin, false)))
      .returning({ id: users.id, verifiedAt: users.emailVerifiedAt });
    if (promoted === undefined) return false;
    const keepsAll = promoted.verifiedAt !== null;
    await endOnFirstProof(tx, app, promoted.id, by, { ender: 'admin', keepsAll });
    await recordAuditEvent(tx, by, { action: 'user.promoted', userId: promoted.id });
    await revokeGrants(tx, promoted.id, by);
    return true;
  });
}
