import type { Db } from '../../io/database.ts';
import type { RootSecret } from '../../io/root-secret.ts';
import { resetSeconds } from '../password-reset/token.ts';
import {
  type Attempt,
  findWindow,
  forgetAttempts,
  returnAttempt,
  type TakenAttempt,
  takeAttempt,
} from './store.ts';

const quarterHour = 15 * 60;
const hour = 3600;

/** How many of each kind there may be in a window that begins with the first one. */
const allowances = {
  /**
   * Sign-ins that failed. Whoever guesses uses up what the browsers have that the account does not know; its own browsers are counted each by
   * itself, so that the owner gets in all the while (OWASP, device cookies).
   */
  account: { most: 10, windowSeconds: quarterHour },
  device: { most: 10, windowSeconds: quarterHour },
  address: { most: 100, windowSeconds: quarterHour },
  /** Sign-ins to one account, failed or not: each costs a password hash, and whoever knows the password could go on for ever. */
  sign_in: { most: 30, windowSeconds: quarterHour },
  /** Accounts made, or tried to: each costs a password hash. */
  sign_up: { most: 50, windowSeconds: hour },
  /** Whoever sits at somebody else's open session must not try out passwords. */
  password_change: { most: 10, windowSeconds: quarterHour },
  /** Letters with invitations, whatever becomes of what they invite into: of one inviter, and to one address from all inviters. */
  invitation_letter: { most: 20, windowSeconds: hour },
  invited_address: { most: 3, windowSeconds: hour },
  /** What one owner puts before the reviewers: each time every admin gets a letter. */
  submission: { most: 20, windowSeconds: hour },
  /** Of one client address, which may be that of a whole company. */
  reset_request: { most: 60, windowSeconds: quarterHour },
  /**
   * So that nobody can fill somebody else's mailbox, and no longer than a link works: whoever's letters were all asked for by others still has one
   * whose link opens.
   */
  reset_letter: { most: 3, windowSeconds: resetSeconds },
  /** A second sending of the same kept form is noticed for so long. */
  kept_form: { most: 1, windowSeconds: 24 * hour },
} as const;

/** How many of a kind there may be, for those who say so. */
export function mostOf(kind: keyof typeof allowances): number {
  return allowances[kind].most;
}

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

/** What an attempt to sign in is counted by: what is given back when it succeeds, and what is not. */
export interface CountedSignIn {
  readonly passing: readonly Counted[];
  readonly lasting: readonly Counted[];
}

/**
 * The same for an e-mail address without an account, so that nothing tells it apart. Strangers' browsers and the account's own are counted
 * apart throughout, so that strangers keep nobody out.
 */
export function countedAtSignIn(
  email: string,
  network: string,
  knownDevice: string | undefined,
): CountedSignIn {
  if (knownDevice !== undefined) {
    const passing = [{ kind: 'device', parts: [email, knownDevice] }] as const;
    return { passing, lasting: [{ kind: 'sign_in', parts: [email, 'own'] }] };
  }
  // The address first: one that has used up its own allowance does not use up that of accounts.
  const passing = [
    { kind: 'address', parts: [network] },
    { kind: 'account', parts: [email] },
  ] as const;
  return { passing, lasting: [{ kind: 'sign_in', parts: [email, 'strange'] }] };
}

/**
 * Counts an attempt before it is looked at, so that of any number at once, on any number of instances, no more than the allowance are looked
 * at. One that does not count is given back with {@link giveBack}.
 */
export async function takeTurn(
  { db, rootSecret }: LimitDeps,
  counted: readonly Counted[],
  now: Date,
): Promise<Turn> {
  const taken: TakenAttempt[] = [];
  for (const one of counted) {
    const attempt = attemptOf(one, rootSecret);
    const own = await takeAttempt(db, attempt, now);
    if (own === undefined) return limited(one.kind, (await findWindow(db, attempt.key))?.resetAt, now);
    taken.push(own);
  }
  return { outcome: 'granted', taken };
}

/** Whether an attempt stands in the count of a window that is open. */
export async function wasTaken({ db, rootSecret }: LimitDeps, counted: Counted, now: Date): Promise<boolean> {
  const window = await findWindow(db, keyOf(counted, rootSecret));
  return window !== undefined && window.resetAt > now && window.count > 0;
}

/** Takes attempts back out of the count: they were no failures. */
export async function giveBack({ db }: LimitDeps, taken: readonly TakenAttempt[]): Promise<void> {
  for (const attempt of taken) await returnAttempt(db, attempt);
}

/** Does what a turn was taken for. What throws was not looked at, so it is no failure, and the turn is given back. */
export async function withTurn<Value>(
  deps: LimitDeps,
  { taken }: { readonly taken: readonly TakenAttempt[] },
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    await giveBack(deps, taken);
    throw error;
  }
}

/** Begins anew: whoever made the failed attempts has proved to be the right one. */
export async function startAnew({ db, rootSecret }: LimitDeps, counted: Counted): Promise<void> {
  await forgetAttempts(db, keyOf(counted, rootSecret));
}

/** An attempt as the table counts it, for those who count it in a transaction of their own. */
export function attemptOf(counted: Counted, rootSecret: RootSecret): Attempt {
  return { key: keyOf(counted, rootSecret), ...allowances[counted.kind] };
}

/** A stolen table says neither whose attempts were counted nor from where. */
function keyOf({ kind, parts }: Counted, rootSecret: RootSecret): string {
  const bytes = Buffer.from(JSON.stringify([kind, ...parts]));
  return Buffer.from(rootSecret.mac('attempt', bytes)).toString('base64url');
}

function limited(kind: Counted['kind'], windowEnd: Date | undefined, now: Date): Turn {
  const seconds = Math.ceil(((windowEnd ?? now).getTime() - now.getTime()) / 1000);
  return { outcome: 'limited', kind, retryAfterSeconds: Math.max(seconds, 1) };
}
