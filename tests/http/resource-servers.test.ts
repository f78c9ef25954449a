import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { setResource } from '../../src/oauth/review/store.ts';
import { actionsOf, contextOf } from '../support/audit.ts';
import { textOf } from '../support/page-content.ts';
import { postOwnForm, reviewHome } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { suspend } from '../support/suspension.ts';
import { postBody, revoke } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  connect,
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
