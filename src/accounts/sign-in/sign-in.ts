import type { FastifyReply, FastifyRequest } from 'fastify';
import { keptUserAgent } from '../../platform/audit/context.ts';
import { recordAuditEvent } from '../../platform/audit/store.ts';
import { counted, countedOfNetwork } from '../../platform/limits/store.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { clientAddressOf } from '../../platform/networks.ts';
import { readDevice } from '../browsers.ts';
import { newSignInEmail, noticesTo, passwordMeans, type SignInMeansWords, wordsFor } from '../emails.ts';
import { type Guessed, guessWithin } from '../guesses.ts';
import { passwordClientOf } from '../passwords/password.ts';
import { auditContextOf, signIn } from '../sessions/session.ts';
import { findSignInAccount, type SignInAccount, wasUserCreated } from '../store.ts';

export type SignInOutcome =
  | { readonly outcome: 'signed_in' | 'refused' }
  | { readonly outcome: 'suspended'; readonly reason: string }
  | { readonly outcome: 'second_factor'; readonly account: SignInAccount }
  | Guessed;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Counts before comparing (security C48). Known and unknown accounts cost the same work. */
export async function signInByPassword(
  reply: FastifyReply,
  { email, password }: Credentials,
): Promise<SignInOutcome> {
  const { request } = reply;
  const app = request.server;
  const device = readDevice(request);
  const account = await findSignInAccount(app.db, { email }, device?.idHash);
  const knownDevice = account?.isKnownDevice === true ? device?.idHash : undefined;
  const client = passwordClientOf(request, reply, knownDevice !== undefined);
  const guess = await guessWithin(request, guessesOf(request, email, knownDevice), async () =>
    app.passwords.isRight(password, account?.passwordHash, client),
  );
  if ('reached' in guess) return guess;
  const { value: isRight, refund } = guess;
  if (account === undefined || !isRight) {
    // Unknown accounts write an event, too, so that both take as long.
    const failure = { action: 'user.sign_in_failed', userId: account?.id ?? null } as const;
    await recordAuditEvent(app.db, { ...auditContextOf(request), actorId: null }, failure);
    return { outcome: 'refused' };
  }
  const { id, passwordHash, hasPasskey, suspensionReason } = account;
  if (suspensionReason !== null) {
    const by = { ...auditContextOf(request), actorId: id };
    await recordAuditEvent(app.db, by, { action: 'user.sign_in_refused' });
    return { outcome: 'suspended', reason: suspensionReason };
  }
  const proof = { passwordHash, notice: await noticeOf(request, account) };
  if (!hasPasskey && !(await signIn(reply, id, proof))) return { outcome: 'refused' };
  await refund();
  // protects: C250
  return hasPasskey ? { outcome: 'second_factor', account } : { outcome: 'signed_in' };
}

/** Own browsers count apart, so that strangers lock nobody out. */
function guessesOf(request: FastifyRequest, email: string, knownDevice: string | undefined) {
  if (knownDevice !== undefined) return [counted('guesses', [email, knownDevice])];
  // The network comes first: over its own limit, it doesn't use up the account's.
  return [
    ...countedOfNetwork('guesses_of_network', clientAddressOf(request)),
    counted('guesses', [email]), // protects: C48
  ];
}

const repeatSeconds = 60;

/** A sign-up form that is sent twice signs in, within the limits of every sign-in. */
export async function signInAgain(reply: FastifyReply, form: Credentials & { readonly name: string }) {
  const { db, runtime } = reply.request.server;
  const since = new Date(runtime.now().getTime() - repeatSeconds * 1000);
  if (!(await wasUserCreated(db, form, since))) return false;
  return (await signInByPassword(reply, form)).outcome === 'signed_in';
}

/** Returns undefined for a known browser, and for an unverified address. */
export async function noticeOf(
  request: FastifyRequest,
  account: SignInAccount,
  means: SignInMeansWords = passwordMeans,
): Promise<RenderedEmail | undefined> {
  const app = request.server;
  if (account.isKnownDevice) return undefined;
  const facts = {
    means,
    at: app.runtime.now(),
    owner: account,
    userAgent: keptUserAgent(request.headers['user-agent']),
    address: clientAddressOf(request),
  };
  const email = newSignInEmail(facts, app.config.appUrl, await wordsFor(app, account));
  return noticesTo(app, account, email)[0];
}
