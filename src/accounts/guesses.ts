import type { FastifyRequest } from 'fastify';
import { LimitReached } from '../platform/limits/reached.ts';
import { type Counted, giveBack, spendAll } from '../platform/limits/store.ts';

/** Too much was guessed before, so nothing was checked. */
export interface Guessed {
  readonly outcome: 'limited';
  readonly reached: LimitReached;
}

/** Counts before the check. What is right, or was never checked, is refunded. */
export async function guessWithin<Value>(
  request: FastifyRequest,
  guesses: readonly Counted[],
  check: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly refund: () => Promise<void> } | Guessed> {
  const { db, runtime } = request.server;
  try {
    const taken = await spendAll(db, guesses, runtime.now());
    const refund = (): Promise<void> => giveBack(db, taken);
    const value = await check().catch(async (error: unknown) => {
      await refund();
      throw error;
    });
    return { value, refund };
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    request.log.warn({ limit: error.limit.name }, 'too many sign-ins');
    return { outcome: 'limited', reached: error };
  }
}
