import { decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { type KeyLookup, keysOfJwks } from '../../src/oauth/core/access-token.ts';

export interface KeyCache {
  /** The keys to verify a token with; undefined if they cannot be had, so that nobody can tell whether the token is good. */
  keysFor(token: string): Promise<KeyLookup | undefined>;
}

interface HeldKeys {
  readonly lookUp: KeyLookup;
  readonly ids: ReadonlySet<string | undefined>;
  readonly fetchedAtMs: number;
}

/** As long as Latchkey's Cache-Control allows. It publishes a key a day before it signs, so that no cache meets a token too early. */
const lifetimeMs = 3_600_000;
/** Anybody can send tokens with made-up key ids; they must not make us ask more often than this. */
const pauseMs = 60_000;
const timeoutMs = 5000;

/**
 * Keeps a JWKS document: fetched with the first token, again after an hour, and again for an unknown key id, but then at most once
 * a minute. While it cannot be had, the keys that were are used on.
 *
 * What is kept between requests is the result, never a fetch under way: on Workers one request may not wait for another one's.
 */
export function createKeyCache(jwksUrl: string, nowMs: () => number): KeyCache {
  let held: HeldKeys | undefined;
  let triedAtMs = 0;
  return {
    async keysFor(token) {
      const now = nowMs();
      if (held === undefined || (isWanting(held, token, now) && now - triedAtMs >= pauseMs)) {
        triedAtMs = now;
        held = (await fetchKeys(jwksUrl, now)) ?? held;
      }
      return held?.lookUp;
    },
  };
}

function isWanting(held: HeldKeys, token: string, now: number): boolean {
  const keyId = keyIdOf(token);
  return now - held.fetchedAtMs >= lifetimeMs || (keyId !== undefined && !held.ids.has(keyId));
}

/** Undefined for what is no token at all. */
function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function fetchKeys(jwksUrl: string, fetchedAtMs: number): Promise<HeldKeys | undefined> {
  try {
    const answer = await fetch(jwksUrl, { signal: AbortSignal.timeout(timeoutMs) });
    const jwks: unknown = await answer.json();
    if (!answer.ok || !isJwks(jwks)) return undefined;
    const lookUp = keysOfJwks(jwks);
    return { lookUp, ids: new Set(lookUp.jwks().keys.map(({ kid }) => kid)), fetchedAtMs };
  } catch {
    return undefined;
  }
}

function isJwks(value: unknown): value is JSONWebKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
