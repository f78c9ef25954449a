import type { FastifyInstance } from 'fastify';
import { type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { sendPage } from '../../pages.ts';
import type { BookingHosts } from '../core/booking-url.ts';
import { findList } from './list.ts';

/** Leads hosts to the page at which they are booked. Register it where people are signed in. */
export function registerHostPage(
  app: FastifyInstance,
  path: string,
  deps: BookingHosts & Pick<SessionDeps, 'db'>,
): void {
  app.get(path, async (request, reply) => {
    const list = await findList(deps, { userId: sessionOf(request).person.id }, 1);
    if (list !== undefined) return reply.redirect(list.address, 303);
    return sendPage(request, reply, 'scheduling/no-host-page', { title: 'You have no booking page yet' });
  });
}
