import { createHash } from 'node:crypto';
import { and, asc, eq, lt, ne, or, sql } from 'drizzle-orm';
import { lockUser } from '../accounts/store.ts';
import { passkeys, sessions } from '../accounts/tables.ts';
import type { AuditSentences } from '../platform/audit/actions.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import { type Belonging, deletedWith } from '../platform/belongings.ts';
import type { Db } from '../platform/database.ts';
import type { RenderedEmail } from '../platform/mail/email.ts';
import { addToOutbox } from '../platform/mail/store.ts';
import type { Runtime } from '../platform/runtime.ts';
import { recoveryCodes, spentChallenges } from './tables.ts';

export const passkeyAudit = {
  'passkey.added': 'A passkey was added',
  'passkey.renamed': 'A passkey was renamed',
  'passkey.refused': 'A passkey was refused because it may have been copied',
  'recovery_codes.created': 'Recovery codes were created',
  'recovery_code.used': 'A recovery code was used',
} as const satisfies AuditSentences;

type Notices = readonly RenderedEmail[];

export const maxPasskeys = 10;

export interface AnsweredChallenge {
  readonly challenge: string;
  readonly expiresAt: Date;
}

export type Passkey = typeof passkeys.$inferSelect;

export async function listPasskeys(db: Db, userId: number): Promise<readonly Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

const isOwn = (userId: number, id: string) => and(eq(passkeys.userId, userId), eq(passkeys.id, id));

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

export async function findPasskey(db: Db, id: string): Promise<Passkey | undefined> {
  const [found] = await db.select().from(passkeys).where(eq(passkeys.id, id));
  return found;
}

type NewPasskey = Omit<typeof passkeys.$inferInsert, 'createdAt'>;

/** Returns `first` if recovery codes were added, too. */
export async function addPasskey(
  db: Db,
  passkey: NewPasskey,
  answered: AnsweredChallenge,
  {
    sessionIdHash,
    codeHashes,
    notices,
  }: { readonly sessionIdHash: string; readonly codeHashes: readonly string[]; readonly notices: Notices },
  by: AuditContext,
) {
  return db.transaction(async (tx) => {
    await lockUser(tx, passkey.userId, sessionIdHash);
    const count = await tx.$count(passkeys, eq(passkeys.userId, passkey.userId));
    if (count >= maxPasskeys) return 'enough';
    if (!(await spendChallenge(tx, answered))) return 'refused';
    const added = await tx
      .insert(passkeys)
      .values({ ...passkey, createdAt: by.at })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (added.length === 0) return 'refused';
    await recordAuditEvent(tx, by, { action: 'passkey.added', objectId: passkey.id });
    if (count === 0) {
      await replaceCodes(tx, passkey.userId, codeHashes, by);
      // A thief may have begun the other sessions; this one has just made the passkey (security
      // C219).
      await tx
        .delete(sessions)
        // protects: C219
        .where(and(eq(sessions.userId, passkey.userId), ne(sessions.idHash, sessionIdHash)));
      await tx.update(sessions).set({ means: 'passkey' }).where(eq(sessions.idHash, sessionIdHash));
    }
    await addToOutbox(tx, notices, by.at);
    return count === 0 ? 'first' : 'added';
  });
}

async function spendChallenge(tx: Db, { challenge, expiresAt }: AnsweredChallenge): Promise<boolean> {
  const spent = await tx
    .insert(spentChallenges)
    .values({ challenge, expiresAt })
    .onConflictDoNothing()
    .returning({ challenge: spentChallenges.challenge });
  return spent.length > 0;
}

async function replaceCodes(tx: Db, userId: number, codeHashes: readonly string[], by: AuditContext) {
  await recordAuditEvent(tx, by, { action: 'recovery_codes.created' });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })));
}

/** Returns false without a passkey, which the codes stand in for. */
export async function replaceRecoveryCodes(
  db: Db,
  userId: number,
  codeHashes: readonly string[],
  notices: Notices,
  by: AuditContext,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) === 0) return false;
    await replaceCodes(tx, userId, codeHashes, by);
    await addToOutbox(tx, notices, by.at);
    return true;
  });
}

export async function removePasskey(db: Db, userId: number, id: string, notices: Notices, by: AuditContext) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const removed = await tx.delete(passkeys).where(isOwn(userId, id)).returning({ id: passkeys.id });
    if (removed.length === 0) return;
    await recordAuditEvent(tx, by, { action: 'passkey.removed', objectId: id });
    if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) === 0)
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await addToOutbox(tx, notices, by.at);
  });
}

export const passkeyBelongings: readonly Belonging[] = [
  { ...deletedWith(recoveryCodes.userId), isSignIn: true, isSecondFactor: true },
];

interface PasskeyUse extends AnsweredChallenge {
  readonly userId: number;
  readonly passkeyId: string;
  readonly counter: number;
}

/** A counter that doesn't rise is recorded, since there may be a copy (WebAuthn Level 3 §6.1.1). */
export async function usePasskey(
  tx: Db,
  { userId, passkeyId, counter, challenge, expiresAt }: PasskeyUse,
  by: AuditContext,
): Promise<'used' | 'refused' | 'copied'> {
  if (!(await spendChallenge(tx, { challenge, expiresAt }))) return 'refused'; // protects: C75
  const isHigher = or(
    lt(passkeys.counter, counter),
    and(eq(passkeys.counter, 0), eq(sql`${counter}::bigint`, 0)),
  );
  const used = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: by.at })
    .where(and(isOwn(userId, passkeyId), isHigher)) // protects: C75
    .returning({ id: passkeys.id });
  if (used.length > 0) return 'used';
  const copied = await tx
    .update(passkeys)
    .set({ copySuspectedAt: by.at })
    .where(isOwn(userId, passkeyId))
    .returning({ id: passkeys.id });
  if (copied.length === 0) return 'refused';
  await recordAuditEvent(tx, by, { action: 'passkey.refused', userId, objectId: passkeyId });
  return 'copied';
}

/** One conditional statement lets only one of several parallel uses count. */
export async function useRecoveryCode(
  tx: Db,
  userId: number,
  codeHash: string,
  notices: Notices,
  by: AuditContext,
): Promise<boolean> {
  const used = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash))) // protects: C76
    .returning({ userId: recoveryCodes.userId });
  if (used.length === 0) return false;
  await recordAuditEvent(tx, by, { action: 'recovery_code.used' });
  await addToOutbox(tx, notices, by.at);
  return true;
}

export const recoveryCodeCount = 10;
/** Crockford's base 32 has no letters that look like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** A stolen hash of 120 bits can't be guessed (OWASP ASVS 6.5.2). */
const codeLength = 24;

export function makeRecoveryCodes(runtime: Runtime) {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    [...runtime.randomBytes(codeLength)]
      .map((byte) => alphabet.charAt(byte % alphabet.length))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
  return { codes, codeHashes: codes.map(hashRecoveryCode) };
}

/** Blanks, dashes, case and letters that look like digits don't matter. */
export function hashRecoveryCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(code).digest('base64url');
}
