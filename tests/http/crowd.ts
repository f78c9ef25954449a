import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestService } from '../support/service.ts';

/**
 * Two are looked at, and fifty wait: as many as the queue of passwords takes on each side. A few more
 * ask again and again, so that no place stays free where several turns end together.
 */
const places = 52 + 12;

/**
 * Takes so many places in the queue of passwords on each side, all of them by default, and takes
 * each again when its turn is over. Answers what empties the queue.
 */
export function crowdPasswords({ app }: TestService, count = places): () => Promise<void> {
  const leaving = new AbortController();
  const waiting = Array.from({ length: 2 * count }, async (_place, index) => {
    const asker = { networks: [`crowd ${index}`], isKnown: index % 2 === 0, signal: leaving.signal };
    while (!leaving.signal.aborted) {
      await app.passwords.hash('one of a crowd', asker).catch(() => nextTurn());
    }
  });
  return async () => {
    leaving.abort();
    await Promise.all(waiting);
  };
}
