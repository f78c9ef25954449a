import type { SessionDeps } from '../../accounts/session.ts';
import { listAdminEmails } from '../../accounts/store.ts';
import type { Db } from '../../io/database.ts';
import { type Letter, type WrittenLetter, writeLetter } from '../../outbox/letter.ts';

/** What it takes to put something before the reviewers. */
export interface SubmissionDeps extends SessionDeps {
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
}

/** So that one person cannot fill the reviewers' queue: clients and edits together. */
export const mostWaiting = 25;

/** A letter to every admin there is, seen through `db`, which may be a transaction. */
export async function writeToAdmins(
  db: Db,
  letter: Letter,
  deps: SubmissionDeps,
): Promise<readonly WrittenLetter[]> {
  return (await listAdminEmails(db)).map((email) => writeLetter(letter, email, deps));
}
