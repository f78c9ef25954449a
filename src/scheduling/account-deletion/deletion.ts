import type { Managed } from '../../accounts/store.ts';
import { systemContext } from '../../platform/audit/store.ts';
import type { CausedEmails } from '../../platform/mail/budgets.ts';
import type { Email } from '../../platform/mail/email.ts';
import type { Platform } from '../../platform/platform.ts';
import { BudgetSpent } from '../../platform/rate-limits/budget.ts';
import { causedByUser } from '../../v2/limits.ts';
import type { BookingPlatform } from '../bookings/booking.ts';
import { releaseHosted } from '../bookings/change.ts';
import { listUpcomingHosted, type ShownBooking } from '../bookings/store.ts';
import {
  deleteManagedUser,
  eraseAccount,
  forgetPlaces,
  listLeftUsers,
  listUnfinishedDeletions,
  type UnfinishedDeletion,
} from './store.ts';

type App = BookingPlatform & Pick<Platform, 'log' | 'parts'>;

/** Of one account, while someone waits and in a run: bookings, each in a transaction, and time. */
const limits = { atOnce: { bookings: 10, ms: 2000 }, inRun: { bookings: 50, ms: 5000 } } as const;
/** In a run: 50,000 rows. */
const maxPlaceBatches = 50;

/**
 * Cancels the next bookings of a deleted account, as far as the budget for its emails goes, and
 * erases its name and address after the last one. Ended at any point, the next call goes on. Other
 * hosts' calendars can take long: nobody waits for them, and a run soon goes on with other accounts
 * (security C129).
 */
async function finishDeletion(
  app: BookingPlatform,
  { userId, managedBy }: UnfinishedDeletion,
  when: keyof typeof limits,
  signal?: AbortSignal,
): Promise<void> {
  const started = app.runtime.now();
  const upcoming = await listUpcomingHosted(app.db, userId, started, limits[when].bookings);
  try {
    for (const hosted of upcoming) {
      if (signal?.aborted || app.runtime.now().getTime() - started.getTime() >= limits[when].ms) break;
      if (when === 'atOnce' && hosted.schedulingType === 'roundRobin') continue;
      await releaseHosted(app, hosted, (emails) => paced(emails, hosted, { userId, managedBy }));
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
  }
  if (upcoming.length > 0) app.mail.nudge();
  await eraseAccount(app.db, app.runtime, userId);
}

/** To all but the host, within the host's budget. */
function paced(
  caused: CausedEmails,
  { hosts }: ShownBooking,
  { userId, managedBy }: UnfinishedDeletion,
): CausedEmails {
  const host = hosts.find(({ id }) => id === userId);
  const emails = caused.emails
    .filter(({ recipient }) => recipient !== host?.email)
    // Its rest would be left out, where these wait.
    .map((email) => ({ ...email, topicBudget: undefined }));
  return { ...caused, emails, cause: causedByUser(userId, managedBy) };
}

/** While someone waits. What fails, or is too much, is done within a minute. */
export async function finishDeletionAtOnce(app: App, deletion: UnfinishedDeletion): Promise<void> {
  await attempt(app, deletion.userId, finishDeletion(app, deletion, 'atOnce'));
}

async function attempt({ log }: App, userId: number, work: Promise<unknown>): Promise<void> {
  await work.catch((err: unknown) => log.error({ err, userId }, 'a deleted account was not finished'));
}

/**
 * What deletions have left, of all accounts, the quickest first; failures are logged, and tried
 * again in a minute.
 */
export async function finishDeletions(app: App, signal?: AbortSignal): Promise<void> {
  try {
    for (let batches = 0; batches < maxPlaceBatches && !signal?.aborted; batches += 1)
      if ((await forgetPlaces(app.db, app.runtime.now())) === 0) break;
    for (const left of await listLeftUsers(app.db)) {
      if (signal?.aborted) return;
      await attempt(app, left.userId, deleteLeftUser(app, left));
    }
    for (const deletion of await listUnfinishedDeletions(app.db, app.runtime.now())) {
      if (signal?.aborted) return;
      await attempt(app, deletion.userId, finishDeletion(app, deletion, 'inRun', signal));
    }
  } catch (err) {
    app.log.error({ err }, 'deleted accounts were not finished');
  }
}

/** Its bookings, if it has any, take their turn with those of others. */
async function deleteLeftUser(app: App, left: Managed): Promise<void> {
  await deleteManagedUser(app, left, systemContext(app.runtime.now()));
  await eraseAccount(app.db, app.runtime, left.userId);
}

export const deletionEmail: Email = {
  subject: 'Your account was deleted',
  text: [
    'Your Latchkey account was deleted. You are signed out everywhere, apps have no access to it, and your own apps are gone. Upcoming bookings that you host are being cancelled, and attendees get an email.',
    'Your past bookings are deleted after 30 days. Nobody can restore the account.',
  ],
  advice: ['If it wasn’t you, contact the people who run this service.'],
  footer: 'You get this email because you had a Latchkey account.',
};
