import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { setResource } from '../../src/oauth/review/store.ts';
import { actionsOf, contextOf } from '../support/audit.ts';
import { codeOf, decide, decisionFormOf, redirectOf, requestOf } from '../support/authorization.ts';
import { allowForGood, rememberedOf, visit } from '../support/consent.ts';
import { sendMessage } from '../support/mcp.ts';
import { textOf } from '../support/page-content.ts';
import { mailTo, postOwnForm, reviewHome } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { suspend } from '../support/suspension.ts';
import { grantsOf, postBody, refreshFields, refusalOf, revoke } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  callMe,
  clientFields,
  connect,
  openAuthorizePage,
  postForm,
  refresh,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';

const api = 'https://api.example';
const notes = 'https://notes.example/mcp';
const tasks = 'https://tasks.example';
const addresses = { APP_URL: 'https://id.example', API_URL: api };

const service = await openTestService({
  ...addresses,
  RESOURCES: `${notes} Meeting notes, ${tasks} Tasks`,
});

const { db } = service.database;
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));

const ask = (caller: TestClient, token: string, at = service) => {
  const body = new URLSearchParams({ ...clientFields(caller), token }).toString();
  return postBody(at, body, {}, '/v2/auth/oauth2/introspect');
};

const serve = (client: TestClient, resource: string | null) =>
  setResource(db, client.id, resource, contextOf(service));

const server = await addClient(service, { name: 'Notes server' });

await serve(server, notes);

/** Tokens are of a new user, for one resource. */
async function issueFor(resource: string) {
  const [client, user] = [await addClient(service), await addUser(service)];
  const tokens = await connect(service, client, await startSession(service, user), { resource });
  return { client, user, tokens };
}

const inactive = { active: false };

describe('the server of a resource (contract §7, security C95)', () => {
  test('sees an access token of any app that names it in aud, in two statements', async () => {
    const { client, user, tokens } = await issueFor(notes);
    service.takeStatements();

    const answer = await ask(server, tokens.access_token);

    const { iat, exp, jti, scope } = decodeJwt(tokens.access_token);
    expect(answer.json()).toEqual({
      active: true,
      token_type: 'bearer',
      iss: 'https://id.example',
      aud: notes,
      sub: String(user.id),
      client_id: client.id,
      ...{ scope, iat, exp, jti },
    });
    const statements = service.takeStatements();
    expect(statements).toHaveLength(2);
    for (const statement of statements) expect(statement).toMatch(/^select /);
  });

  test('sees no refresh token, nothing for our API, nothing for another resource', async () => {
    const { tokens } = await issueFor(notes);

    const tokensOfOthers = [
      tokens.refresh_token,
      (await issueFor(api)).tokens.access_token,
      (await issueFor(tasks)).tokens.access_token,
    ];

    for (const token of tokensOfOthers) expect((await ask(server, token)).json()).toEqual(inactive);
  });

  test('is told of a revocation and a suspension immediately, and of nothing else', async () => {
    const [first, second] = [await issueFor(notes), await issueFor(notes)];
    await revoke(service, first.client, first.tokens.refresh_token);
    await suspend(service, second.user, adminCookie, 'Spam');

    for (const { tokens } of [first, second])
      expect((await ask(server, tokens.access_token)).json()).toEqual(inactive);
  });

  test('is so as long as an admin says, and RESOURCES lists it', async () => {
    const caller = await addClient(service);
    const { tokens } = await issueFor(notes);
    const elsewhere = await openAnotherInstance(service, { ...addresses, RESOURCES: `${tasks} Tasks` });
    const before = await ask(caller, tokens.access_token);
    await serve(caller, notes);
    const meanwhile = await ask(caller, tokens.access_token);
    const unlisted = await ask(caller, tokens.access_token, elsewhere);
    await serve(caller, null);
    const after = await ask(caller, tokens.access_token);

    expect(meanwhile.json()).toMatchObject({ active: true });
    for (const answer of [before, unlisted, after]) expect(answer.json()).toEqual(inactive);
  });
});

describe('an admin decides on the review page', () => {
  const path = ({ id }: TestClient): string => `${reviewHome}/${id}`;
  const show = async (client: TestClient) =>
    (await service.app.inject({ url: path(client), headers: { cookie: adminCookie } })).body;
  const save = (client: TestClient, resource: string, cookie = adminCookie) =>
    postOwnForm(service, `${path(client)}/resource`, { resource }, cookie);

  test('which is recorded, shown, and taken back', async () => {
    const client = await addClient(service);

    const set = await save(client, tasks);
    const shown = await show(client);
    await save(client, tasks);
    await save(client, '');

    expect(set.statusCode).toBe(303);
    expect(shown).toMatch(/<option value="https:\/\/tasks.example" selected>Tasks \(https:/);
    expect(textOf(await show(client))).toContain('Resource server');
    expect((await actionsOf(service, { id: client.ownerId })).slice(-2)).toEqual([
      'client.resource_set',
      'client.resource_removed',
    ]);
  });

  test('but never of our API, an unlisted resource or a public client, nor does anyone else', async () => {
    const [client, open] = [await addClient(service), await addClient(service, { type: 'public' })];
    const stranger = await startSession(service, await addUser(service));

    const refused = [await save(client, api), await save(client, 'https://evil.example')];
    const foreign = await save(client, notes, stranger);
    await save(open, notes);

    expect([...refused, foreign].map(({ statusCode }) => statusCode)).toEqual([404, 404, 403]);
    expect(await show(open)).not.toContain('Resource server');
    for (const one of [client, open])
      expect(await actionsOf(service, { id: one.ownerId })).not.toContain('client.resource_set');
  });
});

const evil = 'https://evil.example/mcp';

/** Anew, because full access takes a recent sign-in (contract §1). */
const openSession = async (): Promise<string> => startSession(service, await addUser(service));

const queryOf = (client: TestClient, resources: readonly string[]): URLSearchParams =>
  new URLSearchParams([
    ...Object.entries(requestOf(client)),
    ...resources.map((one): [string, string] => ['resource', one]),
  ]);

const open = (query: URLSearchParams, cookie: string) =>
  service.app.inject({ url: `${authorizePath}?${query}`, headers: { cookie } });

/** The right exchange of a code for these resources. */
async function approve(client: TestClient, resources: readonly string[], session?: string) {
  const cookie = session ?? (await openSession());
  const page = await open(queryOf(client, resources), cookie);
  const code = codeOf(await decide(service, decisionFormOf(page.body), 'allow', cookie)) ?? 'none';
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  return { page, fields: { ...clientFields(client), ...exchange } };
}

/** A form in which `resource` is repeated. */
const send = (fields: Readonly<Record<string, string>>, resources: readonly string[]) => {
  const pairs = resources.map((one): [string, string] => ['resource', one]);
  return postBody(service, new URLSearchParams([...Object.entries(fields), ...pairs]).toString());
};

const audienceOf = (answer: { json(): { access_token: string } }) =>
  decodeJwt(answer.json().access_token).aud;

test.each([
  ['nothing', [], api, null, undefined, 200],
  ['our API', [`${api}/`], api, null, undefined, 200],
  ['a path of our API', [`${api}/v2`, api], api, null, undefined, 200],
  ['the MCP endpoint', [`${api}/mcp`], api, null, undefined, 200],
  ['an empty value', [''], api, null, undefined, 200],
  ['another', [`${notes}/`], notes, [notes], 'Meeting notes (notes.example)', 401],
  [
    'both',
    [notes, `${api}/v2`],
    [api, notes],
    [api, notes],
    'your account and Meeting notes (notes.example)',
    200,
  ],
])(
  'a request for %s gets a token for just that, which the page showed, at exchange and refresh (RFC 8707, security C62)',
  { tags: 'parts' },
  async (_, resources, audience, granted, shown, status) => {
    const client = await addClient(service);

    const { page, fields } = await approve(client, resources);
    const exchanged = await requestToken(service, fields);
    const refreshed = await refresh(service, client, exchanged.json().refresh_token);

    const [, words] = /This access is for <strong><bdi>([^<]*)</.exec(page.body) ?? [];
    expect(words).toBe(shown);
    expect(page.body.includes('name="remember"')).toBe(granted === null);
    expect((await grantsOf(service, client)).map((grant) => grant.resources)).toEqual([granted]);
    for (const answer of [exchanged, refreshed]) {
      expect(audienceOf(answer)).toEqual(audience);
      const { access_token: token } = answer.json();
      expect((await callMe(service, token)).statusCode).toBe(status);
      expect((await sendMessage(service, token, 'tools/list')).statusCode).toBe(status);
    }
  },
);

describe.each(['GET', 'POST'] as const)('%s', (method) => {
  test.each([
    ['a foreign resource', [evil]],
    ['a foreign one beside ours', [api, evil]],
    ['a fragment', [`${api}#`]],
    ['what is below another', [`${notes}/below`]],
  ])('%s is redirected as invalid_target (RFC 8707 §2, contract §3, security C62)', async (_, resources) => {
    const [client, cookie] = [await addClient(service), await openSession()];
    const query = queryOf(client, resources);

    const form = { ...Object.fromEntries(query), resource: resources.join(' '), action: 'allow' };
    const answer =
      method === 'GET' ? await open(query, cookie) : await postForm(service, authorizePath, form, cookie);

    expect(Object.fromEntries(redirectOf(answer).parameters)).toMatchObject({
      error: 'invalid_target',
      error_description: 'resource_not_known_here',
    });
    expect(await grantsOf(service, client)).toEqual([]);
  });
});

test.each([
  ['eleven resources', Array.from({ length: 11 }, () => api)],
  ['30,000 characters', [`${api}/${'a'.repeat(30_000)}`, api]],
  ['NUL', [`${api}/\0`]],
])('with %s the page refuses the request itself (contract §3)', async (_, resources) => {
  const cookie = await openSession();
  const form = { ...requestOf(await addClient(service)), action: 'allow' };
  const pairs = resources.map((one): [string, string] => ['resource', one]);
  const payload = new URLSearchParams([...Object.entries(form), ...pairs]).toString();

  const answer = await postBody(service, payload, { cookie, 'sec-fetch-site': 'same-origin' }, authorizePath);

  expect(answer.statusCode).toBe(400);
  expect(answer.headers).not.toHaveProperty('location');
});

test('repeated resources are still there after the sign-in (contract §3)', async () => {
  const client = await addClient(service);
  const away = await open(queryOf(client, [api, notes]), '');

  const location = new URL(String(away.headers.location), service.appUrl);
  const back = await service.app.inject({
    url: location.searchParams.get('return_to') ?? '',
    headers: { cookie: await openSession() },
  });

  expect(back.body).toContain('your account and Meeting notes');
});

const part = [
  ['nothing', [], [api, notes]],
  ['one', [notes], notes],
  ['our API', [`${api}/v2/`], api],
  ['all', [notes, api, notes], [api, notes]],
] as const;

const refused = [
  ['a foreign resource', [evil]],
  ['a foreign one beside an approved one', [notes, evil]],
  ['eleven', Array.from({ length: 11 }, () => api)],
  ['as many as a form can have', Array.from({ length: 990 }, () => api)],
] as const;
const notGranted = [400, 'invalid_target', 'resource_not_granted'];

describe('of a grant for two (RFC 8707 §2.2, contract §4, security C62)', () => {
  test.each(part)('%s is given at exchange and refresh', async (_, resources, audience) => {
    const client = await addClient(service);
    const { fields } = await approve(client, [api, notes]);

    const exchanged = await send(fields, resources);
    const { refresh_token: token } = exchanged.json();
    const refreshed = await send(refreshFields(client, token), resources);
    const whole = await refresh(service, client, refreshed.json().refresh_token);

    expect([exchanged, refreshed].map(audienceOf)).toEqual([audience, audience]);
    expect(audienceOf(whole)).toEqual([api, notes]);
  });

  test.each(refused)('%s is refused at both, and spends nothing', async (_, resources) => {
    const client = await addClient(service);
    const { fields } = await approve(client, [api, notes]);

    expect(refusalOf(await send(fields, resources))).toEqual(notGranted);
    const exchanged = await requestToken(service, fields);
    const again = refreshFields(client, exchanged.json().refresh_token);
    expect(refusalOf(await send(again, resources))).toEqual(notGranted);
    expect((await requestToken(service, again)).statusCode).toBe(200);
  });
});

test.each([
  ['our API alone', [], notes],
  ['another alone', [notes], api],
])('a grant for %s never gives more (security C62)', async (_, approved, wanted) => {
  const client = await addClient(service);
  const { fields } = await approve(client, approved);

  expect(refusalOf(await send(fields, [wanted]))).toEqual(notGranted);
  const exchanged = await requestToken(service, fields);
  const { refresh_token: token } = exchanged.json();
  expect(refusalOf(await send(refreshFields(client, token), [wanted]))).toEqual(notGranted);
});

test.each([
  [notes, 200],
  [[api, notes], 200],
  [[], 200],
  [null, 200],
  [[evil], 400],
  [[[notes]], 400],
  [7, 400],
])('in JSON, resource %j answers %d (contract §4)', async (resource, status) => {
  const { fields } = await approve(await addClient(service), [api, notes]);

  const answer = await requestToken(service, { ...fields, resource }, { json: true });

  expect(answer.statusCode).toBe(status);
});

test('a request that names our API takes the usual path of one statement (ADR 12)', async () => {
  const client = await addClient(service);
  const { refresh_token: token } = await connect(service, client, await openSession());
  service.takeStatements();

  const answer = await send(refreshFields(client, token), [`${api}/v2`]);

  expect(answer.statusCode).toBe(200);
  expect(service.takeStatements().filter((text) => text.includes('"grants"'))).toHaveLength(1);
});

test('remembered consent answers only for our API, and is neither made nor lost by another resource (contract §3)', async () => {
  const [client, user] = [await addClient(service), await addUser(service)];
  const cookie = await startSession(service, user);
  await allowForGood(service, client, cookie);
  const remembered = await rememberedOf(service, user, client);

  const asked = await visit(service, { ...requestOf(client), resource: notes }, cookie);
  const form = { ...decisionFormOf(asked.body), remember: 'yes' };
  const allowed = await decide(service, form, 'allow', cookie);

  expect(remembered).toBeDefined();
  expect(asked.statusCode).toBe(200);
  expect(codeOf(allowed)).toBeDefined();
  expect(await rememberedOf(service, user, client)).toEqual(remembered);
  expect(codeOf(await visit(service, requestOf(client), cookie))).toBeDefined();
});

test('an approval for another resource makes our API no known one: page and email are as for the first (security C62)', async () => {
  const person = await addUser(service);
  const client = await addClient(service);
  const { fields } = await approve(client, [notes], await startSession(service, person));
  await requestToken(service, fields);

  const page = await openAuthorizePage(service, requestOf(client), await startSession(service, person));

  expect(page.body).not.toContain('You approved this app on');
  const [first, ...others] = await mailTo(service, person.email);
  expect(first?.text).toContain('For: Meeting notes (notes.example)');
  expect(others).toEqual([]);
  const session = await startSession(service, person);
  await connect(service, client, session);
  expect(await mailTo(service, person.email)).toHaveLength(2);
});

test('full access to our API takes a recent sign-in, also after full access to another resource (contract §1)', async () => {
  const person = await addUser(service);
  const client = await addClient(service);
  const session = await startSession(service, person);
  await requestToken(service, (await approve(client, [notes], session)).fields);
  service.clock.advance(601);

  const answer = await openAuthorizePage(service, requestOf(client), session);

  expect(answer.headers.location).toMatch(/^\/signin\/confirm/);
});

test('a token for another resource can be revoked (contract §7)', async () => {
  const client = await addClient(service);
  const { access_token: token } = (
    await requestToken(service, (await approve(client, [notes])).fields)
  ).json();

  await revoke(service, client, token);

  expect((await grantsOf(service, client)).map((grant) => grant.revokedAt)).toEqual([service.clock.now()]);
});

test('a resource that the operator no longer lists gets no tokens, and its grant is kept (contract §1)', async () => {
  const client = await addClient(service);
  const [alone, both] = [await approve(client, [notes]), await approve(client, [api, notes])];
  const without = await openAnotherInstance(service, addresses);

  expect(refusalOf(await requestToken(without, alone.fields))).toEqual(notGranted);
  expect(audienceOf(await requestToken(without, both.fields))).toBe(api);
  expect(audienceOf(await requestToken(service, alone.fields))).toBe(notes);
});

test('connected apps name what an app’s tokens are for (contract §5)', async () => {
  const cookie = await openSession();
  const [plain, other] = [await addClient(service), await addClient(service)];
  for (const [client, resources] of [[plain, []] as const, [other, [notes]] as const, [other, []] as const])
    await requestToken(service, (await approve(client, resources, cookie)).fields);
  const pageOf = async (instance: typeof service) =>
    (await instance.app.inject({ url: '/settings/apps', headers: { cookie } })).body;

  const page = await pageOf(service);
  const later = await pageOf(await openAnotherInstance(service, addresses));

  const shown = (body: string) => [...body.matchAll(/For <bdi>([^<]*)/g)].map(([, names]) => names);
  expect(shown(page).map((names) => names?.split(' and ').toSorted())).toEqual([
    ['Meeting notes (notes.example)', 'your account'],
  ]);
  expect(shown(later)).toEqual([expect.stringContaining('notes.example')]);
});

test('the metadata names every resource (RFC 9728 §4, contract §7)', { tags: 'parts' }, async () => {
  const metadata = await service.app.inject('/.well-known/oauth-authorization-server');

  expect(metadata.json()).toMatchObject({ protected_resources: [api, notes, tasks, `${api}/mcp`] });
});
