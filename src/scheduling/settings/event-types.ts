import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { plainName } from '../../accounts/fields.ts';
import { linkTo } from '../../accounts/groups/address.ts';
import { maxMembers } from '../../accounts/groups/rules.ts';
import { listManagedTeams, listMembers } from '../../accounts/groups/store.ts';
import { sessionOf } from '../../accounts/sessions/session.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import {
  byField,
  idParams,
  numberIn,
  readAsApi,
  type SentFields,
  sentFields,
  shownAgain,
} from '../../v2/form.ts';
import { rowIdInAddress } from '../../v2/input.ts';
import { type FormFaults, focusOf, untouched } from '../../web/forms.ts';
import { orNotFound, type Page, sendPage, tellOutcomes } from '../../web/pages.ts';
import { bookingUrlOf } from '../core/booking-url.ts';
import { eventTypeValuesOf, newEventType, newTeamEventType } from '../event-types/request.ts';
import { eventTypeFaults, findOwnEventType, needsMailServer } from '../event-types/routes.ts';
import {
  changeEventType,
  createEventType,
  deleteEventType,
  listNamedEventTypes,
  type ShownEventType,
} from '../event-types/store.ts';
import { quotas } from '../limits.ts';
import { listScheduleNames } from '../schedules/store.ts';
import {
  locationRows,
  locationsIn,
  questionRows,
  questionsIn,
  typedLocations,
  typedQuestions,
} from './event-type-rows.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/settings/event-types': Page & Awaited<ReturnType<typeof readList>>;
    'scheduling/settings/event-type': Page & FormFaults & Awaited<ReturnType<typeof describeForm>>;
  }
}

type Team = { readonly id: number; readonly name: string };
type Own = { readonly team: Team | undefined; readonly found?: ShownEventType };

export const eventTypesHome = '/settings/event-types';
const home = eventTypesHome;
const ofTeam = z.object({ team: rowIdInAddress.optional() });
const doneWords = {
  created: 'Event type created.',
  saved: 'Event type saved.',
  deleted: 'Event type deleted. Its bookings are kept.',
} as const;
const usual = {
  lengthInMinutes: '30',
  beforeEventBuffer: '0',
  afterEventBuffer: '0',
  minimumBookingNotice: '120',
  schedulingType: 'collective',
};
const switches = {
  hidden: 'Hide it from your booking page. People with the link can book it.',
  confirmationPolicy: 'Ask me to confirm each booking',
  disableGuests: 'Don’t let people add guests',
  requiresBookerEmailVerification: 'Have people verify their email address with a code before they book',
} as const;

export async function registerEventTypeSettings(app: ScopedApp): Promise<void> {
  const { db, runtime } = app;
  tellOutcomes(app, doneWords);

  app.get(home, { schema: { querystring: ofTeam } }, async (request, reply) =>
    sendPage(reply, 'scheduling/settings/event-types', await readList(request, request.query.team)),
  );

  app.get(`${home}/new`, { schema: { querystring: ofTeam } }, async (request, reply) =>
    sendForm(reply, { team: await findTeam(request, request.query.team) }, untouched),
  );

  app.post(`${home}/new`, { schema: { body: sentFields } }, async (request, reply) =>
    save(
      reply,
      { team: await findTeam(request, orNotFound(ofTeam.safeParse(request.body).data).team) },
      request.body,
    ),
  );

  app.get(`${home}/:id`, { schema: { params: idParams } }, async (request, reply) => {
    const own = await findOwn(request, request.params.id);
    return sendForm(reply, own, typedOf(own.found));
  });

  app.post(`${home}/:id`, { schema: { params: idParams, body: sentFields } }, async (request, reply) =>
    save(reply, await findOwn(request, request.params.id), request.body),
  );

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
    const own = await findOwn(request, request.params.id);
    await deleteEventType(db, own.found.eventType.id);
    return reply.redirect(withDone(own.team, 'deleted'), 303);
  });

  async function save(reply: FastifyReply, own: Own, sent: SentFields): Promise<FastifyReply> {
    const { team, found } = own;
    const again = (status: number, form: FormFaults) => sendForm(reply.code(status), own, form);
    const owner = team === undefined ? { userId: sessionOf(reply.request).person.id } : { teamId: team.id };
    const slug = sent['slug'] || (await slugFor(owner, String(sent['title'] ?? ''), found?.eventType.id));
    const body = bodyOf({ ...sent, slug }, team !== undefined);
    const form =
      team === undefined ? readAsApi(newEventType, body, sent) : readAsApi(newTeamEventType, body, sent);
    if (!form.ok) return again(400, { ...form, faults: inPageWords(form.faults) });
    if (needsMailServer(app, form.value, found?.eventType))
      return again(400, shownAgain(sent, eventTypeFaults.no_mail_server[2]));
    const { hosts = [], ...values } =
      'hosts' in form.value ? form.value : { ...form.value, hosts: undefined };
    const now = runtime.now();
    const saved = found
      ? await changeEventType(db, found.eventType.id, owner, eventTypeValuesOf(values), hosts, now)
      : await createEventType(db, owner, eventTypeValuesOf(values), hosts, now);
    if (saved.ok) return reply.redirect(withDone(team, found ? 'saved' : 'created'), 303);
    const [, message, details] = eventTypeFaults[saved.reason];
    const faults = Object.keys(details).length > 0 ? details : { form: message };
    return again(409, shownAgain(sent, inPageWords(faults)));
  }

  /** Without Latin letters it is `event`, and one that is taken gets a number. */
  async function slugFor(
    owner: { readonly userId: number } | { readonly teamId: number },
    title: string,
    ownId: number | undefined,
  ): Promise<string> {
    const all = { withHidden: true, take: quotas.eventTypes };
    const others = (await listNamedEventTypes(app, owner, all)).filter(
      ({ eventType: { id } }) => id !== ownId,
    );
    const taken = new Set(others.map(({ eventType }) => eventType.slug));
    const plain = plainName(title.slice(0, 200), maxMadeSlug) || 'event';
    const numbered = [...taken].map((_, index) => `${plain}-${index + 2}`);
    return [plain, ...numbered].find((slug) => !taken.has(slug)) ?? plain;
  }
}

/** Room for a number is left in the 80 characters of a link. */
const maxMadeSlug = 75;

async function readList(request: FastifyRequest, teamId: number | undefined) {
  const { config, db } = request.server;
  const { id: userId } = sessionOf(request).person;
  const teams = await listManagedTeams(db, userId);
  if (teamId !== undefined) orNotFound(teams.find(({ id }) => id === teamId));
  const set = teamId === undefined ? { userId } : { teamId };
  const all = { withHidden: true, take: quotas.eventTypes };
  const eventTypes = await listNamedEventTypes({ config, db }, set, all);
  const owners = teams.map(({ id, name }) => ({ address: homeOf({ teamId: id }), words: name }));
  return {
    title: 'Event types',
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

function withDone(team: Team | undefined, done: string): string {
  return team === undefined ? `${home}?done=${done}` : `${home}?team=${team.id}&done=${done}`;
}

async function findTeam(request: FastifyRequest, id: number | undefined): Promise<Team | undefined> {
  if (id === undefined) return undefined;
  const teams = await listManagedTeams(request.server.db, sessionOf(request).person.id);
  return orNotFound(teams.find((team) => team.id === id));
}

async function findOwn(request: FastifyRequest, id: number) {
  const principal = { userId: sessionOf(request).person.id, teamId: null };
  const own = await findOwnEventType(request.server.db, principal, id);
  const found = orNotFound(own?.mayChange ? own.found : undefined);
  return { found, team: found.team ?? undefined };
}

function bodyOf(sent: SentFields, isTeams: boolean): Record<string, unknown> {
  const { title, slug, description, slotInterval, bookingWindow, scheduleId, schedulingType, hosts } = sent;
  const minutes = [
    'lengthInMinutes',
    'beforeEventBuffer',
    'afterEventBuffer',
    'minimumBookingNotice',
  ] as const;
  return {
    title,
    slug,
    description,
    ...Object.fromEntries(minutes.map((name) => [name, numberIn(sent[name])])),
    lengthInMinutesOptions: lengthsIn(sent),
    locations: locationsIn(sent),
    bookingFields: questionsIn(sent),
    slotInterval: numberIn(slotInterval) ?? null,
    bookingWindow:
      numberIn(bookingWindow) === undefined
        ? { disabled: true }
        : { type: 'calendarDays', value: numberIn(bookingWindow) },
    hidden: 'hidden' in sent,
    confirmationPolicy: 'confirmationPolicy' in sent ? { type: 'always' } : { disabled: true },
    requiresBookerEmailVerification: 'requiresBookerEmailVerification' in sent,
    disableGuests: 'disableGuests' in sent,
    ...(isTeams
      ? {
          schedulingType,
          hosts: [hosts ?? []]
            .flat()
            .slice(0, 101)
            .map((id) => ({ userId: numberIn(id) })),
        }
      : { scheduleId: numberIn(scheduleId) ?? null }),
  };
}

function lengthsIn({ lengthInMinutes, lengthInMinutesOptions: others }: SentFields): unknown[] {
  const typed = typeof others === 'string' ? others.split(/[\s,;]+/, 12).filter(Boolean) : [];
  return typed.length === 0 ? [] : [...new Set([lengthInMinutes, ...typed].map(numberIn))];
}

function inPageWords(faults: FormFaults['faults']): FormFaults['faults'] {
  const words: Readonly<Record<string, string>> = {
    bookingWindow: 'Enter 1 to 3650 days, or nothing.',
    lengthInMinutesOptions: 'Enter up to 9 lengths of 1 to 1440 minutes, with spaces between them.',
    hosts: 'Choose at least one member of the team.',
    locations:
      'Fill in the address, the link (https://…) or the number (+49 30 123456), up to 300 characters.',
    bookingFields:
      'Use labels up to 200 characters. Give lists and options at least one option each, up to 50 different ones of 100 characters, and other questions none.',
    scheduleId: 'Choose one of your schedules.',
  };
  const fields = Object.entries(byField(faults));
  return Object.fromEntries(fields.map(([field, fault]) => [field, words[field] ?? fault]));
}

function typedOf({ eventType, hosts }: ShownEventType): FormFaults {
  const typed: Record<string, string> = { hosts: hosts.map(({ userId }) => userId).join(' ') };
  const { bookingWindowDays, requiresConfirmation, lengthInMinutesOptions: lengths, ...others } = eventType;
  const { locations, bookingFields, ...same } = others;
  for (const [name, value] of Object.entries({
    ...same,
    ...typedLocations(locations),
    ...typedQuestions(bookingFields),
    lengthInMinutesOptions: lengths?.filter((length) => length !== same.lengthInMinutes).join(' ') ?? null,
    bookingWindow: bookingWindowDays,
    confirmationPolicy: requiresConfirmation,
  }))
    if (value !== null && value !== false) typed[name] = String(value);
  return { typed, faults: {} };
}

async function sendForm(reply: FastifyReply, own: Own, form: FormFaults): Promise<FastifyReply> {
  return sendPage(reply, 'scheduling/settings/event-type', await describeForm(reply.request, own, form));
}

async function describeForm(request: FastifyRequest, { team, found }: Own, { typed, faults }: FormFaults) {
  const { config, db, mail } = request.server;
  const isFresh = found === undefined && Object.keys(typed).length === 0;
  const schedules = team === undefined ? await listScheduleNames(db, sessionOf(request).person.id) : [];
  const members =
    team === undefined ? [] : await listMembers(db, { kind: 'team', id: team.id }, { take: maxMembers });
  const sentHosts = sentFields.parse(request.body)['hosts'];
  const chosen = [sentHosts ?? typed['hosts']?.split(' ') ?? []].flat();
  return {
    title: found === undefined ? 'New event type' : 'Edit event type',
    action: found === undefined ? `${home}/new` : `${home}/${found.eventType.id}`,
    back: homeOf({ teamId: team?.id ?? null }),
    isNew: found === undefined,
    focus: focusOf(faults, ['title', 'lengthInMinutes', 'lengthInMinutesOptions', 'slug', 'description']),
    bookingUrl: found === undefined ? '' : linkTo(bookingUrlOf(found, config), config),
    locations: locationRows(typed),
    questions: questionRows(typed),
    schedules:
      team === undefined
        ? ([['', 'Your default schedule'], ...schedules.map(({ id, name }) => [id, name] as const)] as const)
        : undefined,
    team: team && {
      id: team.id,
      types: [
        ['collective', 'All hosts attend'],
        ['roundRobin', 'Hosts take turns'],
      ] as const,
      hosts: members.map(({ id, name }) => ({ id, name, isChosen: chosen.includes(String(id)) })),
    },
    options: Object.entries(switches).map(([name, words]) => ({
      name,
      words,
      isChosen: name in typed,
      // Codes need a mail server. What was set while there was one can be unset.
      isDisabled: name === 'requiresBookerEmailVerification' && !mail.isConfigured && !(name in typed),
    })),
    typed: isFresh ? usual : typed,
    faults,
  };
}
