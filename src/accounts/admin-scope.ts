import type { FastifyReply, FastifyRequest } from 'fastify';
import { homePage, sendPage } from '../pages.ts';
import { sessionOf } from './session.ts';

/** For scopes of pages that only admins may see; behind `requireSignIn`. */
export async function requireAdmin(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (sessionOf(request).person.isAdmin) return undefined;
  return sendPage(request, reply.code(403), 'error', {
    title: 'This page is for admins',
    text: 'Your account may not see it.',
    next: homePage,
  });
}
