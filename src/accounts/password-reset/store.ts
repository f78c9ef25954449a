import { and, eq } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import { type Attempt, takeAttempt } from '../attempts/store.ts';
import { endAllSessions } from '../sessions/store.ts';
import type { EndPermissions } from '../store.ts';
import { users } from '../tables.ts';

/** Whose password it is; undefined when there is no such account. */
export async function findPasswordHolder(
  db: Db,
  userId: number,
): Promise<{ readonly email: string; readonly passwordHash: string } | undefined> {
  const [found] = await db
    .select({ email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  return found;
}

/**
 * Counts a request for a letter, and puts the letter into the outbox unless there were too many. Without a letter, for an address without an
 * account, it is counted and committed all the same, so that both take as long.
 */
export async function addResetLetter(
  db: Db,
  attempt: Attempt,
  letter: WrittenLetter | undefined,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const taken = await takeAttempt(tx, attempt, now);
    if (letter !== undefined && taken !== undefined) await addToOutbox(tx, [letter], now);
  });
}

/**
 * Replaces a password, ends all sessions of the user, forgets the user's browsers, and tells the user. False, and nothing done, when the former password is not the
 * stored one any more: of several changes at once one counts.
 */
export async function replacePassword(
  db: Db,
  change: { readonly userId: number; readonly formerHash: string; readonly newHash: string },
  notice: WrittenLetter,
  now: Date,
  endPermissions?: EndPermissions,
): Promise<boolean> {
  const { userId, formerHash, newHash } = change;
  return db.transaction(async (tx) => {
    const replaced = await tx
      .update(users)
      .set({ passwordHash: newHash })
      .where(and(eq(users.id, userId), eq(users.passwordHash, formerHash)))
      .returning({ id: users.id });
    if (replaced.length === 0) return false;
    await endAllSessions(tx, userId);
    await endPermissions?.(tx, userId);
    await addToOutbox(tx, [notice], now);
    return true;
  });
}
