import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Page, sendPage } from '../../web/pages.ts';
import { needsVerification } from '../person.ts';
import { formPageOf, sessionOf } from '../sessions/session.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/verify-first': Page & { readonly returnTo: string };
  }
}

/** Behind `requireSignIn`. The page to come back to is the form's. */
export async function requireVerifiedEmail(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!needsVerification(request.server.config, sessionOf(request).person)) return undefined;
  const page = request.method === 'GET' ? request.url : formPageOf(request);
  return sendVerifyFirst(reply, page ?? '/');
}

export async function sendVerifyFirst(reply: FastifyReply, returnTo: string): Promise<FastifyReply> {
  return sendPage(reply.code(403), 'accounts/verify-first', {
    title: 'Verify your email to continue',
    returnTo,
  });
}
