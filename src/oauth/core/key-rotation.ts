import { accessTokenSeconds } from './access-token.ts';
import { secondsBetween } from './grant.ts';

export interface ScheduledKey {
  readonly id: string;
  readonly activeAt: Date;
}

const day = 24 * 3600;
export const keyLifetimeSeconds = 90 * day;
/** A key is published this long before and after its use: longer than caches keep it. */
export const keyMarginSeconds = day;

export interface KeyStates<Key extends ScheduledKey> {
  readonly active: Key | undefined;
  readonly published: readonly Key[];
  readonly gone: readonly Key[];
  readonly wantedAt: Date | undefined;
}

export function newestFirst<Key extends ScheduledKey>(keys: readonly Key[]): readonly Key[] {
  return keys.toSorted((a, b) => b.activeAt.getTime() - a.activeAt.getTime() || a.id.localeCompare(b.id));
}

/** Expects the newest key first. If a clock is behind, the first key counts as active. */
export function activeKeyOf<Key extends ScheduledKey>(ordered: readonly Key[], now: Date): Key | undefined {
  return ordered.find((key) => key.activeAt <= now) ?? ordered.at(-1);
}

/**
 * Keys go from next to active, retiring and gone (architecture §2). Every instance gets the same
 * answer.
 */
export function decideKeyStates<Key extends ScheduledKey>(keys: readonly Key[], now: Date): KeyStates<Key> {
  const ordered = newestFirst(keys);
  const active = activeKeyOf(ordered, now);
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
