import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestService } from '../support/service.ts';

/**
 * One is looked at, and fifty wait, on each side of the queue of passwords. A few more ask again and
 * again, so that no place stays free where several turns end together.
 */
const places = 51 + 12;

/** Ten times the work of a usual one, so that a turn outlasts what a test does meanwhile. */
const slow = `$argon2id$v=19$m=19456,t=20,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Takes so many places in the queue of passwords on each side, all of them by default, and takes
 * each again when its turn is over. Answers what empties the queue.
 */
export function crowdPasswords({ app }: TestService, count = places): () => Promise<void> {
  const leaving = new AbortController();
  const waiting = Array.from({ length: 2 * count }, async (_place, index) => {
    const asker = {
      networks: [`crowd ${index}`, `crowd ${index}`] as const,
      isKnown: index % 2 === 0,
      signal: leaving.signal,
    };
    while (!leaving.signal.aborted) {
      await app.passwords.isRight('one of a crowd', slow, asker).catch(() => nextTurn());
    }
  });
  return async () => {
    leaving.abort();
    await Promise.all(waiting);
  };
}
