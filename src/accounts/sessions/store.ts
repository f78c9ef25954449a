import { and, desc, eq, exists, gt, inArray, lt, lte, ne, sql } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import type { Person } from '../person.ts';
import { addDevice } from '../protection/store.ts';
import { devices, sessions, users } from '../tables.ts';

export interface NewSession {
  readonly idHash: string;
  readonly userId: number;
  readonly userAgent: string | null;
  readonly address: string;
  readonly expiresAt: Date;
}

/** All that a sign-in sets off in the database. */
export interface Beginning {
  readonly session: NewSession;
  /** The browser's, to be ended (session fixation, OWASP ASVS 7.2.4). */
  readonly formerIdHash: string | undefined;
  readonly deviceIdHash: string;
}

/** Of one user: more browsers than anybody has, fewer than whoever signs in in a loop would make. */
const mostSessions = 100;

type Transaction = Pick<Db, 'select' | 'insert' | 'update' | 'delete'>;

/** Begins a session, ends the one that the browser had, and remembers the browser. */
export async function beginSession(db: Db, beginning: Beginning, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await addDevice(tx, beginning.deviceIdHash, beginning.session.userId, now);
    await replaceSession(tx, beginning, now);
  });
}

/**
 * The same for somebody who gave a password, together with the notice to the owner if the browser is new to the account. False, and
 * nothing happens, when the password that was looked at is not the account's any more: it was changed meanwhile, and must not
 * open what the change has closed.
 */
export async function beginSessionByPassword(
  db: Db,
  beginning: Beginning,
  { passwordHash, notice }: { readonly passwordHash: string; readonly notice: WrittenLetter | undefined },
  now: Date,
): Promise<boolean> {
  const { session, deviceIdHash } = beginning;
  return db.transaction(async (tx) => {
    // Locked: sign-ins to one account come one after the other, and so do changes of its password.
    const [account] = await tx
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.id, session.userId))
      .for('no key update');
    if (account?.passwordHash !== passwordHash) return false;
    const wasTold = await hasJustBeenTold(tx, session, now);
    const isNew = await addDevice(tx, deviceIdHash, session.userId, now);
    await replaceSession(tx, beginning, now);
    if (isNew && !wasTold && notice !== undefined) await addToOutbox(tx, [notice], now);
    return true;
  });
}

const repeatSeconds = 60;

/**
 * Whether the owner was told of the very same within the last minute: a form that is sent twice finds a new browser twice. Browser,
 * address and minute are all that the letter says.
 */
async function hasJustBeenTold(
  tx: Transaction,
  { userId, userAgent, address }: NewSession,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - repeatSeconds * 1000);
  const newDevice = tx
    .select({ idHash: devices.idHash })
    .from(devices)
    .where(and(eq(devices.userId, userId), gt(devices.firstSeenAt, since)));
  const told = await tx
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.createdAt, since),
        eq(sessions.address, address),
        sql`${sessions.userAgent} is not distinct from ${userAgent}`,
        exists(newDevice),
      ),
    )
    .limit(1);
  return told.length > 0;
}

async function replaceSession(
  tx: Transaction,
  { session, formerIdHash }: Beginning,
  now: Date,
): Promise<void> {
  if (formerIdHash !== undefined) await tx.delete(sessions).where(eq(sessions.idHash, formerIdHash));
  await endOldSessions(tx, session.userId);
  await tx.insert(sessions).values({ ...session, createdAt: now, lastSeenAt: now });
}

/** Leaves room for one more session of the user; the oldest ones go. */
async function endOldSessions(tx: Transaction, userId: number): Promise<void> {
  const old = tx
    .select({ idHash: sessions.idHash })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.createdAt), sessions.idHash)
    .offset(mostSessions - 1);
  await tx.delete(sessions).where(inArray(sessions.idHash, old));
}

const person = {
  id: users.id,
  email: users.email,
  name: users.name,
  isAdmin: users.isAdmin,
  timeZone: users.timeZone,
  weekStart: users.weekStart,
  timeFormat: users.timeFormat,
};

/** Who is signed in with this session, and was last seen when; undefined when it ended. */
export async function findSessionPerson(
  db: Db,
  idHash: string,
  now: Date,
): Promise<(Person & { readonly lastSeenAt: Date }) | undefined> {
  const [found] = await db
    .select({ ...person, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.idHash, idHash), gt(sessions.expiresAt, now)));
  return found;
}

/** Notes that a session was in use; of several requests at once one writes. */
export async function touchSession(db: Db, idHash: string, lastSeenAt: Date, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.idHash, idHash), lte(sessions.lastSeenAt, lastSeenAt)));
}

/** A user's living sessions, `firstIdHash` before all others and then the one used last; at most so many. */
export async function listSessions(db: Db, userId: number, firstIdHash: string, now: Date, most: number) {
  const { idHash, userAgent, address, createdAt, lastSeenAt } = sessions;
  return db
    .select({ idHash, userAgent, address, createdAt, lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(eq(idHash, firstIdHash)), desc(lastSeenAt), desc(createdAt), idHash)
    .limit(most);
}

/** Ends a session on the server: its cookie opens nothing any more. */
export async function endSession(db: Db, idHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.idHash, idHash));
}

/** Ends one of the user's own sessions; somebody else's is left alone. */
export async function endOwnSession(db: Db, userId: number, idHash: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.idHash, idHash)));
}

/** Ends all sessions of the user but this one, and forgets all browsers but this one: they are strangers again. */
export async function endOtherSessions(
  db: Db,
  userId: number,
  kept: { readonly sessionIdHash: string; readonly deviceIdHash: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.idHash, kept.sessionIdHash)));
    await tx.delete(devices).where(and(eq(devices.userId, userId), ne(devices.idHash, kept.deviceIdHash)));
  });
}

/** Ends all sessions of the user, and forgets all browsers: whoever comes next is a stranger. */
export async function endAllSessions(tx: Pick<Db, 'delete'>, userId: number): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(devices).where(eq(devices.userId, userId));
}

/** Removes the sessions that have run out. */
export async function sweepSessions(db: Db, now: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
}
