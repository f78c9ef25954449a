import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { AuditSentences } from '../platform/audit/actions.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { recordAuditEvent, recordAuditEvents } from '../platform/audit/store.ts';
import { type Belonging, deletedWith, type End, rowsOf } from '../platform/belongings.ts';
import { type Db, uniqueViolationOf } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { prepared } from '../platform/prepared.ts';
import { ok, type Result, refuse } from '../result.ts';
import type { GroupKind } from './person.ts';
import { devices, emailVerifications, formerNames, groups, passkeys, sessions, users } from './tables.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly grants: {
      revokeForTeam(tx: Db, userId: number | 'all', teamId: number, by: AuditContext): Promise<void>;
      revokeAll(tx: Db, userId: number, by: AuditContext): Promise<void>;
      /** Ends the account's grants and, with the reason, its apps. */
      endAccount(tx: Db, userId: number, reason: string, by: AuditContext): Promise<void>;
    };
  }
  interface OptionalCapabilities {
    readonly makeBookable: MakeBookable;
  }
}

export const accountAudit = {
  'user.created': ['Their account was created', 'Your account was created'],
  'user.promoted': ['Their account was made an admin', 'Your account was made an admin'],
  'username.changed': ['Their username was changed', 'Your username was changed'],
  'passkey.removed': 'A passkey was removed',
  'user.deleted': ['Their account was deleted', 'Your account was deleted'],
  'user.suspended': ['Suspended an account', 'Your account was suspended', 'You suspended an account'],
  'user.restored': ['Restored an account', 'Your account was restored', 'You restored an account'],
  'email.verified': ['Their email address was verified', 'Your email address was verified'],
  'email.change_requested': ['Asked to change their email', 'A change of your email address was requested'],
  'email.changed': ['Their email address was changed', 'Your email address was changed'],
  'password.changed': ['Their password was changed', 'Your password was changed'],
  'password.reset': ['Their password was reset by email', 'Your password was reset by email'],
} as const satisfies AuditSentences;

type NewRow = typeof users.$inferInsert;

export type NewUser = Pick<User, 'email' | 'username' | 'name' | 'passwordHash' | 'timeZone' | 'weekStart'> &
  Pick<NewRow, 'timeFormat' | 'dateLocale' | 'lastLanguage' | 'isAdmin' | 'emailVerifiedAt'>;

/** Gives a new account working hours and an event type, in the same transaction. */
export type MakeBookable = (
  tx: Db,
  user: { readonly id: number; readonly timeZone: string },
  now: Date,
) => Promise<void>;

interface AccountOptions {
  readonly makeBookable?: MakeBookable | undefined;
  readonly isFirstAdmin?: boolean;
}

/** The database decides whether email and username are free. */
export async function createUser(
  db: Db,
  user: NewUser,
  by: AuditContext,
  { makeBookable, isFirstAdmin = false }: AccountOptions = {},
): Promise<Result<{ readonly id: number }, TakenName>> {
  return refusingTakenNames(() =>
    db.transaction(async (tx) => {
      // The lock lets only one of several accounts be the first.
      if (isFirstAdmin) await tx.execute(sql`lock table ${users} in share row exclusive mode`);
      const first = isFirstAdmin ? { isAdmin: sql`not exists (select from ${users})` } : {};
      const [row] = await tx
        .insert(users)
        .values({ ...user, ...first, createdAt: by.at })
        .returning({ id: users.id, isAdmin: users.isAdmin });
      if (row === undefined) throw new Error('the account was not created');
      if (user.username !== null) await refuseKeptName(tx, { kind: 'user', ...row }, user.username, by.at);
      await makeBookable?.(tx, { ...user, ...row }, by.at);
      await recordAuditEvent(tx, by, { action: 'user.created', userId: row.id });
      if (isFirstAdmin && row.isAdmin)
        await recordAuditEvent(tx, by, { action: 'user.promoted', userId: row.id });
      return row;
    }),
  );
}

/** Finds what the first copy of a form created that is sent twice. */
export async function wasUserCreated(db: Db, { email, name }: Pick<NewUser, 'email' | 'name'>, since: Date) {
  const isTwin = and(eq(users.email, email), eq(users.name, name), gte(users.createdAt, since));
  return (await db.$count(users, isTwin)) > 0;
}

export type User = typeof users.$inferSelect;

const { name, username, timeZone, weekStart, timeFormat, dateLocale, language, lastLanguage } = users;
/** How a person reads dates, times and words. */
export const readerColumns = { timeZone, timeFormat, dateLocale, language, lastLanguage };

/** Finds managed users, too. */
export async function findUser(
  db: Db,
  of: { readonly email: string } | { readonly id: number },
): Promise<User | undefined> {
  const isMeant = 'id' in of ? eq(users.id, of.id) : eq(users.email, of.email);
  const [found] = await db.select().from(users).where(isMeant);
  return found;
}

/** Finds accounts that people sign in to, so no managed users. */
export async function findAccount(db: Db, email: string): Promise<User | undefined> {
  const user = await findUser(db, { email });
  return user?.managingClientId === null ? user : undefined;
}

/**
 * Hides other users like missing ones (security C57, C72). Managed users have no mailbox to verify.
 */
export function isBookable({
  emailVerification,
}: Pick<Platform['config'], 'emailVerification'>): SQL | undefined {
  const isVerified = or(isNotNull(users.emailVerifiedAt), isNotNull(users.managingClientId));
  // protects: C57
  return and(isNull(users.suspendedAt), emailVerification === 'off' ? undefined : isVerified);
}

export interface Managed {
  readonly clientId: string;
  readonly userId: number;
}

export function isManaged({ clientId, userId }: Managed): SQL | undefined {
  return and(eq(users.id, userId), isManagedBy(clientId));
}

export function isManagedBy(clientId: string): SQL | undefined {
  return and(eq(users.managingClientId, clientId), isNull(users.deletedAt));
}

export async function countManagedBy(db: Db, clientId: string): Promise<number> {
  return db.$count(users, isManagedBy(clientId));
}

export async function markVerified(db: Db, email: string, now: Date): Promise<void> {
  const isUnverified = and(eq(users.email, email), isNull(users.emailVerifiedAt));
  await db.update(users).set({ emailVerifiedAt: now }).where(isUnverified);
}

/**
 * Throws SessionEnded: no request outlives its account or, where given, its session (security C72,
 * C57).
 */
export async function lockUser(tx: Db, userId: number, sessionIdHash?: string): Promise<void> {
  const [[user], [session]] = await Promise.all([
    lockedUsers(tx).execute({ userId }),
    sessionIdHash === undefined ? [userId] : ownSessions(tx).execute({ sessionIdHash, userId }),
  ]);
  if (user !== undefined && user.suspendedAt !== null) throw new SessionEnded(); // protects: C72
  if (session === undefined) throw new SessionEnded(); // protects: C57
}

const lockedUsers = prepared((db) => {
  const { id, suspendedAt } = users;
  const isAsked = eq(id, sql.placeholder('userId'));
  return db.select({ suspendedAt }).from(users).where(isAsked).for('no key update').prepare('locked_user');
});

const ownSessions = prepared((db) => {
  const { idHash, userId } = sessions;
  const isOwn = and(eq(idHash, sql.placeholder('sessionIdHash')), eq(userId, sql.placeholder('userId')));
  return db.select({ userId }).from(sessions).where(isOwn).prepare('own_session');
});

/** The session or token has ended since the request began. */
export class SessionEnded extends Error {
  readonly statusCode = 403;
}

/**
 * A password alone opens no account with a passkey, even where passkeys are off (security C250).
 */
export async function hasPasskey(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0;
}

/** The account's creator may have been someone else (security C57). */
const removeAllPasskeys: End = async (tx, userId, by) => {
  const removed = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
  const events = removed.map(({ id }) => ({ action: 'passkey.removed', userId, objectId: id }) as const);
  await recordAuditEvents(tx, by, events);
};

export const accountBelongings: readonly Belonging[] = [
  { table: users, of: [users.id] },
  { ...deletedWith(emailVerifications.userId), isSignIn: true },
  {
    table: formerNames,
    of: [formerNames.ownerId],
    exported: (_db, { id }) => [
      rowsOf(formerNames, and(eq(formerNames.kind, 'user'), eq(formerNames.ownerId, id))),
    ],
  },
  { ...deletedWith(sessions.userId), isSignIn: true, counted: { words: 'Sessions' } },
  { ...deletedWith(devices.userId), isSignIn: true, counted: { words: 'Known browsers' } },
  {
    ...deletedWith(passkeys.userId),
    onProof: removeAllPasskeys,
    isSignIn: true,
    isSecondFactor: true,
    counted: { words: 'Passkeys' },
  },
];

/** Finds no managed users, who have neither password nor passkey. */
export async function findSignInAccount(
  db: Db,
  of: { readonly email: string } | { readonly id: number },
  deviceIdHash: string | undefined,
) {
  const { id, email, emailVerifiedAt, passwordHash } = users;
  const [found] = await db
    .select({
      id,
      email,
      emailVerifiedAt,
      passwordHash,
      ...readerColumns,
      isKnownDevice: sql<boolean>`${devices.idHash} is not null`,
      suspensionReason: users.suspensionReason,
      hasPasskey: sql<boolean>`exists (select from ${passkeys} where ${passkeys.userId} = ${users.id})`,
    })
    .from(users)
    .leftJoin(devices, and(eq(devices.userId, id), eq(devices.idHash, deviceIdHash ?? '')))
    .where(and('id' in of ? eq(id, of.id) : eq(email, of.email), isNull(users.managingClientId)));
  return found;
}

export type SignInAccount = NonNullable<Awaited<ReturnType<typeof findSignInAccount>>>;

export async function listAdminEmails(db: Db): Promise<readonly string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(sql`${users.isAdmin}`, isNull(users.suspendedAt)))
    .orderBy(users.id);
  return rows.map(({ email }) => email);
}

/** The first account of an embedded database is the operator's, on their own machine. */
export async function isFirstAccount({ config, db }: Pick<Platform, 'config' | 'db'>): Promise<boolean> {
  if (!makesFirstAdmin(config)) return false;
  return (await db.select({ id: users.id }).from(users).limit(1)).length === 0;
}

export function makesFirstAdmin({ emailVerification, signUp, storage }: Platform['config']): boolean {
  return storage.kind === 'embedded' && signUp === 'open' && emailVerification === 'off';
}

const profile = { name, username, timeZone, weekStart, timeFormat };

export type Profile = Pick<typeof users.$inferSelect, keyof typeof profile>;

export async function findProfile(db: Db, userId: number): Promise<Profile | undefined> {
  const [found] = await db.select(profile).from(users).where(eq(users.id, userId));
  return found;
}

/** The database decides whether the username is free; the user keeps the former one. */
export async function updateProfile(
  db: Db,
  id: number,
  changed: Profile,
  by: AuditContext,
): Promise<Result<void, TakenName>> {
  const { username } = changed;
  const owner = { kind: 'user', id } as const;
  return refusingTakenNames(() =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      const former = (await findProfile(tx, id))?.username ?? null;
      await tx.update(users).set(changed).where(eq(users.id, id));
      if (former === username) return;
      if (former !== null) await keepFormerName(tx, owner, former, by.at);
      if (username !== null) await refuseKeptName(tx, owner, username, by.at);
      await recordAuditEvent(tx, by, { action: 'username.changed', isRepeatable: true });
    }),
  );
}

const keptDays = 90;
/** Nobody should reserve names by renaming again and again. */
export const maxFormerNames = 3;

export interface NameOwner {
  readonly kind: 'user' | GroupKind;
  readonly id: number;
}

const isKept = (kind: NameOwner['kind'], name: string, now: Date) =>
  and(eq(formerNames.kind, kind), eq(formerNames.name, name), gt(formerNames.expiresAt, now));

/** Keeps a name that its owner gives up, in the same transaction (security C61). */
export async function keepFormerName(tx: Db, { kind, id: ownerId }: NameOwner, name: string, now: Date) {
  const expiresAt = new Date(now.getTime() + keptDays * 86_400_000);
  await tx
    .insert(formerNames)
    .values({ kind, name, ownerId, expiresAt })
    .onConflictDoUpdate({ target: [formerNames.kind, formerNames.name], set: { ownerId, expiresAt } });
  const isOwn = and(eq(formerNames.kind, kind), eq(formerNames.ownerId, ownerId));
  const older = await tx
    .select({ name: formerNames.name })
    .from(formerNames)
    .where(and(isOwn, ne(formerNames.name, name)))
    .orderBy(desc(formerNames.expiresAt), asc(formerNames.name))
    .offset(maxFormerNames - 1);
  const freed = older.map((one) => one.name);
  if (freed.length > 0) await tx.delete(formerNames).where(and(isOwn, inArray(formerNames.name, freed)));
}

/**
 * Throws for another owner's name. Runs after the write, which waits for that owner's transaction.
 */
export async function refuseKeptName(tx: Db, { kind, id }: NameOwner, name: string, now: Date) {
  const kept = await tx
    .select({ ownerId: formerNames.ownerId })
    .from(formerNames)
    .where(and(isKept(kind, name, now), ne(formerNames.ownerId, id)));
  if (kept.length > 0) throw new NameIsTaken();
}

export class NameIsTaken extends Error {}

export type TakenName = 'name_taken' | 'email_taken';

export async function refusingTakenNames<Value>(
  write: () => Promise<Value>,
): Promise<Result<Value, TakenName>> {
  try {
    return ok(await write());
  } catch (error) {
    if (error instanceof NameIsTaken) return refuse('name_taken');
    const constraint = uniqueViolationOf(error) ?? '';
    if (constraint.includes('email')) return refuse('email_taken');
    if (/username|slug/.test(constraint)) return refuse('name_taken');
    // No other name mends a reset sequence, say.
    throw error;
  }
}

/** Returns undefined where the former owner has no name now. */
export async function findCurrentName(db: Db, kind: NameOwner['kind'], name: string, now: Date) {
  const [found] =
    kind === 'user'
      ? await db
          .select({ name: users.username })
          .from(formerNames)
          .innerJoin(users, eq(users.id, formerNames.ownerId))
          .where(and(isKept(kind, name, now), ne(users.username, name)))
      : await db
          .select({ name: groups.slug })
          .from(formerNames)
          .innerJoin(groups, and(eq(groups.id, formerNames.ownerId), eq(groups.kind, kind)))
          .where(and(isKept(kind, name, now), ne(groups.slug, name)));
  return found?.name ?? undefined;
}
