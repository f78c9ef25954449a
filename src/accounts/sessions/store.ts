import { and, desc, eq, exists, gt, isNull, lte, ne, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { AuditSentences } from '../../platform/audit/actions.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { type Db, isAmong } from '../../platform/database.ts';
import { minute } from '../../platform/limits/limits.ts';
import { counted, isFirst, spendAll } from '../../platform/limits/store.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import { prepared } from '../../platform/prepared.ts';
import type { SignInMeans } from '../person.ts';
import { readerColumns } from '../store.ts';
import { devices, passkeys, sessions, users, waysBack } from '../tables.ts';

export const sessionAudit = {
  'user.sign_in_failed': 'A sign-in with an incorrect password failed',
  'user.sign_in_refused': [
    'A sign-in was refused because their account is suspended',
    'A sign-in was refused because your account is suspended',
  ],
  'user.signed_in': ['Signed in', 'You signed in'],
  'session.confirmed': ['Confirmed their identity', 'You confirmed your identity'],
  'session.ended': ['Signed out of this browser', 'You signed out of this browser'],
  'session.others_ended': ['Signed out of other browsers', 'You signed out of other browsers'],
} as const satisfies AuditSentences;

type NewSession = Omit<typeof sessions.$inferInsert, 'createdAt' | 'lastSeenAt'> & {
  readonly address: string;
};

export interface SessionStart {
  readonly session: NewSession;
  /** The former session ends, against session fixation (OWASP ASVS 7.2.4). */
  readonly formerIdHash: string | undefined;
  readonly deviceIdHash: string;
  readonly action: 'user.signed_in' | 'session.confirmed';
  readonly dateLocale?: string | undefined;
  readonly lastLanguage?: string | undefined;
}

export interface SignInProof {
  /** The stored hash matched the password; undefined without a password. */
  readonly passwordHash?: string;
  readonly notice?: RenderedEmail | undefined;
  /** Either the former session had it, or the transaction uses it up, where it may not count. */
  readonly secondFactor?: SignInMeans | SecondFactor;
}

export interface SecondFactor {
  readonly means: SignInMeans;
  readonly use: (tx: Db, by: AuditContext) => Promise<boolean>;
}

export const maxSessionsOfUser = 100;

/**
 * Returns false for a suspended account, a password that has changed, or a missing second factor.
 */
export async function beginSession(
  db: Db,
  { session, formerIdHash, deviceIdHash, action, ...reader }: SessionStart,
  by: AuditContext,
  { passwordHash, notice, secondFactor = 'password' }: SignInProof,
): Promise<boolean> {
  const now = by.at;
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, session.userId);
    if (account === undefined || account.suspendedAt !== null) return false;
    if (passwordHash !== undefined && account.passwordHash !== passwordHash) return false;
    const isProven = typeof secondFactor === 'object';
    const means = isProven ? secondFactor.means : secondFactor;
    if (isProven ? !(await secondFactor.use(tx, by)) : account.hasPasskey && means === 'password')
      return false;
    const isNew = await addDevice(tx, deviceIdHash, session.userId, now);
    if (formerIdHash !== undefined) await tx.delete(sessions).where(eq(sessions.idHash, formerIdHash));
    await endOldSessions(tx, session.userId);
    await tx.insert(sessions).values({ ...session, means, createdAt: now, lastSeenAt: now });
    const { dateLocale = account.dateLocale, lastLanguage = account.lastLanguage } = reader;
    if (dateLocale !== account.dateLocale || lastLanguage !== account.lastLanguage)
      await tx.update(users).set({ dateLocale, lastLanguage }).where(eq(users.id, session.userId));
    // Without a proof, an account or a password is new, and its event is recorded.
    if (passwordHash !== undefined || isProven) {
      await spendAll(tx, [counted('changes', ['sign-in', session.userId])], now); // protects: C73
      await recordAuditEvent(tx, by, { action });
    }
    // A form that is sent twice is reported once.
    const once = ['new sign-in', String(session.userId), session.address, session.userAgent ?? ''];
    if (isNew && (await isFirst(tx, once, minute, now)) && notice !== undefined)
      await addToOutbox(tx, [notice], now);
    return true;
  });
}

/** Sign-ins to an account, changes of its factors and its suspension take turns. */
async function lockAccount(tx: Db, userId: number) {
  const { id, passwordHash, suspendedAt, dateLocale, lastLanguage } = users;
  const ownPasskeys = tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, id));
  const [account] = await tx
    .select({
      passwordHash,
      suspendedAt,
      dateLocale,
      lastLanguage,
      hasPasskey: sql<boolean>`${exists(ownPasskeys)}`,
    })
    .from(users)
    .where(eq(id, userId))
    .for('no key update');
  return account;
}

async function endOldSessions(tx: Db, userId: number): Promise<void> {
  const old = tx
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt), sessions.idHash) // protects: C206
    .offset(maxSessionsOfUser - 1);
  await tx.delete(sessions).where(isAmong(sessions.idHash, old));
}

const { id, email, name, isAdmin, emailVerifiedAt, weekStart } = users;
const person = { id, email, name, isAdmin, emailVerifiedAt, weekStart, ...readerColumns };

/** A week without a request ends a session (OWASP ASVS 5, 7.3.1). */
const idleSeconds = 7 * 24 * 3600;

/** Takes ISO 8601, or a placeholder for it. */
function isLive(now: string | Placeholder): SQL {
  const [until, seen] = [
    sql`${now}::timestamptz`,
    sql`make_interval(secs => ${sql.raw(String(idleSeconds))})`,
  ];
  return sql`(${sessions.expiresAt} > ${until} and ${sessions.lastSeenAt} > ${until} - ${seen})`;
}

const begun = {
  means: sessions.means,
  authenticatedAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
  /** The password alone isn't enough for an account that has passkeys by now (security C219). */
  hasAllFactors: sql<boolean>`${sessions.means} <> 'password' or not exists (
    select from ${passkeys} where ${passkeys.userId} = ${sessions.userId}
  )`,
};

const sessionPerson = prepared((db) =>
  db
    .select({ ...person, ...begun })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.idHash, sql.placeholder('idHash')),
        isLive(sql.placeholder('now')),
        isNull(users.suspendedAt),
      ),
    )
    .prepare('session_person'),
);

export async function findSessionPerson(db: Db, idHash: string, now: Date) {
  const [found] = await sessionPerson(db).execute({ idHash, now: now.toISOString() });
  return found;
}

/** Only one of several parallel requests writes. */
export async function touchSession(db: Db, idHash: string, lastSeenAt: Date, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.idHash, idHash), lte(sessions.lastSeenAt, lastSeenAt)));
}

/** A sign-in ends what is more than {@link maxSessionsOfUser}. */
export async function listSessions(db: Db, userId: number, firstIdHash: string, now: Date) {
  const { idHash, userAgent, address, createdAt, lastSeenAt } = sessions;
  return db
    .select({ idHash, userAgent, address, createdAt, lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive(now.toISOString())))
    .orderBy(desc(eq(idHash, firstIdHash)), desc(lastSeenAt), desc(createdAt), idHash);
}

export async function endSession(db: Db, idHash: string, by: AuditContext): Promise<void> {
  await db.transaction((tx) => endSessions(tx, eq(sessions.idHash, idHash), 'session.ended', by));
}

/** Signs another browser of the user's out. */
export async function endOtherSession(db: Db, userId: number, idHash: string, by: AuditContext) {
  const isIts = and(eq(sessions.userId, userId), eq(sessions.idHash, idHash));
  await db.transaction((tx) => endSessions(tx, isIts, 'session.others_ended', by));
}

/** They are one user's. Where there are none, nothing is recorded. */
async function endSessions(
  tx: Db,
  which: SQL | undefined,
  action: keyof typeof sessionAudit,
  by: AuditContext,
): Promise<void> {
  const [ended] = await tx.delete(sessions).where(which).returning({ userId: sessions.userId });
  if (ended !== undefined) await recordAuditEvent(tx, by, { action, ...ended }); // protects: C73
}

export interface KeptBrowser {
  readonly sessionIdHash: string | undefined;
  readonly deviceIdHash: string;
}

/** Forgets the other browsers, too. */
export async function endOtherSessions(db: Db, userId: number, kept: KeptBrowser, by: AuditContext) {
  await db.transaction(async (tx) => {
    const isOther = and(eq(sessions.userId, userId), ne(sessions.idHash, kept.sessionIdHash ?? ''));
    await tx.delete(devices).where(and(eq(devices.userId, userId), ne(devices.idHash, kept.deviceIdHash)));
    // Each request without the cookie adds a browser, so those alone aren't recorded.
    await endSessions(tx, isOther, 'session.others_ended', by);
  });
}

/** Forgets all browsers, too. */
export async function endAllSessions(tx: Db, userId: number): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(devices).where(eq(devices.userId, userId));
}

/** The browser that was unused for longest is forgotten. */
export const maxDevicesOfUser = 100;

/** Returns true for the first sign-in from this browser. */
export async function addDevice(db: Db, idHash: string, userId: number, now: Date): Promise<boolean> {
  const added = await db
    .insert(devices)
    .values({ idHash, userId, firstSeenAt: now, lastSeenAt: now })
    .onConflictDoNothing()
    .returning({ idHash: devices.idHash });
  if (added.length > 0) {
    const old = db
      .select({ idHash: devices.idHash })
      .from(devices)
      .where(eq(devices.userId, userId))
      .orderBy(desc(devices.lastSeenAt), desc(devices.firstSeenAt), devices.idHash)
      .offset(maxDevicesOfUser);
    await db.delete(devices).where(and(eq(devices.userId, userId), isAmong(devices.idHash, old)));
    return true;
  }
  await db
    .update(devices)
    .set({ lastSeenAt: now })
    .where(and(eq(devices.idHash, idHash), eq(devices.userId, userId)));
  return false;
}

export async function putWayBack(db: Db, { idHash, ...way }: typeof waysBack.$inferInsert): Promise<void> {
  await db
    .insert(waysBack)
    .values({ idHash, ...way })
    .onConflictDoUpdate({ target: waysBack.idHash, set: way });
}

export async function findWayBack(db: Db, idHash: string, now: Date): Promise<string | undefined> {
  const [found] = await db
    .select({ returnTo: waysBack.returnTo })
    .from(waysBack)
    .where(and(eq(waysBack.idHash, idHash), gt(waysBack.expiresAt, now)));
  return found?.returnTo;
}
