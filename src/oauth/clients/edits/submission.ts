import { takeAttempt } from '../../../accounts/attempts/store.ts';
import type { Db } from '../../../io/database.ts';
import type { Letter } from '../../../outbox/letter.ts';
import { addToOutbox } from '../../../outbox/store.ts';
import { noteEvent } from '../history/store.ts';
import { editLetter, resubmissionLetter } from '../letters.ts';
import { countWaiting, lockOwner, type TooMany } from '../store.ts';
import { limitsOf, type SubmissionDeps, writeToAdmins } from '../submission.ts';
import {
  beginsToWait,
  type Change,
  type ClientValues,
  completeValues,
  decideChange,
  type LogoChange,
  type TypedValues,
  versionOf,
} from './change.ts';
import { describeDifferences } from './differences.ts';
import {
  countRevision,
  keepLogo,
  lockOwnClient,
  putIntoReview,
  removeEdit,
  saveEdit,
  saveValues,
} from './store.ts';

export type LockedClient = NonNullable<Awaited<ReturnType<typeof lockOwnClient>>>;

/**
 * Submits an owner's new values for the client as it was at `version`: load under lock, decide, commit, the admins' letters with it. `gone`: the user
 * owns no such client; `outdated`: something has happened to it since.
 */
export async function submitChange(
  deps: SubmissionDeps,
  client: { readonly id: string; readonly ownerId: number; readonly version: string },
  typed: TypedValues,
): Promise<Change | 'gone' | 'outdated' | TooMany> {
  const outcome = await deps.db.transaction(async (tx) => {
    await lockOwner(tx, client.ownerId);
    const current = await lockOwnClient(tx, client.id, client.ownerId);
    if (current === undefined) return 'gone';
    if (versionOf(current) !== client.version) return 'outdated';
    const wanted = completeValues(current, typed);
    return carryOut(tx, deps, current, decideChange(current, wanted), wanted);
  });
  deps.nudgeOutbox();
  return outcome;
}

/** Withdraws the client's edit as it was at `version`. `nothing_to_withdraw`: there is none any more. */
export async function withdrawEdit(
  deps: SubmissionDeps,
  client: { readonly id: string; readonly ownerId: number; readonly version: string },
): Promise<'edit_withdrawn' | 'gone' | 'outdated' | 'nothing_to_withdraw'> {
  return deps.db.transaction(async (tx) => {
    const current = await lockOwnClient(tx, client.id, client.ownerId);
    if (current === undefined) return 'gone';
    if (current.edit === undefined) return 'nothing_to_withdraw';
    if (versionOf(current) !== client.version) return 'outdated';
    await commit(tx, deps, current, 'edit_withdrawn', current);
    return 'edit_withdrawn';
  });
}

/**
 * Carries out what was decided about a client, unless it would be one thing too many of its owner's to wait for a review, or to tell the admins of lately. Both rows are locked, the
 * owner's before the client's.
 */
export async function carryOut<Decided extends LogoChange>(
  tx: Db,
  deps: SubmissionDeps,
  current: LockedClient,
  change: Decided,
  wanted: ClientValues,
): Promise<Decided | TooMany> {
  if (beginsToWait(current, change)) {
    const { mostWaiting, submission } = limitsOf(current.ownerId, deps);
    if ((await countWaiting(tx, current.ownerId)) >= mostWaiting) return 'too_many_waiting';
    if ((await takeAttempt(tx, submission, deps.system.now())) === undefined) return 'too_many_submissions';
  }
  await commit(tx, deps, current, change, wanted);
  return change;
}

async function commit(
  tx: Db,
  deps: SubmissionDeps,
  current: LockedClient,
  change: LogoChange,
  wanted: ClientValues,
): Promise<void> {
  const now = deps.system.now();
  const { id } = current;
  switch (change) {
    case 'unchanged':
      return;
    case 'kept':
      if (current.status === 'rejected') await saveValues(tx, id, wanted);
      else await keepLogo(tx, id, wanted.logoId);
      return;
    case 'changed':
      await saveValues(tx, id, wanted);
      break;
    case 'resubmitted':
      await saveValues(tx, id, wanted);
      await putIntoReview(tx, id, now);
      await removeEdit(tx, id);
      break;
    case 'edit_submitted':
      await saveEdit(tx, id, wanted, now);
      break;
    case 'edit_withdrawn':
      await removeEdit(tx, id);
      break;
  }
  await countRevision(tx, id);
  await noteEvent(tx, { clientId: id, kind: change, actorId: current.ownerId }, now);
  const letter = letterOf(change, current, wanted, deps.appUrl);
  if (letter !== undefined) await addToOutbox(tx, await writeToAdmins(tx, letter, deps), now);
}

/** What the admins hear: of what begins to wait. They are not told again of what waits for them already. */
function letterOf(
  change: Change,
  current: LockedClient,
  wanted: ClientValues,
  appUrl: string,
): Letter | undefined {
  if (!beginsToWait(current, change)) return undefined;
  if (change === 'resubmitted') return resubmissionLetter({ id: current.id, name: wanted.name }, appUrl);
  const changes = describeDifferences(current, wanted).map(({ field }) => field.toLowerCase());
  return editLetter(current, changes, appUrl);
}
