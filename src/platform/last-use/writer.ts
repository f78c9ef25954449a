import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../platform.ts';
import { noteUses, type UsedColumns } from './store.ts';

const flushEveryMs = 60_000;
const stopWaitMs = 1000;
const maxRemembered = 10_000;

export type LastUse = ReturnType<typeof startLastUse>;

/** Uses are written once a minute, so that requests don't wait (architecture §2). */
export function startLastUse({ db, log }: Pick<Platform, 'db' | 'log'>, columns: UsedColumns, what: string) {
  const remembered = new Map<string, Date>();
  let running: Promise<void> = Promise.resolve();

  function note(id: string, at: Date): void {
    const known = remembered.get(id);
    if (known === undefined && remembered.size >= maxRemembered) return;
    if (known === undefined || known < at) remembered.set(id, at);
  }

  async function write(): Promise<void> {
    const uses = [...remembered];
    if (uses.length === 0) return;
    remembered.clear();
    try {
      await noteUses(db, columns, uses);
    } catch (err) {
      log.warn({ err }, `the last uses of ${what} were not written, to be tried again`);
      for (const [id, at] of uses) note(id, at);
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
