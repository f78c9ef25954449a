import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../web/pages.ts';
import { securityHome } from '../passkeys/routes.ts';
import { hasPasskey } from '../passkeys/store.ts';
import { sessionOf } from '../sessions/session.ts';

/** Behind `requireSignIn`. Where admins need a passkey, one without is led to add it. */
export async function requireAdmin(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { config, db } = request.server;
  const { id, isAdmin } = sessionOf(request).person;
  if (isAdmin && (config.adminPasskeys === 'off' || (await hasPasskey(db, id)))) return undefined;
  if (isAdmin) return reply.redirect(securityHome, 303);
  return sendPage(reply.code(403), 'error', {
    title: 'Admins only',
    text: 'Your account can’t view this page.',
  });
}
