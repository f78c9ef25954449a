import type { Platform } from '../../platform/platform.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { Interval } from '../core/interval.ts';
import type { CaldavAccess } from './access.ts';
import { discoverHome, fetchObjects } from './caldav.ts';
import { CalendarError, type CalendarErrorReason, reasonOf } from './calendar-error.ts';
import type { CalendarFetch, Reading } from './readings.ts';

type Capabilities = Pick<Platform, 'calendars' | 'runtime'>;

const deadlineMs = 8000;
const dayMs = 86_400_000;
const maxFeedBytes = 2 * 1024 * 1024;

interface ForWhom {
  readonly userId: number;
  readonly timeZone: string;
}

/** The index and reason of the first feed that can't be read. */
export async function checkFeeds(
  app: Capabilities,
  urls: readonly string[],
  { userId, timeZone }: ForWhom,
): Promise<{ readonly index: number; readonly reason: CalendarErrorReason } | undefined> {
  const check = (reading: Reading) =>
    Promise.all(
      urls.map(async (url) => {
        try {
          const feed = await fetchFeed(reading.fetch, url);
          await reading.parse({ texts: [feed?.text ?? ''], range: comingWeek(app), timeZone });
          return undefined;
        } catch (error) {
          return reasonOf(error);
        }
      }),
    );
  const reasons = await app.calendars.run(userId, check, deadlineMs).catch((error) => [reasonOf(error)]);
  const index = reasons.findIndex((found) => found !== undefined);
  const reason = reasons[index];
  return reason === undefined ? undefined : { index, reason };
}

export async function openCaldav(
  app: Capabilities,
  credentials: Pick<CaldavAccess, 'url' | 'username' | 'password'>,
  { userId, timeZone }: ForWhom,
): Promise<Result<CaldavAccess, CalendarErrorReason>> {
  const open = async ({ fetch, parse }: Reading): Promise<CaldavAccess> => {
    const homeUrl = await discoverHome(fetch, credentials);
    const access: CaldavAccess = { kind: 'caldav', ...credentials, homeUrl };
    const objects = await fetchObjects(fetch, access, comingWeek(app));
    await parse({ texts: objects?.texts ?? [], range: comingWeek(app), timeZone });
    return access;
  };
  try {
    return ok(await app.calendars.run(userId, open, deadlineMs));
  } catch (error) {
    return refuse(reasonOf(error));
  }
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
  fetch: CalendarFetch,
  url: string,
  etag?: string,
): Promise<FetchedFeed | undefined> {
  const accept = 'text/calendar, */*;q=0.1';
  const headers = etag === undefined ? { accept } : { accept, 'if-none-match': etag };
  const answer = await fetch(url, { headers, maxBytes: maxFeedBytes });
  if (answer.status === 304 && etag !== undefined) return undefined;
  if (answer.status !== 200) throw new CalendarError('status', answer.status);
  return { text: answer.text, etag: answer.headers.get('etag') ?? undefined };
}
