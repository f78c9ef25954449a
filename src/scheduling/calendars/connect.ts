import type { Outbound } from '../../io/outbound.ts';
import type { System } from '../../io/system.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess } from './access.ts';
import { discoverHome, fetchObjects } from './caldav.ts';
import { fetchFeed } from './feed.ts';
import type { IcsReader } from './ics-reader.ts';
import { type CalendarFault, faultOf, Unreadable } from './unreadable.ts';

export interface ConnectDeps {
  readonly system: System;
  readonly outbound: Outbound;
  readonly ics: IcsReader;
}

const deadlineMs = 8000;
const dayMs = 86_400_000;

/** Reads each feed before it is kept. Undefined: all can be read; else the first that cannot, by its index, and why. */
export async function checkFeeds(
  deps: ConnectDeps,
  urls: readonly string[],
  timeZone: string,
): Promise<{ readonly index: number; readonly fault: CalendarFault } | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const faults = await Promise.all(
    urls.map(async (url) => {
      try {
        const feed = await fetchFeed(deps.outbound, url, signal);
        await read(deps, [feed?.text ?? ''], timeZone, signal);
        return undefined;
      } catch (error) {
        return faultOf(error);
      }
    }),
  );
  const index = faults.findIndex((fault) => fault !== undefined);
  const fault = faults[index];
  return fault === undefined ? undefined : { index, fault };
}

/** Finds the user's calendars on a CalDAV server and reads them once. */
export async function openCaldav(
  deps: ConnectDeps,
  credentials: Pick<CaldavAccess, 'url' | 'username' | 'password'>,
  timeZone: string,
): Promise<Result<CaldavAccess, CalendarFault>> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const homeUrl = await discoverHome(deps.outbound, credentials, signal);
    const access: CaldavAccess = { kind: 'caldav', ...credentials, homeUrl };
    const objects = await fetchObjects(deps.outbound, access, comingWeek(deps), signal);
    await read(deps, objects?.texts ?? [], timeZone, signal);
    return ok(access);
  } catch (error) {
    return refuse(faultOf(error));
  }
}

async function read(
  deps: ConnectDeps,
  texts: readonly string[],
  timeZone: string,
  signal: AbortSignal,
): Promise<void> {
  const busy = await deps.ics.read({ texts, range: comingWeek(deps), timeZone }, signal);
  if (busy === undefined) throw new Unreadable('not_a_calendar');
}

function comingWeek({ system }: ConnectDeps): Interval {
  const start = system.now().getTime();
  return { start, end: start + 7 * dayMs };
}
