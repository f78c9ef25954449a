import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LetterDeps, type WrittenLetter, writeLetter } from '../outbox/letter.ts';
import { countedAtSignIn, giveBack, type Turn, takeTurn, withTurn } from './attempts/limits.ts';
import { isPassword } from './password.ts';
import type { Asker } from './password-queue.ts';
import { clientAddressOf, networkOf } from './protection/address.ts';
import { describeBrowser } from './protection/browser.ts';
import { readDevice } from './protection/devices.ts';
import { newSignInLetter } from './protection/letters.ts';
import { enter, type SessionDeps } from './session.ts';
import { beginSessionByPassword, type NewSession } from './sessions/store.ts';
import { type AccountToEnter, findAccountToEnter, wasUserMade } from './store.ts';

export interface SignInDeps extends SessionDeps {
  /** Tells the outbox that there is something to send. */
  readonly nudgeOutbox: () => void;
}

export type SignInOutcome =
  | { readonly outcome: 'entered'; readonly userId: number; readonly formToken: string }
  | { readonly outcome: 'refused' }
  | Extract<Turn, { readonly outcome: 'limited' }>;

/**
 * Signs in whoever knows the password. Counted first, looked at then (check C48): the same work is done, and the same is said, whether there
 * is such an account or not; over the limit no password is looked at, right or wrong.
 */
export async function signInByPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { readonly email: string; readonly password: string },
  deps: SignInDeps,
): Promise<SignInOutcome> {
  const device = readDevice(request, deps.appUrl);
  const account = await findAccountToEnter(deps.db, email, device?.idHash);
  const knownDevice = account?.isKnownDevice === true ? device?.idHash : undefined;
  const asker = askerOf(request, reply);
  const { passing, lasting } = countedAtSignIn(email, asker.network, knownDevice);
  const turn = await takeTurn(deps, [...passing, ...lasting], deps.system.now());
  if (turn.outcome === 'limited') {
    request.log.warn({ limit: turn.kind }, 'too many sign-ins');
    return turn;
  }
  const isRight = await withTurn(deps, turn, () => isPassword(password, account?.passwordHash, asker));
  if (account === undefined || !isRight) return { outcome: 'refused' };
  const formToken = await enter(request, reply, account.id, deps, (beginning, now) => {
    const notice = noticeOf(account, email, beginning.session, now, deps);
    return beginSessionByPassword(deps.db, beginning, { passwordHash: account.passwordHash, notice }, now);
  });
  if (formToken === undefined) return { outcome: 'refused' };
  deps.nudgeOutbox();
  await giveBack(deps, turn.taken.slice(0, passing.length));
  return { outcome: 'entered', userId: account.id, formToken };
}

const repeatSeconds = 60;

/**
 * Signs in whoever has just made this very account: a form that is sent twice ends as well the second time. By the password and within the
 * limits of every sign-in, so it opens nothing that the sign-in page does not.
 */
export async function signInAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    email,
    username,
    password,
  }: { readonly email: string; readonly username: string; readonly password: string },
  deps: SignInDeps,
): Promise<boolean> {
  const since = new Date(deps.system.now().getTime() - repeatSeconds * 1000);
  if (!(await wasUserMade(deps.db, { email, username }, since))) return false;
  const attempt = await signInByPassword(request, reply, { email, password }, deps);
  return attempt.outcome === 'entered';
}

/**
 * The letter about a browser that is new to the account. An account whose browsers were never remembered has none that it knows, so its
 * next sign-in is told too: saying nothing would help whoever comes first.
 */
function noticeOf(
  { isKnownDevice, timeZone }: AccountToEnter,
  email: string,
  { userAgent, address }: NewSession,
  at: Date,
  deps: LetterDeps & Pick<SignInDeps, 'appUrl'>,
): WrittenLetter | undefined {
  if (isKnownDevice) return undefined;
  const facts = { at, timeZone, browser: describeBrowser(userAgent), address };
  return writeLetter(newSignInLetter(facts, deps.appUrl), email, deps);
}

/** Whoever sends a password to be looked at: from where, and whether they still wait. */
export function askerOf(request: FastifyRequest, reply: FastifyReply): Required<Asker> {
  return { network: networkOf(clientAddressOf(request)), signal: signalOf(reply) };
}

/** Tells when the browser has hung up before it got an answer. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const check = (): void => {
    if (raw.destroyed && !raw.writableFinished) controller.abort();
  };
  raw.once('close', check);
  check();
  return controller.signal;
}
