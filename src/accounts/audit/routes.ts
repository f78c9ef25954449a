import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { AuditSentences } from '../../platform/audit/actions.ts';
import type { Part } from '../../platform/parts.ts';
import { bdi, english, type Words } from '../../platform/words.ts';
import {
  cutPage,
  type FormFaults,
  type FormResult,
  formOf,
  positionBy,
  positionOf,
  usualYear,
} from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { keepEnglish } from '../../web/translated.ts';
import { requireAdmin } from '../admin/admins.ts';
import { describeBrowser } from '../browsers.ts';
import { sessionOf, settingsPlugin } from '../sessions/session.ts';
import { findUser } from '../store.ts';
import { type ListedEvent, listAuditEvents, teamOf } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'admin/audit': Page & ReturnType<typeof describeLog>;
    'accounts/activity': Page & {
      readonly events: readonly ReturnType<typeof describeActivity>[];
      readonly isFurther: boolean;
      readonly older: string | undefined;
    };
  }
}

const pageSize = 50;
const fileSize = 5000;
const positionInQuery = positionBy(z.coerce.number<string>().int().min(1).max(Number.MAX_SAFE_INTEGER));

const home = '/settings/admin/audit';
const dayMs = 86_400_000;

const day = z
  .union([z.literal(''), z.iso.date({ error: 'Enter a date.' }).regex(usualYear, { error: 'Enter a date.' })])
  .default('')
  .transform((text) => (text === '' ? undefined : new Date(`${text}T00:00:00Z`)));
const text = (error: string) =>
  z
    .string({ error })
    .trim()
    .max(254, { error })
    .refine((value) => !/\p{Cc}/u.test(value), { error })
    .default('');

function sentencesOf(parts: readonly Part[]): AuditSentences {
  return Object.assign({}, ...parts.map(({ data }) => data?.auditSentences));
}

function readingsOf(sentences: AuditSentences, action: string) {
  // A part that is gone has left its events behind.
  const said = sentences[action] ?? action;
  const [log, concerned, actor = concerned] = typeof said === 'string' ? [said, said] : said;
  return { log, concerned, actor };
}

/** An impossible filter is a fault, because its answer would mislead. */
const queryOf = (actions: readonly string[]) =>
  z.object({
    person: text('Enter an email address or an account ID.'),
    app: text('Enter a client ID.'),
    action: z.union([z.literal(''), z.enum(actions)], { error: 'Choose an action.' }).default(''),
    from: day,
    to: day,
    behind: positionInQuery,
  });

/** Shows admins all events (contract §1). */
export const auditLogPlugin = settingsPlugin('audit-log', home, async (app) => {
  app.addHook('onRequest', keepEnglish);
  const sentences = sentencesOf(app.parts);
  const actions = Object.keys(sentences);
  app.addHook('preValidation', requireAdmin);

  const schema = { querystring: formOf(queryOf(actions)) };
  type Query = z.output<typeof schema.querystring>;

  const send = async (reply: FastifyReply, form: FormFaults, found: readonly ListedEvent[] = []) =>
    sendPage(reply, 'admin/audit', describeLog(sentences, form, found));

  app.get(home, { schema }, async ({ query }, reply) => {
    const read = await find(query, pageSize + 1);
    return read.ok
      ? send(reply, { typed: query.typed, faults: {} }, read.value)
      : send(reply.code(400), read);
  });

  app.get(`${home}.csv`, { schema }, async ({ query }, reply) => {
    const read = await find(query, fileSize);
    if (!read.ok) return send(reply.code(400), read);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.csv"')
      .send(csvOf(read.value.map((listed) => describe(listed, sentences))));
  });

  async function find(read: Query, limit: number): Promise<FormResult<readonly ListedEvent[]>> {
    if (!read.ok) return read;
    const { person, app: clientId, action, from, to, behind } = read.value;
    const personId = await idOf(person);
    if (personId === null) {
      const fault = 'No account has this email address. For a deleted one, enter its ID.';
      return { ok: false, typed: read.typed, faults: { person: fault } };
    }
    const filter = {
      personId,
      clientId: clientId === '' ? undefined : clientId,
      action: action === '' ? undefined : action,
      from,
      until: to && new Date(to.getTime() + dayMs),
      behind,
    };
    return { ok: true, value: await listAuditEvents(app.db, filter, limit) };
  }

  /** Returns null where no account has this email address. */
  async function idOf(person: string): Promise<number | null | undefined> {
    if (person === '') return undefined;
    if (/^[1-9][0-9]{0,8}$/.test(person)) return Number(person);
    return (await findUser(app.db, { email: person.toLowerCase() }))?.id ?? null;
  }
});

function describeLog(
  sentences: AuditSentences,
  { typed, faults }: FormFaults,
  found: readonly ListedEvent[] = [],
) {
  const { shown, next } = cutPage(found, pageSize, positionBehind);
  const { behind, ...filter } = typed;
  const address = (more: Record<string, string>, path = home): string =>
    `${path}?${new URLSearchParams({ ...filter, ...more }).toString()}`;
  return {
    title: 'Audit log',
    typed,
    faults,
    isFiltered: Object.values(filter).some((value) => value !== ''),
    actions: [['', 'All actions'], ...Object.keys(sentences).map((name) => [name, name] as const)] as const,
    events: shown.map((listed) => describe(listed, sentences)),
    file: address({}, `${home}.csv`),
    newest: behind && address({}),
    older: next && address({ behind: next }),
  };
}

function describe(listed: ListedEvent, sentences: AuditSentences) {
  const { event, actorName, userName } = listed;
  const { action, actorId, actorClientId, userId, clientId, label, address } = event;
  const { log: sentence } = readingsOf(sentences, action);
  const isAnyone = actorId === null && actorClientId === null;
  return {
    ...event,
    sentence: english.say({ text: sentence, values: { name: label ?? 'something' } }),
    actor: actorId === null ? undefined : { id: actorId, name: actorName ?? 'a deleted account' },
    actorWords: isAnyone ? (address === null ? 'Latchkey' : 'A visitor') : undefined,
    user:
      userId === null || userId === actorId
        ? undefined
        : { id: userId, name: userName ?? 'a deleted account' },
    clientId: clientId === actorClientId ? null : clientId,
    team: teamOf(listed),
    browser: event.userAgent === null ? undefined : describeBrowser(event.userAgent),
  };
}

const columns = ['at', 'action', 'sentence', 'reason', 'team', 'address', 'browser', 'requestId'] as const;

function csvOf(events: readonly ReturnType<typeof describe>[]): string {
  const people = ['actorId', 'actor', 'actorClientId', 'userId', 'user', 'clientId'];
  const rows = events.map((event) => [
    ...columns.map((name) => (name === 'at' ? event.at.toISOString() : event[name])),
    ...[event.actorId, event.actor?.name ?? event.actorWords, event.actorClientId],
    ...[event.userId, event.user?.name, event.clientId],
  ]);
  return [[...columns, ...people], ...rows].map((row) => `${row.map(cellOf).join()}\r\n`).join('');
}

/** Spreadsheets run what begins like a formula, and people choose their names (security C383). */
function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const harmless = text.replace(/^(?=[=+\-@\t\r])/, "'"); // protects: C383
  return `"${harmless.replaceAll('"', '""')}"`;
}

declare module '../../platform/platform.ts' {
  interface Platform {
    /** Returns names by client ID. */
    readonly findAppNames: (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  }
}

const activityHome = '/settings/activity';
const activityQuery = z.object({ behind: positionInQuery });

/** Shows what a person did, and what was decided about their account (contract §1). */
export const activityPlugin = settingsPlugin('activity', activityHome, async (app) => {
  const sentences = sentencesOf(app.parts);
  app.get(activityHome, { schema: { querystring: activityQuery } }, async (request, reply) => {
    const { behind } = request.query;
    const { id: personId } = sessionOf(request).person;
    const found = await listAuditEvents(app.db, { personId, behind }, pageSize + 1);
    const { shown, next } = cutPage(found, pageSize, positionBehind);
    const appNames = await app.findAppNames(found.flatMap(({ event }) => event.actorClientId ?? []));
    return sendPage(reply, 'accounts/activity', {
      title: request.words.t('Account activity'),
      events: shown.map((one) => describeActivity(one, sentences, personId, appNames, request.words)),
      isFurther: behind !== undefined,
      older: next && `${activityHome}?behind=${encodeURIComponent(next)}`,
    });
  });
});

const explained = / \{reason\}$/;

function describeActivity(
  listed: ListedEvent,
  sentences: AuditSentences,
  personId: number,
  appNames: ReadonlyMap<string, string>,
  words: Words,
) {
  const { event, actorName } = listed;
  const { action, at, label, actorId, actorClientId, address, userAgent } = event;
  const { concerned, actor } = readingsOf(sentences, action);
  const sentence = event.userId === personId ? concerned : actor;
  const name = label ?? words.t('something');
  const isAnyone = actorId === null && actorClientId === null;
  const isOwn = (actorId === personId && actorClientId === null) || action === 'user.sign_in_failed';
  return {
    at,
    sentence: words.sayHtml(sentence, { name: bdi(name), reason: '' }).trim(),
    detail: explained.test(sentence) ? reasonWords(event.reason, words) : null,
    team: teamOf(listed, words),
    by:
      isOwn || isAnyone
        ? undefined
        : sentence.startsWith('{name} ') && actorClientId !== null
          ? undefined
          : byWords(event, personId, actorName, appNames, words),
    // Nobody learns where others were, unless they tried to get in.
    place: isOwn && address !== null ? `${describeBrowser(userAgent, words)}, ${address}` : undefined,
  };
}

/** Members of a group know each other; admins stay unnamed. */
function byWords(
  { action, actorId, actorClientId }: ListedEvent['event'],
  personId: number,
  name: string | null,
  appNames: ReadonlyMap<string, string>,
  { t, tHtml }: Words,
) {
  const byName = (one: string): string => tHtml('by {name}', { name: bdi(one) });
  if (actorClientId !== null) {
    const app = appNames.get(actorClientId);
    return app === undefined ? t('by an app') : byName(app);
  }
  return action.startsWith('group.') && name !== null && actorId !== personId
    ? byName(name)
    : t('by an admin');
}

/** Scopes are shown as apps know them. */
function reasonWords(reason: string | null, { t }: Words): string | null {
  const [, from, to] = /^(owner|admin|member) to (owner|admin|member)$/.exec(reason ?? '') ?? [];
  if (from === undefined || to === undefined) return reason;
  return t(
    '{from, select, owner {owner} admin {admin} other {member}} → {to, select, owner {owner} admin {admin} other {member}}',
    { from, to },
  );
}

const positionBehind = ({ event: { at, id } }: ListedEvent): string => positionOf(at, id);
