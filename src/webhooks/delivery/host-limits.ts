import { longestRetrySeconds } from '../../platform/mail/delivery.ts';
import type { Platform } from '../../platform/platform.ts';
import { createBuckets } from '../../platform/rate-limits/in-memory.ts';
import { hostLimits } from '../limits.ts';

const pauseMs = 10_000;

/** The limits are for what this instance sends to one host. */
export interface HostLimits {
  /** Returns when to ask again; undefined means that it may be sent to now, until `leave`. */
  enter(hostname: string, account: string): Date | undefined;
  leave(hostname: string): void;
}

export function createHostLimits(runtime: Platform['runtime'], maxOpen: number): HostLimits {
  const { hosts, ownHosts } = createBuckets(hostLimits, runtime);
  const open = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  /** Requests come back one after another, because a crowd together would find no room. */
  const pause = (key: string, perMinute: number): Date => {
    const now = runtime.now().getTime();
    for (const [former, until] of pausedUntil) if (until <= now) pausedUntil.delete(former);
    const behind = (pausedUntil.get(key) ?? 0) + 60_000 / perMinute;
    const until = Math.min(Math.max(now + pauseMs, behind), now + longestRetrySeconds * 1000);
    pausedUntil.set(key, until);
    return new Date(until);
  };
  return {
    enter(hostname, account) {
      const isOpen = open.get(hostname) ?? 0;
      if (isOpen >= maxOpen) return pause(hostname, hosts.max); // protects: C241
      const own = `${account} ${hostname}`;
      // The account's share is asked first: what it refuses takes nothing from what is left for
      // others.
      if (!ownHosts.allows(own)) return pause(own, ownHosts.max); // protects: C126
      if (!hosts.allows(hostname)) return pause(hostname, hosts.max);
      open.set(hostname, isOpen + 1);
      return undefined;
    },
    leave(hostname) {
      const left = (open.get(hostname) ?? 0) - 1;
      if (left > 0) open.set(hostname, left);
      else open.delete(hostname);
    },
  };
}
