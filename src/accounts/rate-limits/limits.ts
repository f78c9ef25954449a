import type { FastifyReply } from 'fastify';
import type { Platform } from '../../platform/platform.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type Consumed, consumeOne, deleteCount, findResetAt, type RateLimit, refundOne } from './store.ts';

const quarterHour = 15 * 60;
const halfHour = 30 * 60;
const hour = 3600;

/** How many of each kind a window allows; it begins with the first one. */
const limits = {
  /**
   * Failed sign-ins. Guessers use up what unknown browsers have; the account's own browsers have a
   * limit each, so the owner gets in meanwhile (OWASP, device cookies).
   */
  account: { max: 10, windowSeconds: quarterHour },
  device: { max: 10, windowSeconds: quarterHour },
  address: { max: 100, windowSeconds: quarterHour },
  /** Sign-ins to one account, failed or not: each costs a password hash. */
  sign_in: { max: 30, windowSeconds: quarterHour },
  /** New accounts, or tries: each costs a password hash. */
  sign_up: { max: 50, windowSeconds: hour },
  /** At somebody else's open session nobody can try out passwords. */
  password_change: { max: 10, windowSeconds: quarterHour },
  /** Invitation emails by one inviter, and to one address by all of them. */
  invitation_letter: { max: 20, windowSeconds: hour },
  invited_address: { max: 3, windowSeconds: hour },
  /** Submissions of one owner: each sends an email to every admin. */
  submission: { max: 20, windowSeconds: hour },
  /** Of one network, which may be a whole company's. */
  reset_request: { max: 60, windowSeconds: quarterHour },
  /**
   * So that nobody can fill somebody else's mailbox. As long as a link works: whoever is flooded
   * still has an email whose link opens.
   */
  reset_letter: { max: 3, windowSeconds: halfHour },
} as const;

/** The limit of a kind, for those who state it. */
export function maxOf(kind: keyof typeof limits): number {
  return limits[kind].max;
}

/** What a limit counts: a kind, and whose. */
export interface Limited {
  readonly kind: keyof typeof limits;
  readonly parts: readonly string[];
}

export interface LimitReached {
  readonly outcome: 'limited';
  readonly kind: Limited['kind'];
  readonly retryAfterSeconds: number;
}

export type Consumption =
  | { readonly outcome: 'allowed'; readonly consumed: readonly Consumed[] }
  | LimitReached;

/**
 * Counts an attempt before it is looked at, so that of any number at the same time, on any number
 * of instances, no more than the limit are looked at. What should not count is given to {@link
 * refund}.
 */
export async function consume(
  { db, runtime, secrets }: Pick<Platform, 'db' | 'runtime' | 'secrets'>,
  attempt: readonly Limited[],
): Promise<Consumption> {
  const now = runtime.now();
  const consumed: Consumed[] = [];
  for (const limited of attempt) {
    const limit = rateLimitOf(limited, secrets);
    const one = await consumeOne(db, limit, now);
    if (one === undefined) {
      const resetAt = (await findResetAt(db, limit.key)) ?? now;
      const seconds = Math.ceil((resetAt.getTime() - now.getTime()) / 1000);
      return { outcome: 'limited', kind: limited.kind, retryAfterSeconds: Math.max(seconds, 1) };
    }
    consumed.push(one);
  }
  return { outcome: 'allowed', consumed };
}

/** Takes attempts out of the count: they did not fail. */
export async function refund({ db }: Pick<Platform, 'db'>, consumed: readonly Consumed[]): Promise<void> {
  for (const one of consumed) await refundOne(db, one);
}

/**
 * Does what an attempt is for. Where that throws nothing was compared, and the attempt is refunded.
 */
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

/** Starts over: whoever failed before has proved to be the right one. */
export async function resetLimit(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  limited: Limited,
): Promise<void> {
  await deleteCount(db, keyOf(limited, secrets));
}

/** For those who count in a transaction of their own. */
export function rateLimitOf(limited: Limited, secrets: Secrets): RateLimit {
  return { key: keyOf(limited, secrets), ...limits[limited.kind] };
}

/** A stolen table reveals neither accounts nor addresses. */
function keyOf({ kind, parts }: Limited, secrets: Secrets): string {
  const bytes = Buffer.from(JSON.stringify([kind, ...parts]));
  return Buffer.from(secrets.mac('attempt', bytes)).toString('base64url');
}

type RetryAfter = Pick<LimitReached, 'retryAfterSeconds'>;

/** Answers 429 with the time to wait (RFC 9110 §10.2.3); the caller sends the page. */
export function tooMany(reply: FastifyReply, { retryAfterSeconds }: RetryAfter): FastifyReply {
  return reply.code(429).header('retry-after', String(retryAfterSeconds));
}

export function tryAgain({ retryAfterSeconds }: RetryAfter): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return minutes === 1 ? 'Try again in a minute.' : `Try again in ${minutes} minutes.`;
}
