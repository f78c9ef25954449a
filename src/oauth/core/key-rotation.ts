import { accessTokenSeconds } from './access-token.ts';
import { secondsBetween } from './grant.ts';

/**
 * When a signing key begins to sign. Which state it is in follows from that and the clock alone.
 */
export interface ScheduledKey {
  readonly id: string;
  readonly activeAt: Date;
}

const day = 24 * 3600;
/** How long a key signs before the next one takes over. */
export const keyLifetimeSeconds = 90 * day;
/**
 * A key is published this long before it signs and after its last token expired: longer than caches
 * keep it.
 */
export const keyMarginSeconds = day;
/** What we tell caches of the JWKS. */
export const jwksCacheSeconds = 3600;

export interface KeyStates<Key extends ScheduledKey> {
  readonly active: Key | undefined;
  /** To be published: next, active and retiring keys. */
  readonly published: readonly Key[];
  /** Keys that nothing needs any more. */
  readonly gone: readonly Key[];
  /** When the next key has to begin; undefined while none is due to be made. */
  readonly wantedAt: Date | undefined;
}

/**
 * Signing keys at an instant: next → active → retiring → gone (architecture §2). Every instance
 * gets the same answer from the same rows.
 */
export function decideKeyStates<Key extends ScheduledKey>(keys: readonly Key[], now: Date): KeyStates<Key> {
  const ordered = keys.toSorted(
    (a, b) => b.activeAt.getTime() - a.activeAt.getTime() || a.id.localeCompare(b.id),
  );
  // Where a clock is behind, all keys may seem to be to come; the first of them is as good as
  // begun.
  const active = ordered.find((key) => key.activeAt <= now) ?? ordered.at(-1);
  if (active === undefined) return { active, published: ordered, gone: [], wantedAt: now };
  const isGone = (key: Key): boolean => {
    const successor = ordered[ordered.indexOf(key) - 1];
    if (successor === undefined || successor.activeAt > now) return false;
    return secondsBetween(successor.activeAt, now) > accessTokenSeconds + keyMarginSeconds;
  };
  const endsAt = new Date(active.activeAt.getTime() + keyLifetimeSeconds * 1000);
  const publishBy = new Date(endsAt.getTime() - keyMarginSeconds * 1000);
  const hasNext = ordered[0] !== active;
  const earliest = new Date(now.getTime() + keyMarginSeconds * 1000);
  return {
    active,
    published: ordered.filter((key) => !isGone(key)),
    gone: ordered.filter(isGone),
    wantedAt: hasNext || now < publishBy ? undefined : endsAt > earliest ? endsAt : earliest,
  };
}
