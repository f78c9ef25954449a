import PQueue from 'p-queue';
import { datesFor, noticesTo, wordsFor } from '../../accounts/emails.ts';
import { findUser } from '../../accounts/store.ts';
import { inTransaction } from '../../platform/database.ts';
import { counted, takeOne } from '../../platform/limits/store.ts';
import type { DateWords } from '../../platform/locale.ts';
import type { Email } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Words } from '../../platform/words.ts';
import { longestRangeMs } from '../input.ts';
import { maxCalendars } from '../limits.ts';
import { explainProblem } from './calendar-error.ts';
import { blockMs, maxIntervalsOfHost } from './reader.ts';
import {
  beginOutage,
  type Calendar,
  claimCheck,
  listReadableCalendars,
  listUntold,
  noteReading,
  noteTold,
  readable,
} from './store.ts';

type App = Pick<Platform, 'calendars' | 'config' | 'db' | 'languages' | 'mail' | 'runtime' | 'secrets'>;

const atOnce = 8;
/** Checks of calendars that hang go on in the next minute. */
const maxRunMs = 30_000;

/**
 * Reads calendars that are due, so that owners hear of an outage within the hour (contract §8). One
 * of an owner at a time: slow ones don't keep those of others waiting.
 */
export async function watchCalendars(app: App, signal: AbortSignal): Promise<void> {
  const until = performance.now() + maxRunMs;
  const owners = new Set<number>();
  const claims = new PQueue({ concurrency: 1 });
  const claim = async (): Promise<Due | undefined> => {
    const due = await claimCheck(app.db, [...owners], app.runtime.now());
    if (due !== undefined) owners.add(due.userId);
    return due;
  };
  const work = async (): Promise<void> => {
    while (!signal.aborted && performance.now() < until) {
      const due = await claims.add(claim);
      if (due === undefined) return;
      await check(app, due).finally(() => owners.delete(due.userId));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

type Due = NonNullable<Awaited<ReturnType<typeof claimCheck>>>;

async function check(app: App, { id, userId, unreadable }: Due): Promise<void> {
  const owner = await findUser(app.db, { id: userId });
  if (owner === undefined || owner.suspendedAt !== null) return;
  const now = app.runtime.now();
  const ms = now.getTime();
  // The first days come first, so that they are told.
  for (const start of [ms, ms + blockMs, Math.max(unreadable?.from ?? ms, ms)])
    await app.calendars.read([userId], { start, end: start + 1 }, [id]);
  await noteCrowd(app, { id, userId, unreadable }, now);
  await tellOwner(app, owner);
}

/** If all that one person may connect have too many busy times together, one of them has these. */
const crowdedFrom = maxIntervalsOfHost / maxCalendars;

/** One person may have too many busy times together, though each calendar is readable. */
async function noteCrowd({ calendars, db }: App, { id, userId, unreadable }: Due, now: Date) {
  const range = { start: now.getTime(), end: now.getTime() + longestRangeMs };
  const { busy } = await calendars.read([userId], range, [id]);
  if (busy.length < crowdedFrom && unreadable?.reason !== 'too_many') return;
  const { unavailable } = await calendars.read([userId], range);
  for (const calendar of await listReadableCalendars(db, [userId])) {
    const isLeftOut = unavailable.some(({ calendarId }) => calendarId === calendar.id);
    if (isLeftOut && calendar.unreadable === null)
      await noteReading(db, calendar, beginOutage({ reason: 'too_many' }, now));
    else if (!isLeftOut && calendar.unreadable?.reason === 'too_many')
      await noteReading(db, calendar, readable);
  }
}

type Owner = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** One email is about all calendars of the owner that have failed since the last one. */
async function tellOwner({ mail, ...app }: App, owner: Owner): Promise<void> {
  const { config, db, runtime } = app;
  const now = runtime.now();
  const words = await wordsFor(app, owner);
  const isTold = await inTransaction(db, async (tx) => {
    const untold = await listUntold(tx, owner.id, now);
    if (untold.length === 0) return false;
    const notices =
      owner.managingClientId === null
        ? noticesTo(app, owner, outageEmail(untold, datesFor(owner, words), config.appUrl, words))
        : [];
    const limit = counted('thing_changes', ['outage', owner.id]);
    // A calendar that fails again and again is on its page all the same.
    if (notices.length > 0 && (await takeOne(tx, limit, now)) === undefined) return false; // protects: C262
    await noteTold(tx, untold, now);
    await addToOutbox(tx, notices, now);
    return true;
  });
  if (isTold) mail.nudge();
}

function outageEmail(calendars: readonly Calendar[], dates: DateWords, appUrl: string, words: Words): Email {
  const [first] = calendars;
  const { t } = words;
  return {
    words,
    priority: 'ordinary',
    subject:
      first !== undefined && calendars.length === 1
        ? t('Your calendar can’t be read: {name}', { name: first.name })
        : t('{count} of your calendars can’t be read', { count: calendars.length }),
    text: [t('While a calendar can’t be read, nobody can book you, because it might hold other events.')],
    facts: calendars.map((calendar) => [calendar.name, tellOutage(calendar, dates, words)]),
    button: { words: t('View calendars'), address: `${appUrl}/settings/calendars` },
    advice: [
      t(
        'Correct what is wrong where you keep the calendar; we notice by ourselves. Or connect it again, or disconnect it.',
      ),
    ],
  };
}

/** Says what is wrong, since when, and which days it concerns. */
export function tellOutage(
  { unreadable, unreadableSince }: Pick<Calendar, 'unreadable' | 'unreadableSince'>,
  dates: DateWords,
  words: Words,
): string {
  if (unreadable === null || unreadableSince === null) return '';
  const since = words.t('Since {time}.', { time: dates.momentOf(unreadableSince) });
  const { from } = unreadable;
  const days =
    from === undefined || from <= unreadableSince.getTime()
      ? ''
      : words.t('This concerns days from {first} to {last}.', {
          first: dates.dayOf(new Date(from)),
          last: dates.dayOf(new Date(from + blockMs)),
        });
  return [explainProblem(unreadable, words), since, days].filter(Boolean).join(' ');
}
