import type { FastifyReply, FastifyRequest } from 'fastify';
import { readDevice } from '../accounts/browsers.ts';
import { noticesTo } from '../accounts/emails.ts';
import { accountLimits } from '../accounts/limits.ts';
import { signIn } from '../accounts/sessions/session.ts';
import type { SecondFactor } from '../accounts/sessions/store.ts';
import { noticeOf, type SignInOutcome } from '../accounts/sign-in/sign-in.ts';
import { findSignInAccount, type SignInAccount } from '../accounts/store.ts';
import { consume } from '../platform/rate-limits/attempts.ts';
import { type Challenge, readChallenge } from './challenge.ts';
import { passkeyEmail, passkeyMeans } from './emails.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { findPasskey, usePasskey, useRecoveryCode } from './store.ts';
import { type AssertedCredential, readCounter, userHandleOf } from './webauthn.ts';

export interface Proof {
  readonly secondFactor: SecondFactor;
}

/** A passkey is both factors, since the authenticator has checked who holds it. */
export async function signInByPasskey(
  reply: FastifyReply,
  credential: AssertedCredential,
): Promise<Exclude<SignInOutcome, { readonly outcome: 'second_factor' }>> {
  const { request } = reply;
  const { server: app, session } = request;
  const refused = { outcome: 'refused' } as const;
  const challenge = readChallenge(request, 'sign_in');
  const passkey = await findPasskey(app.db, credential.id);
  if (passkey === undefined || challenge?.isBoundTo(session?.idHash ?? '') !== true) return refused;
  const account = await findSignInAccount(app.db, { id: passkey.userId }, readDevice(request)?.idHash);
  if (account === undefined) return refused;
  // Within a session a passkey confirms its person; without one, the authenticator names the
  // account.
  const { userHandle } = credential.response;
  if (session === undefined ? userHandle !== userHandleOf(account.id) : session.person.id !== account.id)
    return refused;
  const expected = { challenge: challenge.challenge, isUserVerified: true };
  const counter = await readCounter(app.config, credential, passkey, expected);
  if (counter === undefined) return refused;
  const { suspensionReason: reason } = account;
  if (reason !== null) return { outcome: 'suspended', reason };
  const limit = await consume(app, [{ limit: accountLimits.sign_in, parts: [account.email, 'passkey'] }]);
  if (limit.outcome === 'limited') return limit;
  const use = { ...challenge, userId: account.id, passkeyId: passkey.id, counter };
  const proof = { notice: await noticeOf(request, account, passkeyMeans), ...proofOf(request, use) };
  return (await signIn(reply, account.id, proof)) ? { outcome: 'signed_in' } : refused;
}

export interface Pending {
  readonly challenge: Challenge;
  readonly account: SignInAccount;
}

/**
 * Finds the account whose password was right in this browser five minutes ago at most, and still
 * is.
 */
export async function findPending(request: FastifyRequest): Promise<Pending | undefined> {
  const challenge = readChallenge(request, 'second_factor');
  if (challenge === undefined) return undefined;
  const of = { id: challenge.userId };
  const account = await findSignInAccount(request.server.db, of, readDevice(request)?.idHash);
  return account !== undefined && challenge.isBoundTo(account.passwordHash)
    ? { challenge, account }
    : undefined;
}

export async function proveByPasskey(
  request: FastifyRequest,
  { challenge, account }: Pending,
  credential: AssertedCredential,
): Promise<Proof | undefined> {
  const { config, db } = request.server;
  const passkey = await findPasskey(db, credential.id);
  if (passkey?.userId !== account.id) return undefined;
  const expected = { challenge: challenge.challenge, isUserVerified: false };
  const counter = await readCounter(config, credential, passkey, expected);
  if (counter === undefined) return undefined;
  return proofOf(request, { ...challenge, userId: account.id, passkeyId: passkey.id, counter });
}

function proofOf({ log }: FastifyRequest, use: Parameters<typeof usePasskey>[1]): Proof {
  return {
    secondFactor: {
      means: 'passkey',
      use: async (tx, by) => {
        const outcome = await usePasskey(tx, use, by);
        const { userId, passkeyId } = use;
        if (outcome === 'copied') log.warn({ userId, passkeyId }, 'the counter of a passkey went back');
        return outcome === 'used';
      },
    },
  };
}

export function proveByCode(request: FastifyRequest, account: SignInAccount, code: string): Proof {
  const app = request.server;
  const { id } = account;
  const notices = noticesTo(app, account, passkeyEmail('code_used', app.config.appUrl));
  return {
    secondFactor: {
      means: 'recovery_code',
      use: (tx, by) => useRecoveryCode(tx, id, hashRecoveryCode(code), notices, by),
    },
  };
}
