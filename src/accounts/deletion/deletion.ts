import type { Email } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  eraseAccount,
  type FinishingTime,
  forgetPlaces,
  type LeavingPlatform,
  leavingOf,
  listUnfinishedDeletions,
} from './store.ts';

/** A batch has 1,000 rows, so a run takes 50,000. */
const maxPlaceBatches = 50;

/** Stopped at any point, the deletion goes on with the next call (security C129). */
async function finishDeletion(
  app: LeavingPlatform,
  userId: number,
  when: FinishingTime,
  signal?: AbortSignal,
): Promise<void> {
  for (const { finish } of leavingOf(app)) await finish?.(app, userId, when, signal);
  await eraseAccount(app, userId);
}

/** Runs while someone waits. The job of every minute does what fails, or is too much. */
export async function finishDeletionAtOnce(app: LeavingPlatform, userId: number): Promise<void> {
  await attempt(app, userId, finishDeletion(app, userId, 'atOnce'));
}

async function attempt({ log }: Pick<Platform, 'log'>, userId: number, work: Promise<unknown>) {
  await work.catch((err: unknown) => log.error({ err, userId }, 'a deleted account was not finished'));
}

/** Finishes deletions, the quickest first; logs failures, which the next run retries. */
export async function finishDeletions(app: LeavingPlatform, signal?: AbortSignal): Promise<void> {
  try {
    for (let batches = 0; batches < maxPlaceBatches && !signal?.aborted; batches += 1)
      if ((await forgetPlaces(app.db, app.runtime.now())) === 0) break;
    for (const { deleteLeft } of leavingOf(app))
      await deleteLeft?.(app, (userId, work) => attempt(app, userId, work));
    for (const { userId } of await listUnfinishedDeletions(app, app.runtime.now())) {
      if (signal?.aborted) return;
      await attempt(app, userId, finishDeletion(app, userId, 'inRun', signal));
    }
  } catch (err) {
    app.log.error({ err }, 'deleted accounts were not finished');
  }
}

/** Ask before the deletion: it says what the account has. */
export async function deletionEmailOf(app: Pick<Platform, 'db' | 'parts'>, userId: number): Promise<Email> {
  const found = await Promise.all(leavingOf(app).map(({ words }) => words?.(app.db, userId)));
  const words = found.flatMap((one) => one ?? []);
  const ended =
    'Your account was deleted. You are signed out everywhere, apps have no access to it, and your own apps are gone.';
  return {
    subject: 'Your account was deleted',
    text: [
      [ended, ...words.map(({ now }) => now)].join(' '),
      [...words.map(({ later }) => later), 'Nobody can restore the account.'].join(' '),
    ],
    advice: ['If it wasn’t you, contact the people who run this service.'],
    footer: 'You get this email because you had an account.',
  };
}
