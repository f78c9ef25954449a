import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../accounts/browsers.ts';
import type { AnsweredChallenge } from './store.ts';

const purpose = 'passkey-challenge';
const nonceBytes = 16;
const lifetimeSeconds = 5 * 60;
const pattern = /^((\w+)\.(\d{1,10})\.(\d{1,10})\.[\w-]{22})\.([\w-]{43})$/;

type Kind = 'sign_in' | 'second_factor' | 'new_passkey';

export interface Challenge extends AnsweredChallenge {
  /** Someone entered this user's password; 0 where nobody was asked. */
  readonly userId: number;
  /** Tells whether the challenge was made for the same session or password. */
  readonly isBoundTo: (binding: string) => boolean;
}

/** Lives in a signed cookie for five minutes. `binding` is the session's or the password's hash. */
export function makeChallenge(
  reply: FastifyReply,
  kind: Kind,
  { userId = 0, binding }: { readonly userId?: number; readonly binding: string },
): string {
  const { runtime, secrets } = reply.request.server;
  const nonce = Buffer.from(runtime.randomBytes(nonceBytes)).toString('base64url');
  const expiry = Math.floor(runtime.now().getTime() / 1000) + lifetimeSeconds;
  const said = `${kind}.${userId}.${expiry}.${nonce}`;
  const value = `${said}.${secrets.sign(purpose, `${said}.${binding}`)}`;
  setCookie(reply, 'challenge', value, lifetimeSeconds);
  return signedBytes(value);
}

/** Returns undefined for another kind, and for an expired challenge. */
export function readChallenge(request: FastifyRequest, kind: Kind): Challenge | undefined {
  const { runtime, secrets } = request.server;
  const value = readCookie(request, 'challenge') ?? '';
  const [, said = '', saidKind, userId, expiry, mac = ''] = pattern.exec(value) ?? [];
  const expiresAt = new Date(Number(expiry) * 1000);
  if (saidKind !== kind || expiresAt <= runtime.now()) return undefined;
  return {
    challenge: signedBytes(value),
    expiresAt,
    userId: Number(userId),
    isBoundTo: (binding) => secrets.isSigned(purpose, `${said}.${binding}`, mac),
  };
}

/** Authenticators sign this base64url, which doesn't open the cookie. */
function signedBytes(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}
