import { type Counted, countAttempt, findCount } from '../attempts/store.ts';
import type { SessionDeps } from '../session.ts';
import { keptIdOf } from './form.ts';

/** For so long a second sending of the same kept form is noticed. */
const noticedSeconds = 24 * 3600;

const sendingOf = (id: string, userId: number): Counted => ({
  purpose: 'kept_form',
  subject: `${userId}:${id}`,
});

/**
 * Counts the sending of a kept form; other forms are always the first. A double click, or the way back and the button once more, must not do
 * a thing twice without saying so.
 */
export async function isFirstSending(
  body: unknown,
  userId: number,
  { db, system }: SessionDeps,
): Promise<boolean> {
  const id = keptIdOf(body);
  if (id === undefined) return true;
  return (await countAttempt(db, sendingOf(id, userId), noticedSeconds, system.now())).count === 1;
}

/** Whether the user has sent the kept form with this id. */
export async function wasSent(id: string, userId: number, { db, system }: SessionDeps): Promise<boolean> {
  return (await findCount(db, sendingOf(id, userId), system.now())) > 0;
}
