import { CalendarError } from './calendar-error.ts';
import type { CalendarFetch } from './readings.ts';

const maxFeedBytes = 2 * 1024 * 1024;

/** Returns nothing if `etag` is current (RFC 9110 §8.8.3). @throws OutboundError, CalendarError */
export async function fetchFeed(fetch: CalendarFetch, url: string, etag?: string) {
  const accept = 'text/calendar, */*;q=0.1';
  const headers = etag === undefined ? { accept } : { accept, 'if-none-match': etag };
  const answer = await fetch(url, { headers, maxBytes: maxFeedBytes });
  if (answer.status === 304 && etag !== undefined) return undefined;
  if (answer.status !== 200) throw new CalendarError('status', answer.status);
  const newEtag = answer.headers.get('etag') ?? '';
  return { text: answer.text, etag: /^.{1,200}$/.test(newEtag) ? newEtag : undefined };
}
