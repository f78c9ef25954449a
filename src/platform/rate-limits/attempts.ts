import type { FastifyReply } from 'fastify';
import type { Platform } from '../platform.ts';
import type { Secrets } from '../secrets.ts';
import { english } from '../words.ts';
import { maxOf, type RateLimit } from './limit.ts';
import { type Consumed, consumeOne, findResetAt, type KeyedLimit, refundOne } from './store.ts';

export interface Limited {
  readonly limit: RateLimit;
  readonly parts: readonly string[];
  /** A key that stands for several may reach a multiple of the limit; 1 by default. */
  readonly share?: number;
}

export interface LimitReached {
  readonly outcome: 'limited';
  readonly limit: RateLimit;
  readonly retryAfterSeconds: number;
}

export type Consumption =
  | { readonly outcome: 'allowed'; readonly consumed: readonly Consumed[] }
  | LimitReached;

/**
 * Counts before the check, so that parallel attempts stay within the limit. {@link refund} gives
 * back.
 */
export async function consume(
  { db, runtime, secrets }: Pick<Platform, 'db' | 'runtime' | 'secrets'>,
  attempt: readonly Limited[],
): Promise<Consumption> {
  const now = runtime.now();
  const consumed: Consumed[] = [];
  for (const limited of attempt) {
    const { limit } = limited;
    const keyed = keyedLimitOf({ ...limited, limit: { ...limit, max: maxOf(limit, runtime) } }, secrets);
    const one = await consumeOne(db, keyed, now);
    if (one === undefined) {
      const resetAt = (await findResetAt(db, keyed.key)) ?? now;
      const seconds = Math.ceil((resetAt.getTime() - now.getTime()) / 1000);
      return { outcome: 'limited', limit, retryAfterSeconds: Math.max(seconds, 1) };
    }
    consumed.push(one);
  }
  return { outcome: 'allowed', consumed };
}

export async function refund({ db }: Pick<Platform, 'db'>, consumed: readonly Consumed[]): Promise<void> {
  for (const one of consumed) await refundOne(db, one);
}

/** A throw means that nothing was compared, so the attempt is refunded. */
export async function refundIfThrown<Value>(
  app: Pick<Platform, 'db'>,
  consumed: readonly Consumed[],
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    await refund(app, consumed);
    throw error;
  }
}

/** Callers count with this in their own transactions. */
export function keyedLimitOf({ limit, parts, share = 1 }: Limited, secrets: Secrets): KeyedLimit {
  const { name, max, windowSeconds } = limit;
  // A stolen table reveals neither accounts nor addresses.
  const mac = secrets.mac('attempt', Buffer.from(JSON.stringify([name, ...parts])));
  return { key: Buffer.from(mac).toString('base64url'), name, max: max * share, windowSeconds };
}

type RetryAfter = Pick<LimitReached, 'retryAfterSeconds'>;

/** Sets 429 and the time to wait (RFC 9110 §10.2.3); the caller sends the page. */
export function tooMany(reply: FastifyReply, { retryAfterSeconds }: RetryAfter): FastifyReply {
  return reply.code(429).header('retry-after', String(retryAfterSeconds));
}

export function tryAgain({ retryAfterSeconds }: RetryAfter, { t } = english): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return minutes === 1
    ? t('Try again in a minute.')
    : t('Try again in {minutes} {minutes|minute|minutes}.', { minutes });
}
