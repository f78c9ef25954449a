import { attemptOf, mostOf } from '../../accounts/attempts/limits.ts';
import type { SessionDeps } from '../../accounts/session.ts';
import { listAdminEmails } from '../../accounts/store.ts';
import type { Db } from '../../io/database.ts';
import { type Letter, type WrittenLetter, writeLetter } from '../../outbox/letter.ts';
import type { SubmissionLimits, TooMany } from './store.ts';

/** What it takes to put something before the reviewers. */
export interface SubmissionDeps extends SessionDeps {
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
}

/** So that one person cannot fill the reviewers' queue: clients and edits together. */
export const mostWaiting = 25;

/** The limits of one owner's submissions. */
export function limitsOf(ownerId: number, { rootSecret }: SubmissionDeps): SubmissionLimits {
  const submission = attemptOf({ kind: 'submission', parts: [String(ownerId)] }, rootSecret);
  return { mostWaiting, submission };
}

/** What is said where something could not be submitted; `undone` is what was not done with it. */
export function tooManyWords(undone: string): Readonly<Record<TooMany, string>> {
  return {
    too_many_waiting: `${undone}, because ${mostWaiting} of your apps and changes wait for their review. What you typed is still here: send it again when some of them have been decided.`,
    too_many_submissions: `${undone}, because you have submitted ${mostOf('submission')} apps and changes within an hour. What you typed is still here: send it again later.`,
  };
}

/** A letter to every admin there is, seen through `db`, which may be a transaction. */
export async function writeToAdmins(
  db: Db,
  letter: Letter,
  deps: SubmissionDeps,
): Promise<readonly WrittenLetter[]> {
  return (await listAdminEmails(db)).map((email) => writeLetter(letter, email, deps));
}
