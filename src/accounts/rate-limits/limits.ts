import type { FastifyReply } from 'fastify';
import type { Platform } from '../../platform/platform.ts';
import {
  type Consumed,
  consumeOne,
  findResetAt,
  type RateLimit,
  refundOne,
} from '../../platform/rate-limits/store.ts';
import type { Secrets } from '../../platform/secrets.ts';

const quarterHour = 15 * 60;
const halfHour = 30 * 60;
const hour = 3600;
const day = 24 * hour;

/** Fixed windows, each from its first attempt. */
const limits = {
  /**
   * Failed sign-ins of unknown browsers; the account's own have a limit each (OWASP, device
   * cookies).
   */
  account: { max: 10, windowSeconds: quarterHour },
  device: { max: 10, windowSeconds: quarterHour },
  address: { max: 100, windowSeconds: quarterHour },
  /** Failed or not: each costs a password hash. */
  sign_in: { max: 30, windowSeconds: quarterHour },
  /** New accounts, or tries: each costs a password hash. */
  sign_up: { max: 50, windowSeconds: hour },
  /** A form that is sent twice counts once. */
  sign_up_form: { max: 1, windowSeconds: 60 },
  /** To one address, because of sign-ups with it and accounts that move to it. */
  verification_letter: { max: 3, windowSeconds: hour },
  /** By one account: links for its own address or a new one. */
  verification_request: { max: 5, windowSeconds: hour },
  /** So that passwords can't be tried out in an open session; a right one sends an email. */
  password_change: { max: 10, windowSeconds: quarterHour },
  /** By one person. A deleted group's address stays reserved, so deleting gives none back. */
  new_group: { max: 20, windowSeconds: day },
  /** Of one account, after its password; those of its own browsers count apart. */
  second_factor: { max: 10, windowSeconds: quarterHour },
  /** Passkeys and recovery codes, added or removed: each sends an email. */
  passkey_change: { max: 20, windowSeconds: hour },
  /** By one inviter, and to one address by all of them. */
  invitation_email: { max: 20, windowSeconds: hour },
  invited_address: { max: 3, windowSeconds: hour },
  /** Of one owner, and of one network: each sends an email to every admin. */
  submission: { max: 20, windowSeconds: hour },
  submission_network: { max: 100, windowSeconds: hour },
  /** Of one owner, without a new submission: each is kept in a history, or as a logo. */
  client_change: { max: 100, windowSeconds: day },
  /** Metadata documents of unknown apps: read for one account, for one network. */
  document_request: { max: 10, windowSeconds: hour },
  document_network: { max: 60, windowSeconds: hour },
  /** Those that could be read: of one domain for one account, and for all. */
  document_part: { max: 5, windowSeconds: hour },
  document_domain: { max: 30, windowSeconds: hour },
  /** Of one client's document: each is kept in its history, or sends an email to every admin. */
  document_change: { max: 10, windowSeconds: day },
  /** Of one client: each sends an email, and its hash stays for a while. */
  new_secret: { max: 20, windowSeconds: day },
  /** Of one account's data: each reads all that it has. */
  data_export: { max: 5, windowSeconds: day },
  /** Of one network, which may be a whole company's. */
  reset_request: { max: 60, windowSeconds: quarterHour },
  /** Codes a booker needs: to a mailbox for one owner's event types, and in all; by network. */
  booker_code_letter: { max: 5, windowSeconds: hour },
  booker_code_mailbox: { max: 20, windowSeconds: hour },
  booker_code_request: { max: 30, windowSeconds: hour },
  /** Wrong ones: for one mailbox and event type; of one network. */
  booker_code: { max: 30, windowSeconds: hour },
  booker_code_guess: { max: 20, windowSeconds: hour },
  /** As long as a link works: a flooded mailbox still has an email whose link works. */
  reset_letter: { max: 3, windowSeconds: halfHour },
} as const;

export function maxOf(kind: keyof typeof limits): number {
  return limits[kind].max;
}

export interface Limited {
  readonly kind: keyof typeof limits;
  readonly parts: readonly string[];
  /** How many times the limit a key that stands for several may reach; 1 by default. */
  readonly share?: number;
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
 * Counted before it's checked, so that parallel attempts on any instance stay within the limit.
 * What shouldn't count is given to {@link refund}.
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

export async function refund({ db }: Pick<Platform, 'db'>, consumed: readonly Consumed[]): Promise<void> {
  for (const one of consumed) await refundOne(db, one);
}

/** Where this throws, nothing was compared, and the attempt is refunded. */
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

/** For counting in a transaction of one's own. */
export function rateLimitOf({ kind, parts, share = 1 }: Limited, secrets: Secrets): RateLimit {
  const { max, windowSeconds } = limits[kind];
  // A stolen table reveals neither accounts nor addresses.
  const mac = secrets.mac('attempt', Buffer.from(JSON.stringify([kind, ...parts])));
  return { key: Buffer.from(mac).toString('base64url'), name: kind, max: max * share, windowSeconds };
}

type RetryAfter = Pick<LimitReached, 'retryAfterSeconds'>;

/** 429 with the time to wait (RFC 9110 §10.2.3); the caller sends the page. */
export function tooMany(reply: FastifyReply, { retryAfterSeconds }: RetryAfter): FastifyReply {
  return reply.code(429).header('retry-after', String(retryAfterSeconds));
}

export function tryAgain({ retryAfterSeconds }: RetryAfter): string {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return minutes === 1 ? 'Try again in a minute.' : `Try again in ${minutes} minutes.`;
}
