import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { linkTo } from '../../accounts/teams/address.ts';
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
  if (first === undefined) return undefined;
  const address = addressOf(first, hosts);
  return address === '' ? undefined : { address, eventTypes: [first, ...others] };
}

/** A team's page. */
export interface TeamPage {
  readonly name: string;
  readonly address: string;
  /** As it is linked. */
  readonly href: string;
}

/** The pages of the teams with which somebody can be booked. */
export async function listTeamPages(
  { db, ...hosts }: BookingHosts & { readonly db: Db },
  hostId: number,
): Promise<readonly TeamPage[]> {
  const { eventTypes } = await listEventTypes(db, { hostId }, { withHidden: false, take: 250, skip: 0 });
  const pages = new Map(eventTypes.map((found) => [addressOf(found, hosts), found.team?.name ?? '']));
  return [...pages].map(([address, name]) => ({ name, address, href: linkTo(address, hosts) }));
}

/** Of the list that an event type stands in; the empty text when it has no page. */
function addressOf(found: ShownEventType, hosts: BookingHosts): string {
  return bookingUrlOf(ownerOf(found), found.eventType.slug, hosts).replace(/\/[^/]*$/, '');
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
