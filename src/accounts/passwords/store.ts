import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import type { Belonging, Ender } from '../../platform/belongings.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import { type Counted, takeOne } from '../../platform/limits/store.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { belongingsOf, type PartData } from '../../platform/parts.ts';
import type { Platform } from '../../platform/platform.ts';
import { endAllSessions } from '../sessions/store.ts';
import { emailVerifications, groups, memberships, users } from '../tables.ts';

/** Counts and commits without an email, too, so that an unknown address takes as long. */
export async function addResetEmail(db: Db, limit: Counted, email: RenderedEmail | undefined, now: Date) {
  await db.transaction(async (tx) => {
    const consumed = await takeOne(tx, limit, now);
    if (email !== undefined && consumed !== undefined) await addToOutbox(tx, [email], now);
  });
}

export interface PasswordChange {
  readonly userId: number;
  /** The address is that of the check. */
  readonly email: string;
  readonly formerHash: string;
  readonly newHash: string;
  /** An emailed link verifies the account's address (security C57). */
  readonly reset?: Reset;
}

interface Reset {
  readonly app: Pick<Platform, 'config' | 'parts'>;
  /** Keeps what gives others a hold; after a first proof, all except means to sign in. */
  readonly keepsAll: boolean;
}

/** Lists what a reset ends. Of a part that is off, it's told where the account has some of it. */
export async function listAtStake({ db, parts }: Pick<Platform, 'db' | 'parts'>, userId: number) {
  const found = parts.map(async ({ data, isOff }) => {
    if (data?.atReset === undefined || (isOff && !(await hasAny(db, data, userId)))) return [];
    return [data.atReset];
  });
  return (await Promise.all(found)).flat();
}

/** Lists the names of teams and organizations, which a stranger in the account may have joined. */
export async function listJoined(db: Db, userId: number): Promise<readonly string[]> {
  const found = await db
    .select({ name: groups.name })
    .from(memberships)
    .innerJoin(groups, eq(groups.id, memberships.groupId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(groups.name), asc(groups.id));
  return found.map(({ name }) => name);
}

async function hasAny(db: Db, { belongings = [] }: PartData, userId: number): Promise<boolean> {
  for (const { table, of, onReset } of belongings) {
    const isOwn = or(...of.map((column) => eq(column, userId)));
    if (onReset !== undefined && (await db.$count(table, isOwn)) > 0) return true;
  }
  return false;
}

/** Ends sessions and forgets browsers. Returns false if the password has changed meanwhile. */
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
      // protects: C201
      if (former?.verifiedAt === null)
        await endOnFirstProof(tx, app, userId, by, { ender: 'user', keepsAll });
      await forgetLink(tx, userId); // protects: C57
      if (!keepsAll)
        for (const { onReset } of belongingsOf(app.parts)) await onReset?.(tx, userId, by, 'user', app.parts); // protects: C204
    }
    await addToOutbox(tx, notices, by.at, { cause: `email:user:${userId}` }); // protects: C144
    return true;
  });
}

/** Only verification shows that no stranger has signed up. */
export async function hadToVerify(
  db: Db,
  { emailVerification }: Pick<Platform['config'], 'emailVerification'>,
  userId: number,
): Promise<boolean> {
  if (emailVerification === 'required') return true; // protects: C201
  // protects: C201
  const isSignUp = and(eq(emailVerifications.userId, userId), isNotNull(emailVerifications.browserHash));
  return (await db.$count(emailVerifications, isSignUp)) > 0;
}

/** Ends all means to sign in and, unless kept, all else where the address had to be verified. */
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

/** Ends `which` of what was there before the address was proven. */
export async function endOnProof(
  tx: Db,
  parts: Platform['parts'],
  userId: number,
  by: AuditContext,
  { ender, which }: { readonly ender: Ender; readonly which: (one: Belonging) => boolean },
): Promise<void> {
  for (const one of belongingsOf(parts).filter(which)) await one.onProof?.(tx, userId, by, ender, parts);
}

/** The link may lead to an address that another person chose. */
async function forgetLink(tx: Db, userId: number): Promise<void> {
  await tx.delete(emailVerifications).where(eq(emailVerifications.userId, userId));
}

/** Ends what the account's creator could use. Returns false for a missing account or an admin. */
export async function promoteToAdmin(
  app: Pick<Platform, 'db' | 'config' | 'grants' | 'parts'>,
  email: string,
  passwordHash: string,
  by: AuditContext,
): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const [promoted] = await tx
      .update(users)
      .set({ isAdmin: true, passwordHash, passwordResetAt: by.at })
      .where(and(eq(users.email, email), eq(users.isAdmin, false)))
      .returning({ id: users.id, verifiedAt: users.emailVerifiedAt });
    if (promoted === undefined) return false;
    const keepsAll = promoted.verifiedAt !== null; // protects: C201
    await endOnFirstProof(tx, app, promoted.id, by, { ender: 'admin', keepsAll });
    await recordAuditEvent(tx, by, { action: 'user.promoted', userId: promoted.id });
    await app.grants.revokeAll(tx, promoted.id, by);
    return true;
  });
}
