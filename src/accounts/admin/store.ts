import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { belongingsOf } from '../../platform/parts.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { endOnFirstProof, endOnProof } from '../passwords/store.ts';
import { endAllSessions } from '../sessions/store.ts';
import { findUser, hasPasskey, type User } from '../store.ts';
import { invitations, users } from '../tables.ts';

const { id, name, email, username, isAdmin, createdAt, suspendedAt, suspensionReason, deletedAt } = users;
const { emailVerifiedAt, language, lastLanguage } = users;
const when = { createdAt, suspendedAt, deletedAt, emailVerifiedAt };
const shown = { id, name, email, username, isAdmin, suspensionReason, language, lastLanguage, ...when };

/** Managed users belong to their client. */
const isOwnAccount = isNull(users.managingClientId);

/**
 * Lists accounts whose email address, username or name begins with `search`, by id from `after` on.
 */
export async function listAccounts(db: Db, search: string, after: number, limit: number) {
  const prefix = `${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const matches = or(
    sql`${email} like ${prefix}`,
    sql`${username} like ${prefix}`,
    sql`lower(${name}) like ${prefix}`,
  );
  return db
    .select(shown)
    .from(users)
    .where(and(isOwnAccount, gt(users.id, after), search === '' ? undefined : matches))
    .orderBy(asc(users.id))
    .limit(limit);
}

export async function findAccountById(db: Db, userId: number) {
  const isMeant = and(isOwnAccount, eq(id, userId));
  const [found] = await db.select(shown).from(users).where(isMeant);
  return found;
}

const maxCounted = 100;

/** Counts, up to a hundred of each, what an account has; an index finds each row. */
export async function countBelongings({ db, parts }: Pick<Platform, 'db' | 'parts'>, userId: number) {
  const counts = belongingsOf(parts).flatMap(({ table, of: [owner], counted }) => {
    if (counted === undefined || owner === undefined) return [];
    const isCounted = and(eq(owner, userId), counted.which);
    const some = db.select({ one: sql`1` }).from(table).where(isCounted).limit(maxCounted);
    return [db.$count(some.as('some')).then((count) => ({ words: counted.words, count }))];
  });
  return (await Promise.all(counts)).map(({ words, count }) => ({
    words,
    count: count < maxCounted ? String(count) : `${count} or more`,
  }));
}

export type ShownAccount = NonNullable<Awaited<ReturnType<typeof findAccountById>>>;

/** Finds managed users, too. */
export async function findShownPerson(db: Db, user: string): Promise<User | undefined> {
  return findUser(db, /^[1-9]\d{0,8}$/.test(user) ? { id: Number(user) } : { email: user.toLowerCase() });
}

export type SuspensionRefusal = 'not_found' | 'own_account' | 'last_admin' | 'already_so' | 'no_admin';

/** Ends what the account and its apps have (contract §1, security C72). One admin always stays. */
export async function suspendAccount(
  app: Pick<Platform, 'db' | 'grants'>,
  userId: number,
  reason: string,
  notice: RenderedEmail,
  by: AuditContext,
): Promise<Result<void, SuspensionRefusal>> {
  return inTransaction(app.db, async (tx) => {
    const locked = await lockForAdmin(tx, userId, by);
    if (!locked.ok) return locked;
    if (userId === by.actorId) return refuse('own_account');
    if (locked.value.suspendedAt !== null) return refuse('already_so');
    if (locked.value.isOnlyAdmin) return refuse('last_admin');
    const suspended = { suspendedAt: by.at, suspensionReason: reason };
    await tx.update(users).set(suspended).where(eq(users.id, userId));
    await recordAuditEvent(tx, by, { action: 'user.suspended', userId, reason });
    await endAllSessions(tx, userId);
    await tx.delete(invitations).where(eq(invitations.inviterId, userId));
    await app.grants.endAccount(tx, userId, reason, by);
    await addToOutbox(tx, [notice], by.at);
    return ok(undefined);
  });
}

/** Restores an account, whose apps and grants stay ended. */
export async function restoreAccount(
  db: Db,
  userId: number,
  notice: RenderedEmail,
  by: AuditContext,
): Promise<Result<void, SuspensionRefusal>> {
  return db.transaction(async (tx) => {
    const locked = await lockForAdmin(tx, userId, by);
    if (!locked.ok) return locked;
    if (locked.value.suspendedAt === null) return refuse('already_so');
    if (locked.value.deletedAt !== null) return refuse('not_found');
    const restored = { suspendedAt: null, suspensionReason: null };
    await tx.update(users).set(restored).where(eq(users.id, userId));
    await recordAuditEvent(tx, by, { action: 'user.restored', userId });
    await addToOutbox(tx, [notice], by.at);
    return ok(undefined);
  });
}

/**
 * Ends all sessions, since nobody verified the address. Returns false for admins and ended
 * accounts.
 */
export async function promoteAccount(
  app: Pick<Platform, 'db' | 'config' | 'parts'>,
  userId: number,
  by: AuditContext,
): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    if (!(await lockForAdmin(tx, userId, by)).ok) return false; // protects: C391
    const [promoted] = await tx
      .update(users)
      .set({ isAdmin: true })
      .where(and(isOwnAccount, eq(users.id, userId), eq(users.isAdmin, false), isNull(users.suspendedAt)))
      .returning({ verifiedAt: users.emailVerifiedAt });
    if (promoted === undefined) return false;
    await endAllSessions(tx, userId);
    // protects: C201
    if (promoted.verifiedAt === null) await endOnFirstProof(tx, app, userId, by, { ender: 'admin' });
    await recordAuditEvent(tx, by, { action: 'user.promoted', userId });
    return true;
  });
}

/** Ends all sessions, too: one that began with the password alone may be a thief's. */
export async function removePasskeys(
  app: Pick<Platform, 'db' | 'parts'>,
  userId: number,
  notices: readonly RenderedEmail[],
  by: AuditContext,
): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const locked = await lockForAdmin(tx, userId, by);
    if (!locked.ok || !(await hasPasskey(tx, userId))) return false;
    const which = ({ isSecondFactor = false }) => isSecondFactor;
    await endOnProof(tx, app.parts, userId, by, { ender: 'admin', which });
    await endAllSessions(tx, userId); // protects: C250
    await addToOutbox(tx, notices, by.at);
    return true;
  });
}

/** Locks all active admins too, so that two who suspend each other do so one after the other. */
async function lockForAdmin(tx: Db, userId: number, { actorId }: AuditContext) {
  const isActiveAdmin = and(eq(users.isAdmin, true), isNull(users.suspendedAt));
  const rows = await tx
    .select(shown)
    .from(users)
    .where(and(isOwnAccount, or(eq(users.id, userId), isActiveAdmin)))
    .orderBy(asc(users.id))
    .for('no key update');
  // Without an actor, the operator of the service acts.
  const actor = rows.find(({ id }) => id === actorId);
  if (actorId !== null && (actor === undefined || !actor.isAdmin || actor.suspendedAt !== null))
    return refuse('no_admin');
  const target = rows.find(({ id }) => id === userId);
  if (target === undefined) return refuse('not_found');
  return ok({ ...target, isOnlyAdmin: target.isAdmin && rows.length === 1 });
}
