import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../../../platform/platform.ts';
import { noteSecretUses } from './store.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    readonly clientSecretUse: SecretUse;
  }
}

/**
 * When each client secret was last used. Kept in memory and written once a minute, so that a token
 * request neither waits for it nor fails with it (architecture §2).
 */
export interface SecretUse {
  /** Remembers a use; costs no I/O. */
  note(secretId: string, at: Date): void;
  /** Writes what was remembered; a failure is logged and retried next time. */
  flush(): Promise<void>;
  /** Writes a last time, and waits at most a moment. */
  stop(): Promise<void>;
}

const flushEveryMs = 60_000;
const stopWaitMs = 1000;
/** Between two writes, uses of more secrets than this are dropped. */
const maxRemembered = 10_000;

export function startSecretUse({ db, log }: Pick<Platform, 'db' | 'log'>): SecretUse {
  const remembered = new Map<string, Date>();
  let running: Promise<void> = Promise.resolve();

  function note(secretId: string, at: Date): void {
    const known = remembered.get(secretId);
    if (known === undefined && remembered.size >= maxRemembered) return;
    if (known === undefined || known < at) remembered.set(secretId, at);
  }

  async function write(): Promise<void> {
    const uses = [...remembered];
    if (uses.length === 0) return;
    remembered.clear();
    try {
      await noteSecretUses(db, uses);
    } catch (err) {
      log.warn({ err }, 'the last uses of client secrets were not written, to be tried again');
      for (const [secretId, at] of uses) note(secretId, at);
    }
  }

  function flush(): Promise<void> {
    running = running.then(write);
    return running;
  }

  const timer = setInterval(() => void flush(), flushEveryMs).unref();
  return {
    note,
    flush,
    async stop() {
      clearInterval(timer);
      await Promise.race([flush(), sleep(stopWaitMs, undefined, { ref: false })]);
    },
  };
}
