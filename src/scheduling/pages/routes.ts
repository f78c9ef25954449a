import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reservedUsernames } from '../../accounts/request.ts';
import type { SessionDeps } from '../../accounts/session.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { bookingUrlOf } from '../core/booking-url.ts';
import { ownerOf } from '../event-types/response.ts';
import { type EventTypeSet, listEventTypes, type ShownEventType } from '../event-types/store.ts';
import type { EventTypeName } from '../slots/store.ts';
import { type BookingPageDeps, registerEventTypePage } from './event-type.ts';
import { registerHostedPages } from './hosted.ts';
import { registerOwnBookingPages } from './own-booking.ts';

/** Names in addresses that lead to other pages and to other surfaces, whose own answers stay what they are. */
const username = `:username(^(?!(?:${[...reservedUsernames].join('|')})$)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$)`;
const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** Where people are booked, where those who booked look after it, and where hosts do. */
export async function registerBookingPages(
  app: FastifyInstance,
  deps: BookingPageDeps & SessionDeps,
): Promise<void> {
  await app.register((own) => registerOwnBookingPages(own, deps));
  await app.register((hosted) => registerHostedPages(hosted, deps));
  registerEventTypePage(app, `/${username}/:slug`, (request) => userEventType(request.params), deps);
  registerEventTypePage(app, '/team/:teamSlug/:slug', (request) => teamEventType(request.params), deps);
  registerList(`/${username}`, (request) => userSet(request.params));
  registerList('/team/:teamSlug', (request) => teamSet(request.params));

  /** The public event types of a person or a team; without any there is no page. */
  function registerList(path: string, setOf: (request: FastifyRequest) => EventTypeSet | undefined): void {
    app.get(path, { config: { isForOrganizations: true } }, async (request, reply) => {
      const set = setOf(request);
      if (set === undefined) return sendNotFoundPage(request, reply);
      const { eventTypes } = await listEventTypes(deps.db, set, { withHidden: false, take: 250, skip: 0 });
      return sendList(request, reply, eventTypes);
    });
  }

  async function sendList(
    request: FastifyRequest,
    reply: FastifyReply,
    found: readonly ShownEventType[],
  ): Promise<FastifyReply> {
    const [first] = found;
    const url = first === undefined ? '' : bookingUrlOf(ownerOf(first), first.eventType.slug, deps);
    if (first === undefined || url === '') return sendNotFoundPage(request, reply);
    const base = url.replace(/\/[^/]*$/, '');
    const origin = request.ownOrigin ?? deps.appUrl;
    if (!base.startsWith(`${origin}/`))
      return request.ownOrigin === undefined ? reply.redirect(base, 302) : sendNotFoundPage(request, reply);
    const path = base.slice(origin.length);
    const eventTypes = found.map(({ eventType: { title, slug, description, lengthInMinutes } }) => ({
      title,
      description,
      lengthInMinutes,
      address: `${path}/${encodeURIComponent(slug)}`,
    }));
    const title = first.team?.name ?? first.user?.name ?? '';
    return sendPage(request, reply, 'scheduling/event-types', { title, eventTypes });
  }
}

function userEventType(params: unknown): EventTypeName | undefined {
  const [username, slug] = [nameIn(params, 'username'), nameIn(params, 'slug')];
  if (username === undefined || slug === undefined) return undefined;
  return { eventTypeSlug: slug, username: username.toLowerCase() };
}

function teamEventType(params: unknown): EventTypeName | undefined {
  const [teamSlug, slug] = [nameIn(params, 'teamSlug'), nameIn(params, 'slug')];
  return teamSlug === undefined || slug === undefined ? undefined : { eventTypeSlug: slug, teamSlug };
}

function userSet(params: unknown): EventTypeSet | undefined {
  const username = nameIn(params, 'username');
  return username === undefined ? undefined : { username: username.toLowerCase() };
}

function teamSet(params: unknown): EventTypeSet | undefined {
  const teamSlug = nameIn(params, 'teamSlug');
  return teamSlug === undefined ? undefined : { teamSlug };
}

/** A part of an address that may be somebody's name. */
function nameIn(params: unknown, part: string): string | undefined {
  const value: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, part) : undefined;
  return typeof value === 'string' && name.test(value) ? value : undefined;
}
