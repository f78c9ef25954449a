import type { FastifyReply, FastifyRequest } from 'fastify';
import { groupPage, linkTo } from '../../accounts/groups/address.ts';
import { listOwnGroups } from '../../accounts/groups/store.ts';
import { isManagingRole } from '../../accounts/person.ts';
import type { ThingsOfTeam } from '../../accounts/public-pages.ts';
import { requireVerifiedEmail, sessionOf } from '../../accounts/sessions/session.ts';
import { findCurrentName, findProfile } from '../../accounts/store.ts';
import { spend } from '../../platform/limits/buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Words } from '../../platform/words.ts';
import { furtherRequestsOf } from '../../v2/limits.ts';
import { sendNotFoundPage } from '../../web/error-pages.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { type BookingHosts, bookingUrlOf, organizationSlugOf, originOf } from '../core/booking-url.ts';
import { formatLength } from '../dates.ts';
import {
  countEventTypes,
  type EventTypeSet,
  listEventTypes,
  type ShownEventType,
} from '../event-types/store.ts';
import { lengthsOf } from '../store.ts';
import { listParams } from './request.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/event-types': Page &
      ReturnType<typeof describeList> & { readonly settings: string | undefined };
    'scheduling/no-host-page': Page & Awaited<ReturnType<typeof describeMissing>>;
  }
}

interface EventTypeList {
  readonly address: string;
  readonly eventTypes: readonly [ShownEventType, ...ShownEventType[]];
}

const maxListed = 250;

/** Returns undefined instead of an empty list, which has no page. */
export async function findList(
  app: Pick<Platform, 'config' | 'db'>,
  set: EventTypeSet,
  take = maxListed,
): Promise<EventTypeList | undefined> {
  const eventTypes = await listEventTypes(app, set, { withHidden: false, take, isShort: true });
  const [first, ...others] = eventTypes;
  if (first === undefined) return undefined;
  const address = addressOf(first, app.config);
  return address === '' ? undefined : { address, eventTypes: [first, ...others] };
}

function addressOf(found: ShownEventType, hosts: BookingHosts): string {
  return bookingUrlOf(found, hosts).replace(/\/[^/]*$/, '');
}

export function registerList(app: ScopedApp, path: string): void {
  // protects: C58
  const config = { isForOrganizations: true, limit: 'slots' } as const;
  const schema = { params: listParams };
  app.get(path, { config, schema }, async (request, reply) => {
    const { set } = request.params;
    if (set === undefined) return sendMoved(reply);
    const total = await countEventTypes(app, set, { withHidden: false });
    spend(request, 'slots', furtherRequestsOf(Math.min(total, maxListed))); // protects: C58
    const list = await findList(app, set);
    const team = await findOwnTeam(request, set);
    if (list !== undefined) return sendList(reply, list, app.config.appUrl, team);
    return team === undefined ? sendMoved(reply) : sendToMember(reply, team);
  });
}

async function findOwnTeam({ session, server }: FastifyRequest, set: EventTypeSet) {
  if (session === undefined || !('teamSlug' in set)) return undefined;
  const own = await listOwnGroups(server.db, 'team', session.person.id);
  return own.find(({ slug }) => slug === set.teamSlug);
}

type OwnTeam = NonNullable<Awaited<ReturnType<typeof findOwnTeam>>>;

/** Members know their team, which has no page for others before its first event type. */
async function sendToMember(reply: FastifyReply, team: OwnTeam): Promise<FastifyReply> {
  const mayCreate = isManagingRole(team.role);
  const { t } = reply.request.words;
  return sendPage(reply, 'error', {
    title: t('No event types yet'),
    text: t(
      'People can book {team} here once it has an event type. Until then, only members see this page.',
      { team: team.name },
    ),
    next: mayCreate
      ? { address: `/settings/event-types/new?team=${team.id}`, words: t('Create event type') }
      : { address: groupPage({ kind: 'team', id: team.id }), words: t('View team') },
  });
}

async function sendList(
  reply: FastifyReply,
  list: EventTypeList,
  appUrl: string,
  team: OwnTeam | undefined,
): Promise<FastifyReply> {
  const { address } = list;
  const origin = reply.request.ownOrigin ?? appUrl;
  if (!address.startsWith(`${origin}/`))
    return reply.request.ownOrigin === undefined ? reply.redirect(address, 302) : sendMoved(reply);
  const view = describeList(list, address.slice(origin.length), reply.request.words);
  const ownId = reply.request.session?.person.id;
  const isOwn = ownId !== undefined && list.eventTypes[0].user?.id === ownId;
  const ofTeam = team && isManagingRole(team.role) ? `/settings/event-types?team=${team.id}` : undefined;
  const settings = isOwn ? '/settings/event-types' : ofTeam;
  return sendPage(reply, 'scheduling/event-types', { ...view, settings });
}

function describeList({ eventTypes }: EventTypeList, path: string, words: Words) {
  const { t } = words;
  const [first] = eventTypes;
  const title = first.team?.name ?? first.user?.name ?? '';
  return {
    title,
    preview: {
      title: t('Book {name}', { name: title }),
      text: t('Choose an event type and a time that suits you.'),
    },
    organization: organizationOf(first),
    eventTypes: eventTypes.map(({ eventType }) => ({
      title: eventType.title,
      description: eventType.description,
      length: lengthsOf(eventType)
        .map((minutes) => formatLength(minutes, words))
        .join(' · '),
      address: `${path}/${encodeURIComponent(eventType.slug)}`,
    })),
  };
}

export function organizationOf({
  userOrganization,
  teamOrganization,
}: Pick<ShownEventType, 'userOrganization' | 'teamOrganization'>): string | undefined {
  const organization = teamOrganization ?? userOrganization;
  return organization === null || organization.isPlatform ? undefined : organization.name;
}

const maxOfTeam = 20;

export async function findOfTeam(
  app: Pick<Platform, 'config' | 'db'>,
  teamId: number,
): Promise<ThingsOfTeam> {
  const found = await listEventTypes(app, { teamId }, { withHidden: false, take: maxOfTeam, isShort: true });
  return {
    heading: 'Event types',
    none: 'Nobody can book the team yet',
    whoCreates: 'Owners and admins of the team create event types.',
    all: `/settings/event-types?team=${teamId}`,
    create: { address: `/settings/event-types/new?team=${teamId}`, words: 'Create event type' },
    shown: found.map((one) => ({
      title: one.eventType.title,
      href: linkTo(bookingUrlOf(one, app.config), app.config),
      settings: `/settings/event-types/${one.eventType.id}`,
    })),
  };
}

export function registerHostPage(app: ScopedApp, path: string): void {
  app.get(path, { preValidation: requireVerifiedEmail, schema: {} }, async (request, reply) => {
    const { id: userId } = sessionOf(request).person;
    const list = await findList(app, { userId }, 1);
    if (list !== undefined) return reply.redirect(list.address, 303);
    return sendPage(reply, 'scheduling/no-host-page', await describeMissing(app, userId, request.words));
  });
}

async function describeMissing(app: Pick<Platform, 'config' | 'db'>, userId: number, { t }: Words) {
  const [profile, own, hosted] = await Promise.all([
    findProfile(app.db, userId),
    listEventTypes(app, { userId }, { withHidden: false, take: 1, isShort: true }),
    listEventTypes(app, { hostId: userId }, { withHidden: false, take: maxListed, isShort: true }),
  ]);
  const pages = new Map(hosted.map((found) => [addressOf(found, app.config), found.team?.name ?? '']));
  return {
    title: pages.size === 0 ? t('No booking page yet') : t('No personal booking page yet'),
    hasEventType: own.length > 0,
    hasUsername: typeof profile?.username === 'string',
    teams: [...pages].map(([address, name]) => ({ name, address, href: linkTo(address, app.config) })),
    teamsWords:
      pages.size === 1 ? t('People can book you with your team:') : t('People can book you with your teams:'),
    scripts: pages.size === 0 ? [] : ['copy.js'],
  };
}

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
  if (slug === undefined || !request.url.startsWith('/')) return sendNoEventType(reply, team, name);
  return reply.redirect(`${originOf({ slug, isPlatform: false }, config)}${request.url}`, 302);
}

/** Leads to what else the host offers, if that is anything. */
async function sendNoEventType(reply: FastifyReply, kind: string, name: string): Promise<FastifyReply> {
  const {
    ownOrigin,
    server,
    words: { t },
  } = reply.request;
  const { set } = listParams.parse(kind === '' ? { username: name } : { teamSlug: name });
  const list = set && (await findList(server, set, 1));
  if (!list?.address.startsWith(`${ownOrigin ?? server.config.appUrl}/`)) return sendNotFoundPage(reply);
  const [{ team, user }] = list.eventTypes;
  return sendPage(reply.code(404), 'error', {
    title: t('Event type not found'),
    text: t('The link may be wrong, or its host removed this event type.'),
    next: {
      address: `${kind}/${name}`,
      words: t('See what {name} offers', { name: team?.name ?? user?.name ?? '' }),
    },
  });
}
