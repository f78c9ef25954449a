import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RootSecret } from '../../io/root-secret.ts';
import type { System } from '../../io/system.ts';

/**
 * A new client secret on its way to the page that shows it once: encrypted, in a cookie of that page alone, for five minutes. So the
 * form can redirect after success, a reload registers nothing twice, and the server keeps no secret.
 */
export interface ShownSecretDeps {
  readonly system: System;
  readonly rootSecret: RootSecret;
  readonly appUrl: string;
}

const purpose = 'shown-secret';
const lifetimeSeconds = 300;

const shownSecret = z.object({ clientId: z.string(), secret: z.string(), endsAt: z.number() });

function cookieOf({ appUrl }: ShownSecretDeps, path: string) {
  const secure = appUrl.startsWith('https:');
  return {
    name: secure ? '__Secure-latchkey_secret' : 'latchkey_secret',
    options: { path, httpOnly: true, sameSite: 'strict', secure } as const,
  };
}

export function sendShownSecret(
  reply: FastifyReply,
  deps: ShownSecretDeps,
  path: string,
  clientId: string,
  secret: string,
): void {
  const { name, options } = cookieOf(deps, path);
  const endsAt = deps.system.now().getTime() + lifetimeSeconds * 1000;
  const sealed = deps.rootSecret.seal(purpose, Buffer.from(JSON.stringify({ clientId, secret, endsAt })));
  reply.setCookie(name, Buffer.from(sealed).toString('base64url'), { ...options, maxAge: lifetimeSeconds });
}

/** The secret to show now, once: its cookie is removed with the answer. */
export function takeShownSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ShownSecretDeps,
  path: string,
  clientId: string,
): string | undefined {
  const { name, options } = cookieOf(deps, path);
  const sealed = request.cookies[name];
  if (sealed === undefined) return undefined;
  reply.clearCookie(name, options);
  const plain = deps.rootSecret.unseal(purpose, Buffer.from(sealed, 'base64url'));
  if (plain === undefined) return undefined;
  const shown = shownSecret.parse(JSON.parse(Buffer.from(plain).toString('utf8')));
  const isInTime = deps.system.now().getTime() < shown.endsAt;
  return shown.clientId === clientId && isInTime ? shown.secret : undefined;
}
