import type { Outbound } from '../../io/outbound.ts';
import { Unreadable } from './unreadable.ts';

export interface FetchedFeed {
  readonly text: string;
  /** ETag, for the next time (RFC 9110 §8.8.3). */
  readonly etag: string | undefined;
}

/**
 * An ICS feed as its server has it; undefined when it is still the one of this ETag. What it says of its content type is not believed.
 *
 * @throws OutboundError, Unreadable
 */
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
  if (answer.status !== 200) throw new Unreadable('status', answer.status);
  return { text: answer.text, etag: answer.headers.get('etag') ?? undefined };
}
