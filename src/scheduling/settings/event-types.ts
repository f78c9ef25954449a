import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { plainName } from '../../accounts/fields.ts';
import { linkTo } from '../../accounts/groups/address.ts';
import { maxMembers } from '../../accounts/groups/rules.ts';
import { listManagedTeams, listMembers } from '../../accounts/groups/store.ts';
import { requireVerifiedEmail, sessionOf, settingsPlugin } from '../../accounts/sessions/session.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { idParams, readAsApi, type SentFields, sentFields, shownAgain } from '../../v2/form.ts';
import { rowIdInAddress } from '../../v2/input.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { type FormFaults, focusOf } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { listOutages } from '../calendars/store.ts';
import { bookingUrlOf } from '../core/booking-url.ts';
import {
  eventTypeChanges,
  eventTypeValuesOf,
  newEventType,
  newTeamEventType,
} from '../event-types/request.ts';
import { eventTypeFaults, findOwnEventType } from '../event-types/routes.ts';
import {
  changeEventType,
  createEventType,
  deleteEventType,
  listEventTypes,
  type ShownEventType,
} from '../event-types/store.ts';
import { quotas } from '../limits.ts';
import { listScheduleNames } from '../schedules/store.ts';
import { registerAvailability } from './availability.ts';
import { registerCalendarSettings } from './calendars.ts';
import {
  amounts,
  bodies,
  inPageWords,
  locationRows,
  questionRows,
  showLocationRows,
  showQuestionRows,
  type TabName,
  typedOf,
  windowUnits,
} from './event-type-form.ts';
import { asksForRows, focusInRows } from './rows.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/event-types': Page & Awaited<ReturnType<typeof readList>>;
    'scheduling/settings/event-type-new': Page & EventTypeForm;
    'scheduling/settings/event-type': Page & EventTypeForm & ReturnType<typeof describeTabs>;
    'scheduling/settings/event-type-places': EventTypeForm;
    'scheduling/settings/event-type-hosts': EventTypeForm;
  }
}

type EventTypeForm = FormFaults & Awaited<ReturnType<typeof describeForm>>;
type Team = { readonly id: number; readonly name: string };
type Own = { readonly team: Team | undefined; readonly found?: ShownEventType };
type Owner = { readonly userId: number } | { readonly teamId: number };

const home = '/settings/event-types';
const ofTeam = z.object({ team: rowIdInAddress.optional() });
const doneWords = {
  created: 'Event type created.',
  saved: 'Event type saved.',
  deleted: 'Event type deleted. Its bookings are kept.',
} as const;

const tabs = [
  ['basics', '', 'Basics'],
  ['questions', '/questions', 'Questions'],
  ['limits', '/limits', 'Limits'],
  ['hosts', '/hosts', 'Hosts'],
] as const satisfies readonly (readonly [TabName, path: string, words: string])[];

export const schedulingSettingsPlugin = settingsPlugin('scheduling-settings', home, async (app) => {
  app.addHook('preValidation', requireVerifiedEmail);
  await app.register(registerEventTypeSettings);
  await app.register(registerAvailability);
  await app.register(registerCalendarSettings);
});

async function registerEventTypeSettings(app: ScopedApp): Promise<void> {
  const { db, runtime } = app;
  tellOutcomes(app, doneWords);

  app.get(home, { schema: { querystring: ofTeam } }, async (request, reply) =>
    sendPage(reply, 'scheduling/settings/event-types', await readList(request, request.query.team)),
  );

  app.get(`${home}/new`, { schema: { querystring: ofTeam } }, async (request, reply) => {
    const own = { team: await findTeam(request, request.query.team) };
    return sendNew(reply, own, { typed: { lengthInMinutes: '30' }, faults: {} });
  });

  app.post(`${home}/new`, { schema: { body: sentFields } }, async (request, reply) => {
    const sent = request.body;
    const own = { team: await findTeam(request, orNotFound(ofTeam.safeParse(sent).data).team) };
    const again = (status: number, form: FormFaults) => sendNew(reply.code(status), own, form);
    if (asksForRows(sent)) return again(200, shownAgain(sent, {}));
    const owner = ownerOf(request, own);
    const body = bodies.new(await withSlug(owner, sent), own.team !== undefined);
    const form = own.team ? readAsApi(newTeamEventType, body, sent) : readAsApi(newEventType, body, sent);
    if (!form.ok) return again(400, { ...form, faults: inPageWords(form.faults, sent) });
    const { hosts = [], ...values } =
      'hosts' in form.value ? form.value : { ...form.value, hosts: undefined };
    const created = await createEventType(db, owner, eventTypeValuesOf(values), hosts, runtime.now());
    if (created.ok) return reply.redirect(`${home}/${created.value}?done=created`, 303);
    return again(409, faultsOf(sent, created.reason));
  });

  for (const [tab, path] of tabs) {
    app.get(`${home}/:id${path}`, { schema: { params: idParams } }, async (request, reply) => {
      const own = await findOwn(request, request.params.id, tab);
      return sendTab(reply, tab, own, { typed: typedOf(own.found), faults: {} });
    });

    app.post(
      `${home}/:id${path}`,
      { schema: { params: idParams, body: sentFields } },
      async (request, reply) =>
        saveTab(reply, tab, await findOwn(request, request.params.id, tab), request.body),
    );
  }

  app.get(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const { title, id } = (await findOwn(request, request.params.id)).found.eventType;
    return sendPage(reply, 'deletion', {
      title: `Delete ${title}?`,
      text: 'Its link stops working. Bookings are kept. You can’t undo this.',
      button: 'Delete event type',
      back: { address: `${home}/${id}`, words: 'Edit event type' },
    });
  });

  app.post(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const { found, team } = await findOwn(request, request.params.id);
    await deleteEventType(db, found.eventType.id);
    return reply.redirect(`${home}?${team === undefined ? '' : `team=${team.id}&`}done=deleted`, 303);
  });

  async function saveTab(
    reply: FastifyReply,
    tab: TabName,
    own: Own & { readonly found: ShownEventType },
    sent: SentFields,
  ): Promise<FastifyReply> {
    const { eventType } = own.found;
    const again = (status: number, form: FormFaults) => sendTab(reply.code(status), tab, own, form);
    if (asksForRows(sent)) return again(200, shownAgain(sent, {}));
    const owner = ownerOf(reply.request, own);
    const fields = tab === 'basics' ? await withSlug(owner, sent, eventType.id) : sent;
    const form = readAsApi(eventTypeChanges, bodies[tab](fields, own.team !== undefined), sent);
    if (!form.ok) return again(400, { ...form, faults: inPageWords(form.faults, sent) });
    const { hosts, ...changes } = form.value;
    const change = { id: eventType.id, owner, values: eventTypeValuesOf(changes), hostIds: hosts };
    const saved = await changeEventType(db, change, runtime.now());
    if (saved.ok) return reply.redirect(`${reply.request.url.replace(/\?.*/s, '')}?done=saved`, 303);
    return again(409, faultsOf(sent, saved.reason));
  }

  /** Without Latin letters it is `event`, and one that is taken gets a number. */
  async function withSlug(owner: Owner, sent: SentFields, ownId?: number): Promise<SentFields> {
    if (sent['slug']) return sent;
    const all = { withHidden: true, take: quotas.eventTypes, isShort: true };
    const others = (await listEventTypes(app, owner, all)).filter(({ eventType: { id } }) => id !== ownId);
    const taken = new Set(others.map(({ eventType }) => eventType.slug));
    const plain = plainName(String(sent['title'] ?? '').slice(0, 200), maxMadeSlug) || 'event';
    const numbered = [...taken].map((_, index) => `${plain}-${index + 2}`);
    return { ...sent, slug: [plain, ...numbered].find((slug) => !taken.has(slug)) ?? plain };
  }
}

/** Room for a number is left in the 80 characters of a link. */
const maxMadeSlug = 75;

function faultsOf(sent: SentFields, reason: keyof typeof eventTypeFaults): FormFaults {
  const [, message, details] = eventTypeFaults[reason];
  const faults = Object.keys(details).length > 0 ? details : { form: message };
  return shownAgain(sent, inPageWords(faults, sent));
}

const ownerOf = (request: FastifyRequest, { team }: Own): Owner =>
  team === undefined ? { userId: sessionOf(request).person.id } : { teamId: team.id };

async function readList(request: FastifyRequest, teamId: number | undefined) {
  const { config, db } = request.server;
  const { id: userId } = sessionOf(request).person;
  const teams = await listManagedTeams(db, userId);
  if (teamId !== undefined) orNotFound(teams.find(({ id }) => id === teamId));
  const set = teamId === undefined ? { userId } : { teamId };
  const all = { withHidden: true, take: quotas.eventTypes, isShort: true };
  const eventTypes = await listEventTypes({ config, db }, set, all);
  const owners = teams.map(({ id, name }) => ({ address: homeOf({ teamId: id }), words: name }));
  return {
    title: 'Event types',
    outages: await listOutages(db, userId),
    owner: homeOf({ teamId: teamId ?? null }),
    owners: owners.length === 0 ? [] : [{ address: home, words: 'Your own' }, ...owners],
    newAddress: teamId === undefined ? `${home}/new` : `${home}/new?team=${teamId}`,
    eventTypes: eventTypes.map((found) => ({
      ...found.eventType,
      address: bookingUrlOf(found, config),
      href: linkTo(bookingUrlOf(found, config), config),
    })),
    scripts: ['copy.js'],
  };
}

const homeOf = ({ teamId }: { readonly teamId: number | null }): string =>
  teamId === null ? home : `${home}?team=${teamId}`;

async function findTeam(request: FastifyRequest, id: number | undefined): Promise<Team | undefined> {
  if (id === undefined) return undefined;
  const teams = await listManagedTeams(request.server.db, sessionOf(request).person.id);
  return orNotFound(teams.find((team) => team.id === id));
}

async function findOwn(request: FastifyRequest, id: number, tab?: TabName) {
  const principal = { userId: sessionOf(request).person.id, teamId: null };
  const own = await findOwnEventType(request.server.db, principal, id);
  const found = orNotFound(own?.mayChange ? own.found : undefined);
  // A person's own event types have one host.
  if (tab === 'hosts') orNotFound(found.team ?? undefined);
  return { found, team: found.team ?? undefined };
}

async function sendNew(reply: FastifyReply, own: Own, form: FormFaults): Promise<FastifyReply> {
  const shown = await describeForm(reply.request, 'new', own, form);
  return sendPage(reply, 'scheduling/settings/event-type-new', shown);
}

async function sendTab(
  reply: FastifyReply,
  tab: TabName,
  own: Own & { readonly found: ShownEventType },
  form: FormFaults,
): Promise<FastifyReply> {
  const shown = await describeForm(reply.request, tab, own, form);
  return sendPage(reply, 'scheduling/settings/event-type', { ...shown, ...describeTabs(reply, tab, own) });
}

function describeTabs(
  { request: { server } }: FastifyReply,
  tab: TabName,
  { team, found }: Own & { readonly found: ShownEventType },
) {
  const address = `${home}/${found.eventType.id}`;
  return {
    tab,
    title: found.eventType.title,
    bookingUrl: linkTo(bookingUrlOf(found, server.config), server.config),
    deletion: `${address}/delete`,
    tabs: tabs
      .filter(([name]) => name !== 'hosts' || team !== undefined)
      .map(([name, path, words]) => ({ address: `${address}${path}`, words, isShown: name === tab })),
  };
}

async function describeForm(
  request: FastifyRequest,
  tab: TabName | 'new',
  own: Own,
  { typed, faults }: FormFaults,
) {
  const { config, db } = request.server;
  const { team, found } = own;
  const isOfFew = { withHidden: true, take: 1, isShort: true };
  const [named] = found ? [found] : await listEventTypes({ config, db }, ownerOf(request, own), isOfFew);
  const hasHosts = team !== undefined && (tab === 'new' || tab === 'hosts');
  const members = hasHosts ? await listMembers(db, { kind: 'team', id: team.id }, { take: maxMembers }) : [];
  const hasSchedules = team === undefined && tab === 'limits';
  const schedules = hasSchedules ? await listScheduleNames(db, sessionOf(request).person.id) : [];
  const sentHosts = sentFields.parse(request.body)['hosts'];
  const first = found || request.method === 'POST' ? [] : members.slice(0, 100).map(({ id }) => String(id));
  const chosen = [sentHosts ?? typed['hosts']?.split(' ') ?? first].flat();
  const locations = showLocationRows(typed);
  const questions = showQuestionRows(typed);
  const added =
    focusInRows(typed, locationRows, locations.length) ?? focusInRows(typed, questionRows, questions.length);
  return {
    title: 'New event type',
    path: request.url.replace(/\?.*/s, ''),
    back: homeOf({ teamId: team?.id ?? null }),
    isChanged: request.method === 'POST',
    focus: added ?? focusOf(faults, ['title', 'lengthInMinutes']) ?? Object.keys(faults)[0],
    amounts: { ...amounts, bookingWindow: windowUnits },
    linkPrefix: named === undefined ? undefined : prefixOf(named, config),
    locations,
    questions,
    mayAsk: questions.length < questionRows.max,
    schedules: hasSchedules
      ? ([['', 'Your default schedule'], ...schedules.map(({ id, name }) => [id, name] as const)] as const)
      : undefined,
    team: team && {
      id: team.id,
      hosts: members.map(({ id, name }) => ({ id, name, isChosen: chosen.includes(String(id)) })),
    },
    typed,
    faults,
  };
}

/** Returns `cal.example/ann/`; undefined for users without a page. */
function prefixOf(found: ShownEventType, config: Platform['config']): string | undefined {
  const address = bookingUrlOf({ ...found, eventType: { slug: '' } }, config);
  return address === '' ? undefined : address.replace(/^https?:\/\//, '');
}
