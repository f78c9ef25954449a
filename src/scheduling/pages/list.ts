import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../io/database.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { tellLength } from '../core/days.ts';
import { ownerOf } from '../event-types/response.ts';
import { type EventTypeSet, listEventTypes, type ShownEventType } from '../event-types/store.ts';
import { organizationOf } from './place.ts';

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

/** The page of a person's or a team's public event types; without any there is none. */
export function registerList(
  app: FastifyInstance,
  path: string,
  setOf: (request: FastifyRequest) => EventTypeSet | undefined,
  deps: BookingHosts & { readonly db: Db },
): void {
  app.get(path, { config: { isForOrganizations: true } }, async (request, reply) => {
    const set = setOf(request);
    const list = set && (await findList(deps, set));
    return list === undefined ? sendNotFoundPage(request, reply) : sendList(request, reply, list, deps);
  });
}

async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  { address, eventTypes: found }: FoundList,
  deps: BookingHosts,
): Promise<FastifyReply> {
  const origin = request.ownOrigin ?? deps.appUrl;
  if (!address.startsWith(`${origin}/`))
    return request.ownOrigin === undefined ? reply.redirect(address, 302) : sendNotFoundPage(request, reply);
  const path = address.slice(origin.length);
  const eventTypes = found.map(({ eventType: { title, slug, description, lengthInMinutes } }) => ({
    title,
    description,
    length: tellLength(lengthInMinutes),
    address: `${path}/${encodeURIComponent(slug)}`,
  }));
  const [first] = found;
  const title = first.team?.name ?? first.user?.name ?? '';
  const organization = organizationOf(first);
  return sendPage(request, reply, 'scheduling/event-types', { title, organization, eventTypes });
}
