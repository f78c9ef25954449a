import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RenderedEmail, renderEmail } from '../../platform/mail/email.ts';
import { clientAddressOf } from '../device-recognition/address.ts';
import { describeBrowser, keptUserAgent, readDevice } from '../device-recognition/devices.ts';
import { isPassword, passwordClientOf } from '../passwords/password.ts';
import { consume, type Limited, type LimitReached, refund, refundIfThrown } from '../rate-limits/limits.ts';
import { signIn } from '../sessions/session.ts';
import { findSignInAccount, type SignInAccount, wasUserCreated } from '../store.ts';
import { newSignInEmail } from './emails.ts';

export type SignInOutcome = { readonly outcome: 'signed_in' | 'refused' } | LimitReached;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in by password. The attempt is counted before the password is compared (security C48).
 * Known and unknown accounts take the same work and get the same answer; over the limit no password
 * is compared, right or wrong.
 */
export async function signInByPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: Credentials,
): Promise<SignInOutcome> {
  const app = request.server;
  const device = readDevice(request);
  const account = await findSignInAccount(app.db, email, device?.idHash);
  const knownDevice = account?.isKnownDevice === true ? device?.idHash : undefined;
  const client = passwordClientOf(request, reply);
  const { failures, attempts } = limitsOf(email, client.network, knownDevice);
  const attempt = await consume(app, [...failures, ...attempts]);
  if (attempt.outcome === 'limited') {
    request.log.warn({ limit: attempt.kind }, 'too many sign-ins');
    return attempt;
  }
  const { consumed } = attempt;
  const isRight = await refundIfThrown(app, consumed, () =>
    isPassword(password, account?.passwordHash, client),
  );
  if (account === undefined || !isRight) return { outcome: 'refused' };
  const { id, passwordHash } = account;
  const proof = { passwordHash, notice: noticeOf(request, account, email) };
  if (!(await signIn(request, reply, id, proof))) return { outcome: 'refused' };
  app.mail.nudge();
  await refund(app, consumed.slice(0, failures.length));
  return { outcome: 'signed_in' };
}

/**
 * What a sign-in is counted by. `failures` are refunded when it succeeds. Unknown emails count like
 * accounts, so that nothing tells them apart. An account's own browsers count apart from others,
 * so that others lock nobody out.
 */
function limitsOf(
  email: string,
  network: string,
  knownDevice: string | undefined,
): { readonly failures: readonly Limited[]; readonly attempts: readonly Limited[] } {
  if (knownDevice !== undefined) {
    const failures = [{ kind: 'device', parts: [email, knownDevice] }] as const;
    return { failures, attempts: [{ kind: 'sign_in', parts: [email, 'own'] }] };
  }
  // The address first: one over its own limit doesn't use up that of accounts.
  const failures = [
    { kind: 'address', parts: [network] },
    { kind: 'account', parts: [email] },
  ] as const;
  return { failures, attempts: [{ kind: 'sign_in', parts: [email, 'strange'] }] };
}

const repeatSeconds = 60;

/**
 * Signs in whoever has just created this very account: a form sent twice ends well both times. By
 * the password and within the limits of every sign-in, so it opens nothing that sign-in doesn't.
 */
export async function signInAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  form: Credentials & { readonly username: string },
): Promise<boolean> {
  const { db, runtime } = request.server;
  const since = new Date(runtime.now().getTime() - repeatSeconds * 1000);
  if (!(await wasUserCreated(db, form, since))) return false;
  return (await signInByPassword(request, reply, form)).outcome === 'signed_in';
}

/**
 * The email about a browser that is new to the account; an account without known browsers gets one,
 * too.
 */
function noticeOf(
  request: FastifyRequest,
  { isKnownDevice, timeZone }: SignInAccount,
  email: string,
): RenderedEmail | undefined {
  if (isKnownDevice) return undefined;
  const { config, runtime, secrets } = request.server;
  const facts = {
    at: runtime.now(),
    timeZone,
    browser: describeBrowser(keptUserAgent(request.headers['user-agent'])),
    address: clientAddressOf(request),
  };
  return renderEmail(newSignInEmail(facts, config.appUrl), email, { runtime, secrets });
}
