import type { FastifyInstance } from 'fastify';
import { type SessionDeps, sessionOf } from '../../accounts/session.ts';
import type { Db } from '../../io/database.ts';
import { sendPage } from '../../pages.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { ownerOf } from '../event-types/response.ts';
import { type EventTypeSet, listEventTypes, type ShownEventType } from '../event-types/store.ts';

/** A list of what can be booked, and its full address. */
export interface FoundList {
  readonly address: string;
  readonly eventTypes: readonly [ShownEventType, ...ShownEventType[]];
}

/** The public event types of a person or a team; undefined: there is no page, because there are none or nobody may be booked on pages. */
export async function findList(
  { db, ...hosts }: BookingHosts & { readonly db: Db },
  set: EventTypeSet,
  take = 250,
): Promise<FoundList | undefined> {
  const { eventTypes } = await listEventTypes(db, set, { withHidden: false, take, skip: 0 });
  const [first, ...others] = eventTypes;
  const url = first === undefined ? '' : bookingUrlOf(ownerOf(first), first.eventType.slug, hosts);
  return first === undefined || url === ''
    ? undefined
    : { address: url.replace(/\/[^/]*$/, ''), eventTypes: [first, ...others] };
}

/** Leads hosts to the page at which they are booked. Register it where people are signed in. */
export function registerOwnPage(
  app: FastifyInstance,
  path: string,
  deps: BookingHosts & Pick<SessionDeps, 'db'>,
): void {
  app.get(path, async (request, reply) => {
    const list = await findList(deps, { userId: sessionOf(request).person.id }, 1);
    if (list !== undefined) return reply.redirect(list.address, 303);
    return sendPage(request, reply, 'scheduling/no-own-page', { title: 'You have no booking page yet' });
  });
}
