import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from './database.ts';
import { readClock } from './open-database.ts';

const askEveryMs = 30_000;
const firstTries = 3;
const retryMs = 100;
/** A longer round trip says too little. */
const maxRoundTripMs = 1000;
const warnBeyondSeconds = 2;

/**
 * Counts the database's time on by this machine's steady clock. All instances decide by one clock,
 * so that no code is too old, or of the future, on another (security C64). A positive skew means
 * that this machine is ahead. Throws when the database doesn't answer.
 */
export async function openDatabaseClock({
  db,
  log,
}: {
  readonly db: Db;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}) {
  let offset = Date.now() - performance.now();
  let isSkewed = false;
  const nowMs = (): number => performance.now() + offset;
  const skewSeconds = (): number => (Date.now() - nowMs()) / 1000;

  async function ask(longestMs: number): Promise<boolean> {
    const sentAt = performance.now();
    const databaseMs = await readClock(db);
    const roundTripMs = performance.now() - sentAt;
    if (roundTripMs > longestMs) return false;
    const measured = databaseMs - sentAt - roundTripMs / 2;
    // A difference within the round trip is no news, and the clock doesn't have to jump.
    if (Math.abs(measured - offset) > roundTripMs / 2) offset = measured;
    return true;
  }

  function report(): void {
    const skew = skewSeconds();
    const wasSkewed = isSkewed;
    isSkewed = Math.abs(skew) > warnBeyondSeconds;
    const seconds = Math.round(skew * 1000) / 1000;
    if (isSkewed && !wasSkewed)
      log.warn({ seconds }, 'this machine’s clock differs from the database’s, which counts');
    else if (wasSkewed && !isSkewed) log.info({ seconds }, 'this machine’s clock agrees with the database’s');
  }

  for (let tries = 1; !(await ask(tries < firstTries ? maxRoundTripMs : Infinity)); tries += 1)
    await sleep(retryMs);
  report();
  const timer = setInterval(() => {
    // While the database is away, the steady clock goes on.
    ask(maxRoundTripMs).then(report, () => {});
  }, askEveryMs).unref();
  return { now: () => new Date(nowMs()), skewSeconds, stop: () => clearInterval(timer) };
}
