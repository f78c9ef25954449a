import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { newUuid, nodeHash, type Runtime, randomHex } from '../../platform/runtime.ts';
import { toBase64url } from '../core/bytes.ts';
import { clientSecretBytes, formatClientSecret, hashClientSecret } from '../core/client.ts';

export async function generateSecret(runtime: Runtime) {
  const secret = formatClientSecret(runtime.randomBytes(clientSecretBytes));
  const secretHash = toBase64url(await hashClientSecret(secret, nodeHash));
  return { secret, stored: { id: newUuid(runtime), secretHash, hint: secret.slice(-4) } };
}

const keyBytes = 16;

/** A form with a key creates once, even if it's sent twice. */
export function newRegistrationKey(runtime: Runtime): string {
  return randomHex(runtime, keyBytes);
}

export const registrationKey = z.string().regex(/^[0-9a-f]{32}$/);

type Capabilities = Pick<Platform, 'runtime' | 'secrets' | 'config'>;

const purpose = 'shown-secret';
const lifetimeSeconds = 300;

const shownSecret = z.object({ clientId: z.string(), secret: z.string(), endsAt: z.number() });

function cookieOf({ config }: Pick<Platform, 'config'>, path: string) {
  const secure = config.appUrl.startsWith('https:');
  return {
    name: secure ? '__Secure-latchkey_secret' : 'latchkey_secret',
    options: { path, httpOnly: true, sameSite: 'strict', secure } as const,
  };
}

/** An encrypted cookie has the secret for five minutes: forms can redirect, nothing is stored. */
export function sendShownSecret(
  reply: FastifyReply,
  app: Capabilities,
  path: string,
  clientId: string,
  secret: string,
): void {
  const { name, options } = cookieOf(app, path);
  const endsAt = app.runtime.now().getTime() + lifetimeSeconds * 1000;
  const encrypted = app.secrets.encrypt(purpose, Buffer.from(JSON.stringify({ clientId, secret, endsAt })));
  reply.setCookie(name, Buffer.from(encrypted).toString('base64url'), {
    ...options,
    maxAge: lifetimeSeconds,
  });
}

export function takeShownSecret(reply: FastifyReply, app: Capabilities, path: string, clientId: string) {
  const { name, options } = cookieOf(app, path);
  const encrypted = reply.request.cookies[name];
  if (encrypted === undefined) return undefined;
  reply.clearCookie(name, options);
  const plain = app.secrets.decrypt(purpose, Buffer.from(encrypted, 'base64url'));
  if (plain === undefined) return undefined;
  const shown = shownSecret.parse(JSON.parse(Buffer.from(plain).toString('utf8')));
  const isInTime = app.runtime.now().getTime() < shown.endsAt;
  return shown.clientId === clientId && isInTime ? shown.secret : undefined;
}
