import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import type { Db } from '../../io/database.ts';
import { noteSecretUses } from './store.ts';

/**
 * When each client secret was last used, for its owner to read before deleting it. Kept in memory and written now and then behind the
 * answers, so that a token request neither waits for it nor fails with it (design §2).
 */
export interface SecretUse {
  /** Remembers a use; costs no I/O. */
  note(secretId: string, at: Date): void;
  /** Writes what was remembered; a failure is logged, and tried again the next time. */
  flush(): Promise<void>;
  /** Writes a last time, and waits for it a moment at most. */
  stop(): Promise<void>;
}

export interface SecretUseDeps {
  readonly db: Db;
  readonly log: BaseLogger;
}

const flushEveryMs = 60_000;
const stopWaitMs = 1000;
/** Uses of more secrets than that between two writes are forgotten. */
const mostRemembered = 10_000;

export function startSecretUse({ db, log }: SecretUseDeps): SecretUse {
  const remembered = new Map<string, Date>();
  let running: Promise<void> = Promise.resolve();

  function note(secretId: string, at: Date): void {
    const known = remembered.get(secretId);
    if (known === undefined && remembered.size >= mostRemembered) return;
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
