import type { FastifyInstance } from 'fastify';
import { reservedUsernames } from '../../accounts/request.ts';
import type { SessionDeps } from '../../accounts/session.ts';
import type { EventTypeName } from '../bookable/name.ts';
import type { EventTypeSet } from '../event-types/store.ts';
import { type BookingPageDeps, registerEventTypePage } from './event-type.ts';
import { registerHostedPages } from './hosted.ts';
import { registerList } from './list.ts';
import { registerOwnBookingPages } from './own-booking.ts';
import { leadWithoutSlash } from './without-slash.ts';

/** Names in addresses that lead to other pages and to other surfaces, whose own answers stay what they are. */
const username = `:username(^(?!(?:${[...reservedUsernames].join('|')})$)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$)`;
const name = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** Where people are booked, where those who booked look after it, and where hosts do. */
export async function registerBookingPages(
  app: FastifyInstance,
  deps: BookingPageDeps & SessionDeps,
): Promise<void> {
  const config = { isForOrganizations: true };
  await app.register((own) => registerOwnBookingPages(own, deps));
  await app.register((hosted) => registerHostedPages(hosted, deps));
  registerEventTypePage(app, `/${username}/:slug`, (request) => userEventType(request.params), deps);
  registerEventTypePage(app, '/team/:teamSlug/:slug', (request) => teamEventType(request.params), deps);
  registerList(app, `/${username}`, (request) => userSet(request.params), deps);
  registerList(app, '/team/:teamSlug', (request) => teamSet(request.params), deps);
  for (const path of [`/${username}`, `/${username}/:slug`, '/team/:teamSlug', '/team/:teamSlug/:slug'])
    leadWithoutSlash(app, path, config);
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
