import type { Db } from '../../io/database.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import { findWindowEnd, returnAttempt, type TakenAttempt, takeAttempt } from './store.ts';

const quarterHour = 15 * 60;

/**
 * How many may fail in a window that begins with the first one. Whoever guesses uses up what the browsers have that the account does not
 * know; its own browsers are counted each by itself, so that the owner gets in all the while (OWASP, device cookies).
 */
const allowances = {
  account: { most: 10, windowSeconds: quarterHour },
  device: { most: 10, windowSeconds: quarterHour },
  address: { most: 100, windowSeconds: quarterHour },
  /** Accounts made, or tried to: each costs a password hash. */
  sign_up: { most: 50, windowSeconds: 3600 },
} as const;

/** One thing that is counted: a kind of allowance, and whose. */
export interface Counted {
  readonly kind: keyof typeof allowances;
  readonly parts: readonly string[];
}

export type Turn =
  | { readonly outcome: 'granted'; readonly taken: readonly TakenAttempt[] }
  | { readonly outcome: 'limited'; readonly kind: Counted['kind']; readonly retryAfterSeconds: number };

export interface LimitDeps {
  readonly db: Db;
  readonly rootSecret: RootSecret;
}

/** What an attempt to sign in is counted by. The same for an e-mail address without an account, so that nothing tells it apart. */
export function countedAtSignIn(
  email: string,
  network: string,
  knownDevice: string | undefined,
): readonly Counted[] {
  if (knownDevice !== undefined) return [{ kind: 'device', parts: [email, knownDevice] }];
  // The address first: one that has used up its own allowance does not use up that of accounts.
  return [
    { kind: 'address', parts: [network] },
    { kind: 'account', parts: [email] },
  ];
}

/**
 * Counts an attempt before its password is looked at, so that of any number of guesses at once, on any number of instances, no more than
 * the allowance are looked at. One that succeeds is given back with {@link giveBack}.
 */
export async function takeTurn(
  { db, rootSecret }: LimitDeps,
  counted: readonly Counted[],
  now: Date,
): Promise<Turn> {
  const taken: TakenAttempt[] = [];
  for (const one of counted) {
    const key = keyOf(one, rootSecret);
    const attempt = await takeAttempt(db, key, allowances[one.kind], now);
    if (attempt === undefined) return limited(one.kind, await findWindowEnd(db, key), now);
    taken.push(attempt);
  }
  return { outcome: 'granted', taken };
}

/** Takes attempts back out of the count: they were no failures. */
export async function giveBack({ db }: LimitDeps, taken: readonly TakenAttempt[]): Promise<void> {
  for (const attempt of taken) await returnAttempt(db, attempt);
}

/** A stolen table says neither whose sign-ins failed nor from where. */
function keyOf({ kind, parts }: Counted, rootSecret: RootSecret): string {
  const bytes = Buffer.from(JSON.stringify([kind, ...parts]));
  return Buffer.from(rootSecret.mac('sign-in', bytes)).toString('base64url');
}

function limited(kind: Counted['kind'], windowEnd: Date | undefined, now: Date): Turn {
  const seconds = Math.ceil(((windowEnd ?? now).getTime() - now.getTime()) / 1000);
  return { outcome: 'limited', kind, retryAfterSeconds: Math.max(seconds, 1) };
}
