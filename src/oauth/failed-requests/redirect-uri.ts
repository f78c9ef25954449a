import type { differences } from './words.ts';

/**
 * Where a presented redirect URI first differs from the authorization request's. `before` and
 * `expected` are of the latter, which is registered: the presented one could hold a code or a
 * secret.
 */
export interface Difference {
  readonly how: keyof typeof differences;
  /** Of the first character that differs, counted from 1. */
  readonly position: number;
  readonly before: string;
  readonly expected: string;
}

const contextLength = 24;

/** The first difference of two redirect URIs that don't equal as strings (contract §4). */
export function findDifference(sent: string, asked: string): Difference {
  let at = 0;
  while (at < asked.length && sent[at] === asked[at]) at += 1;
  const before = asked.slice(Math.max(0, at - contextLength), at);
  const expected = asked.slice(at, at + contextLength);
  return { how: howTheyDiffer(sent, asked, at), position: at + 1, before, expected };
}

function howTheyDiffer(sent: string, asked: string, at: number): Difference['how'] {
  if (sent.trim() === asked) return 'whitespace';
  if (at === asked.length && /[?&#](?:code|state|iss|error)=/.test(sent.slice(at))) return 'answer_appended';
  if (sent.toLowerCase() === asked.toLowerCase()) return 'letter_case';
  if (sent === `${asked}/`) return 'extra_slash';
  if (`${sent}/` === asked) return 'missing_slash';
  const [found = '', expected = ''] = [sent[at], asked[at]];
  if (found === '%' || expected === '%') return 'encoding';
  if (/[^\x21-\x7e]/.test(found)) return 'non_ascii';
  return partAtEndOf(`${asked.slice(0, at)}${found || expected}`);
}

/** The part of a URI that its beginning leads into (RFC 3986 §3). */
function partAtEndOf(start: string): Difference['how'] {
  if (start.includes('#')) return 'fragment';
  if (start.includes('?')) return 'query';
  if (/^[^:]*:?$/.test(start)) return 'scheme';
  const [, authority] = /^[^:]*:\/\/([^/]*)$/.exec(start) ?? [];
  if (authority === undefined) return 'path';
  return /^(?:\[[^\]]*\]|[^:[]*):/.test(authority) ? 'port' : 'host';
}
