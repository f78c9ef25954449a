import type { FastifyInstance } from 'fastify';
import { findProfile } from '../../accounts/profile/store.ts';
import { type SessionDeps, sessionOf } from '../../accounts/session.ts';
import { sendPage } from '../../pages.ts';
import type { BookingHosts } from '../core/booking-url.ts';
import { findList, listTeamPages } from './list.ts';

/** Leads hosts to the page at which they are booked; without one of their own it names those of their teams. Register it where people are signed in. */
export function registerHostPage(
  app: FastifyInstance,
  path: string,
  deps: BookingHosts & Pick<SessionDeps, 'db'>,
): void {
  app.get(path, async (request, reply) => {
    const { id: userId } = sessionOf(request).person;
    const list = await findList(deps, { userId }, 1);
    if (list !== undefined) return reply.redirect(list.address, 303);
    const [profile, teams] = await Promise.all([findProfile(deps.db, userId), listTeamPages(deps, userId)]);
    return sendPage(request, reply, 'scheduling/no-host-page', {
      title: teams.length === 0 ? 'You have no booking page yet' : 'You have no booking page of your own yet',
      hasUsername: typeof profile?.username === 'string',
      teams,
    });
  });
}
