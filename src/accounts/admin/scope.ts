import type { FastifyReply, FastifyRequest } from 'fastify';
import { homePage, sendPage } from '../../web/pages.ts';
import { sessionOf } from '../sessions/session.ts';

/** Behind `requireSignIn`. */
export async function requireAdmin(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (sessionOf(request).person.isAdmin) return undefined;
  return sendPage(request, reply.code(403), 'error', {
    title: 'Admins only',
    text: "Your account can't view this page.",
    next: homePage,
  });
}
