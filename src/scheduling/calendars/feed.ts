import { OutboundError, type Sieve } from '../../platform/outbound.ts';
import type { Interval } from '../core/interval.ts';
import { IcsFault } from '../ics/fault.ts';
import { createSieve } from '../ics/sieve.ts';
import { CalendarError } from './calendar-error.ts';
import type { DavReading } from './dav.ts';

const maxFeedBytes = 20 * 1024 * 1024;
/** The sieve blocks the process, which others use, too. */
const sieveWeight = 2;

interface Wanted {
  readonly range: Interval;
  readonly addresses: readonly string[];
}

/**
 * Returns what a range needs of a feed, or nothing if `etag` is current (RFC 9110 §8.8.3). @throws
 * OutboundError, CalendarError
 */
export async function fetchFeed(
  { fetch, charge }: DavReading,
  url: string,
  { range, addresses }: Wanted,
  etag?: string,
) {
  const accept = 'text/calendar, */*;q=0.1';
  const headers = etag === undefined ? { accept } : { accept, 'if-none-match': etag };
  const sieve = sieveIfLong(() => createSieve(range, addresses), charge);
  const answer = await fetch(url, { headers, maxBytes: maxFeedBytes, sieve });
  if (answer.status === 304 && etag !== undefined) return undefined;
  if (answer.status !== 200) throw new CalendarError('status', answer.status);
  const newEtag = answer.headers.get('etag') ?? '';
  return { text: answer.text, etag: /^.{1,200}$/.test(newEtag) ? newEtag : undefined };
}

/** What arrives isn't read further, and its reader is told why. */
function bounded<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw error instanceof IcsFault ? new OutboundError('too_large') : error;
  }
}

/** Most feeds are small, and threads read them as they are. */
const maxUnsieved = 2 * 1024 * 1024;

/** Begins to sieve what is longer, while its owner has time left (security C142). */
function sieveIfLong(createWanted: () => Sieve, charge: DavReading['charge']): Sieve {
  let [start, length, sieve]: [string[], number, Sieve | undefined] = [[], 0, undefined];
  const timed = <Value>(act: () => Value): Value => {
    const begunAt = performance.now();
    const value = bounded(act);
    // protects: C142
    if (charge(sieveWeight * (performance.now() - begunAt)) === 0) throw new OutboundError('busy');
    return value;
  };
  return {
    add(text) {
      length += text.length;
      if (sieve === undefined && length <= maxUnsieved) {
        start.push(text);
        return text.length;
      }
      const known = sieve ?? createWanted();
      sieve = known;
      const parts = [...start, text];
      // What was kept as it is has been counted.
      const counted = start.reduce((sum, part) => sum + part.length, 0);
      start = [];
      return parts.reduce((sum, part) => sum + timed(() => known.add(part)), -counted);
    },
    end() {
      const known = sieve;
      return known === undefined ? start.join('') : timed(() => known.end());
    },
  };
}
