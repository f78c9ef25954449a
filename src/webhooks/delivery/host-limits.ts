import { createBucket } from '../../platform/limits/buckets.ts';
import { memoryLimits } from '../../platform/limits/limits.ts';
import { around } from '../../platform/limits/whose.ts';
import { longestRetrySeconds } from '../../platform/mail/delivery.ts';
import type { Platform } from '../../platform/platform.ts';

/** The limits are for what this instance sends to one host. */
export interface HostLimits {
  /** Returns when to ask again; undefined means that it may be sent to now, until `leave`. */
  enter(hostname: string, account: string): Date | undefined;
  leave(hostname: string): void;
}

const pauseMs = 10_000;

export function createHostLimits(runtime: Platform['runtime'], maxOpen: number): HostLimits {
  const bucket = createBucket(memoryLimits.deliveries, runtime);
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
      const own = [`${account} ${hostname}`, 1] as const;
      const all = [hostname, around] as const;
      if (isOpen >= maxOpen || !bucket.hasRoom([all])) return pause(hostname, bucket.max * around); // protects: C241
      if (!bucket.take([own, all]).isAllowed) return pause(own[0], bucket.max); // protects: C126
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
