import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../../../platform/platform.ts';
import { noteSecretUses } from './store.ts';

declare module '../../../platform/platform.ts' {
  interface Platform {
    readonly clientSecretUse: ReturnType<typeof startSecretUse>;
  }
}

const flushEveryMs = 60_000;
const stopWaitMs = 1000;
const maxRemembered = 10_000;

/** Uses are written once a minute, so that token requests don't wait (architecture §2). */
export function startSecretUse({ db, log }: Pick<Platform, 'db' | 'log'>) {
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

  /** A failure is logged and retried next time. */
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
