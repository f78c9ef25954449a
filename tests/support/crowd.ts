import { setImmediate as nextTurn } from 'node:timers/promises';
import { hashPassword } from '../../src/accounts/password.ts';

/** Two are looked at, fifty wait: as many as the queue of passwords takes. */
const places = 52;

/**
 * Takes so many places in the queue of passwords, all of them if nothing else is said, and takes each again when its turn is over. Answers
 * what empties the queue.
 */
export function crowdPasswords(count = places): () => Promise<void> {
  const leaving = new AbortController();
  const waiting = Array.from({ length: count }, async () => {
    while (!leaving.signal.aborted) {
      await hashPassword('one of a crowd', leaving.signal).catch(() => nextTurn());
    }
  });
  return async () => {
    leaving.abort();
    await Promise.all(waiting);
  };
}
