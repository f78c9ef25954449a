import type { HTTPMethods, RouteOptions } from 'fastify';
import { z } from 'zod';
import { basicOf } from '../support/basic.ts';
import { contentTypeOf, exampleOf, fetchDocument, listOperations } from '../support/document.ts';
import { messageOf } from '../support/mcp.ts';
import { textOf } from '../support/page-content.ts';
import { formTokenOf } from '../support/registration.ts';
import type { TestService } from '../support/service.ts';
import { issueCode, issueTokens, refreshFields, revocationPath, tokenPath } from '../support/tokens.ts';
import { authorizePath, clientFields } from '../support/world.ts';
import { openSurfaceWorld } from './surface-world.ts';
import { listPlaces } from './wrong-values.ts';

type Texts = Readonly<Record<string, string>>;

/** A request that the service answers, with right values. */
export interface Target {
  readonly method: HTTPMethods;
  /** The pattern of its path: `/v2/bookings/:uid`. */
  readonly route: string;
  readonly params: Texts;
  readonly query: Texts;
  readonly headers: Texts;
  /** Fields of a form, or a JSON value; undefined without a body. */
  readonly body: unknown;
  readonly isForm: boolean;
  /** Where the fields of the body are, each from the outside in. */
  readonly fields: readonly (readonly string[])[];
}

/** Builds the address, percent-encoded. */
export function pathOf({ route, params, query }: Pick<Target, 'route' | 'params' | 'query'>): string {
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** A request as it is injected. */
export interface Sent {
  readonly method: Target['method'];
  readonly url: string;
  readonly headers: Texts;
  readonly payload?: string;
}

export function sentTo(target: Target): Sent {
  const { method, headers, body, isForm } = target;
  const url = pathOf(target);
  if (body === undefined) return { method, url, headers };
  const fields = Object.entries(body ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const payload = isForm ? new URLSearchParams(fields).toString() : JSON.stringify(body);
  return { method, url, headers: { ...headers, 'content-type': type }, payload };
}

/** What pages read from their query, where their schemas don't name it. */
const rawQueries: Readonly<Record<string, readonly string[]>> = {
  [authorizePath]: [
    ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'team_slug', 'resource'],
    ...['code_challenge', 'code_challenge_method', 'dpop_jkt', 'prompt'],
  ],
  '/settings/teams/:groupId': ['done', 'invitation'],
  '/settings/admin/oauth': ['q', 'status', 'after', 'page'],
};

/** What people type into the fields of forms; no passwords, because a hash is meant to cost. */
const typed: Texts = {
  email: 'dana@example.com',
  name: 'Dana',
  username: 'dana-somebody',
  time_zone: 'Europe/Berlin',
  week_start: 'Monday',
  time_format: '24',
  purpose: 'Testing',
  redirect_uris: 'https://app.example/callback',
  website_url: 'https://app.example',
  slug: 'a-slug',
  role: 'member',
  reason: 'A reason',
  confirmation: 'Another name',
  notes: 'A note',
  guests: 'erin@example.com',
};

const toMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Every request that the service answers, by one person who has one of everything: pages by
 * following their links and reading their forms, the API from its document, and whatever is left
 * from the recorded routes.
 */
export async function openSurface(service: TestService, recorded: readonly RouteOptions[]) {
  const world = await openSurfaceWorld(service);
  const { cookie, token, client } = world;
  const routes = listRecorded(recorded);
  const targets = new Map<string, Target>();
  const add = (target: Target): void => {
    const key = `${target.method} ${target.route}`;
    const size = ({ body, query }: Target) => JSON.stringify([body, query]).length;
    const known = targets.get(key);
    if (known === undefined || size(known) < size(target)) targets.set(key, target);
  };

  const crawled = [
    ...(await crawl(service, routes, world.visitorPages, {})),
    ...(await crawl(service, routes, world.ownPages, { cookie })),
  ];
  for (const target of crawled) add(target);
  for (const target of await listOfDocument(service, world)) add(target);
  const tokens = await issueTokens(service, client);
  const code = { ...(await issueCode(service, client)), code_verifier: 'x' };
  add(post(tokenPath, { ...code, refresh_token: tokens.refresh_token }));
  add(post(revocationPath, { ...clientFields(client), token: 'x', token_type_hint: 'access_token' }));
  const refreshing = { ...refreshFields(client, tokens.refresh_token), scope: 'BOOKING_READ' };

  /** A route that begins alike has the value. */
  const knownParam = (url: string, name: string): string | undefined =>
    [...targets.values()].find(
      ({ route, params }) => name in params && route.split(`:${name}`)[0] === url.split(`:${name}`)[0],
    )?.params[name];
  const form_token = await formTokenOf(service, cookie);
  for (const { method, url } of routes.filter(({ method, url }) => !targets.has(`${method} ${url}`))) {
    const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, knownParam(url, name) ?? 'x']));
    const headers: Texts = url.startsWith('/v2/') ? { authorization: `Bearer ${token}` } : { cookie };
    const body = method === 'POST' ? { reason: 'x', role: 'member', form_token } : undefined;
    add({ method, route: url, params, query: {}, headers, body, isForm: true, fields: namesOf(body) });
  }
  const withQueries = [...targets.values()].map((target) => {
    const route = routes.find(({ method, url }) => method === target.method && url === target.route);
    const names = [...namesIn(route?.schema?.querystring), ...(rawQueries[target.route] ?? [])];
    return { ...target, query: { ...Object.fromEntries(names.map((name) => [name, ''])), ...target.query } };
  });
  return {
    world,
    tokens,
    targets: [
      ...withQueries.filter(({ route, method }) => method !== 'POST' || route !== '/mcp'),
      post(tokenPath, refreshing, true),
      ...listToolCalls(world),
    ].toSorted((one, other) => endingsOf(one) - endingsOf(other)),
  };
}

const endings = /sign-out|disconnect|leave|decline|delete|remove|withdraw|cancel|suspend|revoke/;

/** What ends something comes after what needs it; signing out comes last. */
export function endingsOf({ method, route }: Target): 0 | 1 | 2 {
  if (route === '/signout') return 2;
  return method === 'DELETE' || endings.test(route) ? 1 : 0;
}

function post(route: string, body: Texts, isForm = false): Target {
  return { method: 'POST', route, params: {}, query: {}, headers: {}, body, isForm, fields: namesOf(body) };
}

/** In the newest version, whose headers repeat what is in the body, and in the one before. */
function listToolCalls({ token, eventTypeId, ids }: Awaited<ReturnType<typeof openSurfaceWorld>>) {
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'Europe/Berlin', language: 'en' };
  const range = { start: '2031-06-02', end: '2031-06-03', timeZone: 'Europe/Berlin' };
  const booking = { eventTypeId: Number(eventTypeId), start: '2031-06-02T09:00:00Z', attendee };
  const calls = [
    ['createBooking', { ...booking, guests: ['erin@example.com'], idempotencyKey: 'a-key' }],
    ['listSlots', { ...range, eventTypeId: Number(eventTypeId) }],
    ['listBookings', { status: 'upcoming', take: 10 }],
    ['rescheduleBooking', { uid: ids.uid, start: '2031-06-03T09:00:00Z', reschedulingReason: 'Later' }],
  ] as const;
  return calls.flatMap(([name, given]) => {
    const { body, headers } = messageOf('tools/call', { name, arguments: given });
    const { accept, 'content-type': type } = headers;
    const { _meta: _, ...params } = body.params;
    return [
      { body, headers },
      { body: { ...body, params }, headers: { accept, 'content-type': type } },
    ].map(
      (sent): Target => ({
        ...{ method: 'POST', route: '/mcp', params: {}, query: {}, isForm: false, body: sent.body },
        headers: { ...sent.headers, authorization: `Bearer ${token}` },
        fields: leavesOf(sent.body),
      }),
    );
  });
}

const leavesOf = (value: unknown): Target['fields'] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner).map((at) => [name, ...at]))
    : [[]];

const namesOf = (body: Texts = {}): Target['fields'] => Object.keys(body).map((name) => [name]);

function namesIn(schema: unknown): readonly string[] {
  if (!(schema instanceof z.ZodType)) return [];
  return Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {});
}

type Recorded = ReturnType<typeof listRecorded>;

/** Lists routes by method, without the regular expressions of parameters. */
function listRecorded(recorded: readonly RouteOptions[]) {
  return recorded.flatMap(({ method, url, schema }) => {
    const plain = url.replaceAll(/\(\^.*?\$\)(?=\/|$)/g, '');
    const pattern = plain.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
    return [method].flat().flatMap((verb) => {
      const known = toMethod.safeParse(verb);
      return known.success
        ? [{ method: known.data, url: plain, schema, path: new RegExp(`^${pattern}$`) }]
        : [];
    });
  });
}

/** Follows links, one page of each route; a form is a target as it is filled in. */
async function crawl(
  { app }: TestService,
  routes: Recorded,
  starts: readonly string[],
  headers: Texts,
): Promise<readonly Target[]> {
  const found: Target[] = [];
  const known = new Set<string>();
  const add = (method: string, address: string, body?: Texts): boolean => {
    const { pathname, searchParams } = new URL(address, 'http://page.example');
    const [route] = routes
      .filter(({ method: verb, path }) => verb === method && path.test(pathname))
      .toSorted((one, other) => one.url.split(':').length - other.url.split(':').length);
    if (route === undefined) return false;
    const filled =
      body &&
      Object.fromEntries(Object.entries(body).map(([name, text]) => [name, text || (typed[name] ?? '')]));
    found.push({
      ...{ method: route.method, route: route.url, params: { ...route.path.exec(pathname)?.groups } },
      ...{ query: Object.fromEntries(searchParams), headers, body: filled, isForm: true },
      fields: namesOf(filled),
    });
    const isNew = !known.has(`${method} ${route.url}`);
    known.add(`${method} ${route.url}`);
    return isNew;
  };
  const waiting = [...starts];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { body, statusCode } = await app.inject({ url: path, headers });
    if (statusCode >= 400) continue;
    add('GET', path);
    const links = [...body.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, href = '']) => textOf(href));
    for (const link of links) if (add('GET', link)) waiting.push(link);
    for (const { method, action, fields } of formsOn(body, path)) add(method, action, fields);
  }
  return found;
}

/** The forms of a page with what they hold. */
function formsOn(html: string, path: string) {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', inner = '']) => {
    const tags = [...inner.matchAll(/<(?:input|select|textarea|button)([^>]*)>/g)].map(([, tag = '']) => tag);
    const fields = tags.flatMap((tag) => {
      const name = /name="([^"]*)"/.exec(tag)?.[1];
      return name === undefined ? [] : [[name, textOf(/value="([^"]*)"/.exec(tag)?.[1] ?? '')] as const];
    });
    return {
      method: /method="post"/.test(attributes) ? 'POST' : 'GET',
      action: textOf(/action="([^"]*)"/.exec(attributes)?.[1] ?? path),
      fields: Object.fromEntries(fields),
    };
  });
}

async function listOfDocument(
  { app }: TestService,
  world: Awaited<ReturnType<typeof openSurfaceWorld>>,
): Promise<readonly Target[]> {
  const document = await fetchDocument(app);
  const { token, platform, eventTypeId, scheduleId } = world;
  return listOperations(document).map((listed) => {
    const { method, path, operation } = listed;
    const isPlatforms = operation.security.some((way) => 'clientBasic' in way);
    const { own, team, app: ofApp } = world.webhookIds;
    const webhookId = isPlatforms ? ofApp : path.startsWith('/v2/teams/') ? team : own;
    const id = path.includes('schedules') ? scheduleId : eventTypeId;
    const ids: Texts = { ...world.ids, webhookId, id };
    const inPlace = (place: string): Texts =>
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === place)
          .map((parameter) => [
            parameter.name,
            ids[parameter.name] ?? String(exampleOf(parameter) ?? parameter.schema.examples?.[0] ?? 'x'),
          ]),
      );
    const contentType = contentTypeOf(listed);
    const schemaAt = ['paths', path, method, 'requestBody', 'content', contentType, 'schema'];
    const places = operation.requestBody === undefined ? [] : listPlaces(document, { at: [], schemaAt });
    const example = JSON.stringify(operation.requestBody?.content[contentType]?.example);
    return {
      method: toMethod.parse(method.toUpperCase()),
      route: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      params: inPlace('path'),
      query: inPlace('query'),
      headers: { ...inPlace('header'), authorization: isPlatforms ? basicOf(platform) : `Bearer ${token}` },
      // No test looks a host name up.
      body: example && JSON.parse(example.replaceAll(/(?:cal|dav)\.example/g, '127.0.0.1')),
      isForm: false,
      fields: places.map(({ at }) => at),
    };
  });
}
