import type { FastifyReply } from 'fastify';
import { findCurrentName } from '../../accounts/store.ts';
import { sendNotFoundPage } from '../../web/pages.ts';
import { organizationSlugOf, originOf } from '../core/booking-url.ts';

/** The name in the path of a booking page, and what follows. */
const named = /^(\/team)?\/([^/?]+)(.*)$/;

/** Redirects from the former name of a user, team or organization; else there is no such page. */
export async function sendMoved(reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const { config, db, runtime } = request.server;
  const [, team = '', name = '', rest = ''] = named.exec(request.url) ?? [];
  const now = runtime.now();
  const kind = team === '' ? 'user' : 'team';
  const current = await findCurrentName(db, kind, name.toLowerCase(), now);
  if (current !== undefined) return reply.redirect(`${team}/${encodeURIComponent(current)}${rest}`, 302);
  const host = organizationSlugOf(request.headers.host, config);
  const slug = host && (await findCurrentName(db, 'organization', host, now));
  if (slug === undefined || !request.url.startsWith('/')) return sendNotFoundPage(reply);
  return reply.redirect(`${originOf({ slug, isPlatform: false }, config)}${request.url}`, 302);
}
