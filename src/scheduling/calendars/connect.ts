import type { Outbound } from '../../platform/outbound.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess } from './access.ts';
import { discoverHome, fetchObjects } from './caldav.ts';
import { CalendarError, type CalendarErrorReason, reasonOf } from './calendar-error.ts';

type Capabilities = Pick<Platform, 'calendars' | 'runtime'>;

const deadlineMs = 8000;
const dayMs = 86_400_000;

/** The index and reason of the first feed that can't be read. */
export async function checkFeeds(
  app: Capabilities,
  urls: readonly string[],
  timeZone: string,
): Promise<{ readonly index: number; readonly reason: CalendarErrorReason } | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const reasons = await Promise.all(
    urls.map(async (url) => {
      try {
        const feed = await fetchFeed(app.calendars.outbound, url, signal);
        await read(app, [feed?.text ?? ''], timeZone, signal);
        return undefined;
      } catch (error) {
        return reasonOf(error);
      }
    }),
  );
  const index = reasons.findIndex((found) => found !== undefined);
  const reason = reasons[index];
  return reason === undefined ? undefined : { index, reason };
}

export async function openCaldav(
  app: Capabilities,
  credentials: Pick<CaldavAccess, 'url' | 'username' | 'password'>,
  timeZone: string,
): Promise<Result<CaldavAccess, CalendarErrorReason>> {
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const homeUrl = await discoverHome(app.calendars.outbound, credentials, signal);
    const access: CaldavAccess = { kind: 'caldav', ...credentials, homeUrl };
    const objects = await fetchObjects(app.calendars.outbound, access, comingWeek(app), signal);
    await read(app, objects?.texts ?? [], timeZone, signal);
    return ok(access);
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

async function read(
  app: Capabilities,
  texts: readonly string[],
  timeZone: string,
  signal: AbortSignal,
): Promise<void> {
  const busy = await app.calendars.ics.read({ texts, range: comingWeek(app), timeZone }, signal);
  if (busy === undefined) throw new CalendarError('not_a_calendar');
}

function comingWeek({ runtime }: Capabilities): Interval {
  const start = runtime.now().getTime();
  return { start, end: start + 7 * dayMs };
}

interface FetchedFeed {
  readonly text: string;
  readonly etag: string | undefined;
}

/** Undefined if it still has this ETag (RFC 9110 §8.8.3). @throws OutboundError, CalendarError */
export async function fetchFeed(
  outbound: Outbound,
  url: string,
  signal: AbortSignal,
  etag?: string,
): Promise<FetchedFeed | undefined> {
  const accept = 'text/calendar, */*;q=0.1';
  const headers = etag === undefined ? { accept } : { accept, 'if-none-match': etag };
  const answer = await outbound.fetch(url, { headers, signal });
  if (answer.status === 304 && etag !== undefined) return undefined;
  if (answer.status !== 200) throw new CalendarError('status', answer.status);
  return { text: answer.text, etag: answer.headers.get('etag') ?? undefined };
}
