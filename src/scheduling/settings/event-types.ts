import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { plainName } from '../../accounts/fields.ts';
import { linkTo } from '../../accounts/groups/address.ts';
import { maxMembers } from '../../accounts/groups/rules.ts';
import { listManagedTeams, listMembers } from '../../accounts/groups/store.ts';
import { requireVerifiedEmail, sessionOf, settingsPlugin } from '../../accounts/sessions/session.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Said, Sentence } from '../../platform/words.ts';
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
import { findOwnEventType } from '../event-types/routes.ts';
import {
  changeEventType,
  createEventType,
  deleteEventType,
  type EventTypeFault,
  listEventTypes,
  type ShownEventType,
} from '../event-types/store.ts';
import { maxEventTypes } from '../limits.ts';
import { listScheduleNames } from '../schedules/store.ts';
import { registerAvailability } from './availability.ts';
import { registerCalendarSettings } from './calendars.ts';
import {
  bodies,
  inPageWords,
  locationRows,
  questionRows,
  showLocationRows,
  showQuestionRows,
  type TabName,
  typedOf,
  units,
  windowUnits,
} from './event-type-form.ts';
import { asksForRows, focusInRows } from './rows.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/event-types': Page & Awaited<ReturnType<typeof readList>>;
    'scheduling/settings/event-type': Page & EventTypeForm;
    'scheduling/settings/event-type-places': EventTypeForm;
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
} as const satisfies Record<string, Sentence>;

const tooManyTypes: Said = {
  text: 'There are {max} event types, the maximum. Delete one first.',
  values: { max: maxEventTypes },
};

const tabs = [
  ['basics', '', 'Basics'],
  ['questions', '/questions', 'Questions'],
  ['limits', '/limits', 'Limits'],
  ['hosts', '/hosts', 'Hosts'],
] as const satisfies readonly (readonly [TabName, path: string, words: Sentence])[];

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
    return sendForm(reply, 'new', own, { typed: { lengthInMinutes: '30' }, faults: {} });
  });

  app.post(`${home}/new`, { schema: { body: sentFields } }, async (request, reply) => {
    const { team } = orNotFound(ofTeam.safeParse(request.body).data);
    return save(reply, 'new', { team: await findTeam(request, team) }, request.body);
  });

  for (const [tab, path] of tabs) {
    app.get(`${home}/:id${path}`, { schema: { params: idParams } }, async (request, reply) => {
      const own = await findOwn(request, request.params.id, tab);
      return sendForm(reply, tab, own, { typed: typedOf(own.found), faults: {} });
    });

    app.post(
      `${home}/:id${path}`,
      { schema: { params: idParams, body: sentFields } },
      async (request, reply) =>
        save(reply, tab, await findOwn(request, request.params.id, tab), request.body),
    );
  }

  app.get(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const { title, id } = (await findOwn(request, request.params.id)).found.eventType;
    const { t } = request.words;
    return sendPage(reply, 'deletion', {
      title: t('Delete {name}?', { name: title }),
      text: `${t('Its link stops working. Bookings are kept.')} ${t('You can’t undo this.')}`,
      button: t('Delete event type'),
      back: { address: `${home}/${id}`, words: title },
    });
  });

  app.post(`${home}/:id/delete`, { schema: { params: idParams } }, async (request, reply) => {
    const { found, team } = await findOwn(request, request.params.id);
    await deleteEventType(db, found.eventType.id);
    return reply.redirect(`${home}?${team === undefined ? '' : `team=${team.id}&`}done=deleted`, 303);
  });

  async function save(reply: FastifyReply, tab: TabName, own: Own, sent: SentFields): Promise<FastifyReply> {
    const again = (status: number, form: FormFaults) => sendForm(reply.code(status), tab, own, form);
    if (asksForRows(sent)) return again(200, shownAgain(sent, {}));
    const { team, found } = own;
    const owner = ownerOf(reply.request, own);
    const hasSlug = tab === 'new' || tab === 'basics';
    const fields = hasSlug ? await withSlug(owner, sent, found?.eventType.id) : sent;
    const body = bodies[tab](fields, team !== undefined);
    const saved = found ? await change(found, owner, body, sent) : await create(owner, body, sent);
    if (saved.ok && !found) return reply.redirect(`${home}/${saved.value}?done=created`, 303);
    if (saved.ok) return reply.redirect(`${reply.request.url.replace(/\?.*/s, '')}?done=saved`, 303);
    if ('reason' in saved) return again(409, shownAgain(sent, reasonFaults[saved.reason]));
    return again(400, { ...saved, faults: inPageWords(saved.faults, sent) });
  }

  async function create(owner: Owner, body: object, sent: SentFields) {
    const isTeams = 'teamId' in owner;
    const form = isTeams ? readAsApi(newTeamEventType, body, sent) : readAsApi(newEventType, body, sent);
    if (!form.ok) return form;
    const { hosts = [], ...values } =
      'hosts' in form.value ? form.value : { ...form.value, hosts: undefined };
    return createEventType(db, owner, eventTypeValuesOf(values), hosts, runtime.now());
  }

  async function change({ eventType }: ShownEventType, owner: Owner, body: object, sent: SentFields) {
    const form = readAsApi(eventTypeChanges, body, sent);
    if (!form.ok) return form;
    const { hosts: hostIds, ...values } = form.value;
    const changes = { id: eventType.id, owner, values: eventTypeValuesOf(values), hostIds };
    return changeEventType(db, changes, runtime.now());
  }

  /** Without Latin letters it is `event`, and one that is taken gets a number. */
  async function withSlug(owner: Owner, sent: SentFields, ownId?: number): Promise<SentFields> {
    if (sent['slug']) return sent;
    const all = { withHidden: true, take: maxEventTypes, isShort: true };
    const others = (await listEventTypes(app, owner, all)).filter(({ eventType: { id } }) => id !== ownId);
    const taken = new Set(others.map(({ eventType }) => eventType.slug));
    const plain = plainName(String(sent['title'] ?? '').slice(0, 200), maxMadeSlug) || 'event';
    const numbered = [...taken].map((_, index) => `${plain}-${index + 2}`);
    return { ...sent, slug: [plain, ...numbered].find((slug) => !taken.has(slug)) ?? plain };
  }
}

/** Room for a number is left in the 80 characters of a link. */
const maxMadeSlug = 75;

const reasonFaults: Readonly<Record<EventTypeFault, FormFaults['faults']>> = {
  slug_taken: { slug: 'Another event type has this link. Choose another one.' satisfies Sentence },
  schedule_not_found: { scheduleId: 'Choose one of your schedules.' satisfies Sentence },
  host_not_in_team: { hosts: 'Choose only members of the team.' satisfies Sentence },
  not_found: { form: 'This event type was deleted.' satisfies Sentence },
  too_many: { form: tooManyTypes },
};

const ownerOf = (request: FastifyRequest, { team }: Own): Owner =>
  team === undefined ? { userId: sessionOf(request).person.id } : { teamId: team.id };

async function readList(request: FastifyRequest, teamId: number | undefined) {
  const { config, db } = request.server;
  const { id: userId } = sessionOf(request).person;
  const teams = await listManagedTeams(db, userId);
  if (teamId !== undefined) orNotFound(teams.find(({ id }) => id === teamId));
  const set = teamId === undefined ? { userId } : { teamId };
  const all = { withHidden: true, take: maxEventTypes, isShort: true };
  const eventTypes = await listEventTypes({ config, db }, set, all);
  const owners = teams.map(({ id, name }) => ({ address: homeOf({ teamId: id }), words: name }));
  return {
    title: request.words.t('Event types'),
    outages: await listOutages(db, userId),
    owner: homeOf({ teamId: teamId ?? null }),
    owners: owners.length === 0 ? [] : [{ address: home, words: request.words.t('Your own') }, ...owners],
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

async function sendForm(
  reply: FastifyReply,
  tab: TabName,
  own: Own,
  form: FormFaults,
): Promise<FastifyReply> {
  const shown = await describeForm(reply.request, tab, own, form);
  return sendPage(reply, 'scheduling/settings/event-type', shown);
}

async function describeForm(request: FastifyRequest, tab: TabName, own: Own, { typed, faults }: FormFaults) {
  const { words } = request;
  const { config, db } = request.server;
  const { team, found } = own;
  const isOfFew = { withHidden: true, take: 1, isShort: true };
  const [named] = found ? [found] : await listEventTypes({ config, db }, ownerOf(request, own), isOfFew);
  const hasHosts = team !== undefined && (tab === 'new' || tab === 'hosts');
  const members = hasHosts ? await listMembers(db, { kind: 'team', id: team.id }, { take: maxMembers }) : [];
  const hasSchedules = team === undefined && tab === 'limits';
  const schedules = hasSchedules ? await listScheduleNames(db, sessionOf(request).person.id) : [];
  const stored = found?.hosts.map(({ userId }) => userId) ?? members.slice(0, 100).map(({ id }) => id);
  const isSent = request.method === 'POST';
  const chosen = isSent ? [sentFields.parse(request.body)['hosts']].flat() : stored.map(String);
  const locations = showLocationRows(typed, words);
  const questions = showQuestionRows(typed, words);
  const added =
    focusInRows(typed, locationRows, locations.length) ?? focusInRows(typed, questionRows, questions.length);
  return {
    title: found?.eventType.title ?? words.t('New event type'),
    tab,
    tabs: tabs
      .filter(([name]) => name !== 'hosts' || team !== undefined)
      .map(([name, path, about]) => ({
        address: `${home}/${found?.eventType.id}${path}`,
        words: about,
        isShown: name === tab,
      })),
    bookingUrl: found && linkTo(bookingUrlOf(found, config), config),
    back: homeOf({ teamId: team?.id ?? null }),
    isChanged: isSent,
    focus: added ?? focusOf(faults, ['title', 'lengthInMinutes']),
    units,
    windowUnits,
    linkPrefix: named === undefined ? undefined : prefixOf(named, config),
    locations,
    questions,
    mayAsk: questions.length < questionRows.max,
    schedules: hasSchedules
      ? ([
          ['', words.t('Your default schedule')],
          ...schedules.map(({ id, name }) => [id, name] as const),
        ] as const)
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
