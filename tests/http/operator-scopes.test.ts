import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { setResource } from '../../src/oauth/review/store.ts';
import { clients } from '../../src/oauth/tables.ts';
import { contextOf } from '../support/audit.ts';
import { requestOf } from '../support/authorization.ts';
import { textOf } from '../support/page-content.ts';
import { findClientRow, mailTo, register, registeredId, reviewDecisions } from '../support/registration.ts';
import { openReviewPage } from '../support/review.ts';
import { scopeNames } from '../support/scopes.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { grantsOf, introspectionPath, postBody, refreshFields, refusalOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  clientFields,
  connect,
  openAuthorizePage,
  refresh,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';

const notes = 'https://notes.example';
const [reading, changing] = ['Read your notes, and who shares them', 'Change your notes'];
const service = await openTestService({
  RESOURCES: `${notes} Meeting notes`,
  SCOPES: `notes:read=${reading},notes:write=${changing}`,
});
/** The instance no longer lists the operator's scopes. */
const without = await openAnotherInstance(service, { RESOURCES: `${notes} Meeting notes` });
const user = await addUser(service);
const cookie = await startSession(service, user);
const admin = await startSession(service, await addUser(service, { isAdmin: true }));
const both = ['notes:read', 'PROFILE_READ'] as const;

const introspect = async (caller: TestClient, token: string) => {
  const body = new URLSearchParams({ ...clientFields(caller), token }).toString();
  return (await postBody(service, body, {}, introspectionPath)).json();
};
const scopeOf = (token: string) => decodeJwt(token)['scope'];
const page = async (client: TestClient, changes: Readonly<Record<string, string>>, by = cookie) =>
  openAuthorizePage(service, requestOf(client, changes), by);

test('an app registers them, and owner, reviewer and admins read what they allow (contract §6)', async () => {
  const owner = await startSession(service, await addUser(service));
  const form = await service.app.inject({
    url: '/settings/developer/oauth/new',
    headers: { cookie: owner },
  });
  const id = registeredId(await register(service, owner, { scopes: 'notes:read' }));

  for (const words of ['notes:write', reading, changing, 'without those of “Other services”'])
    expect(textOf(form.body)).toContain(words);
  expect((await findClientRow(service, id))?.scopes).toEqual(['notes:read']);
  expect(textOf((await openReviewPage(service, id, admin)).body)).toContain(reading);
  expect((await reviewDecisions.accept(service, id, admin)).statusCode).toBe(303);
  expect((await register(service, owner, { scopes: 'notes:delete' })).statusCode).toBe(400);
});

test('the person reads them, and tokens, refreshes and introspection name them (contract §6, RFC 8707)', async () => {
  const client = await addClient(service, { scopes: both });
  const server = await addClient(service);
  await setResource(service.database.db, server.id, notes, contextOf(service));

  const shown = textOf((await page(client, { resource: notes })).body);
  const tokens = await connect(service, client, cookie, { resource: notes });
  const refreshed = await refresh(service, client, tokens.refresh_token);
  const narrowed = await requestToken(service, {
    ...refreshFields(client, refreshed.json().refresh_token),
    scope: 'notes:read',
  });

  expect(shown).toContain(reading);
  expect(shown).not.toContain(changing);
  expect([tokens.scope, scopeOf(tokens.access_token)]).toEqual([both.join(' '), both.join(' ')]);
  expect([narrowed.json().scope, scopeOf(narrowed.json().access_token)]).toEqual([
    'notes:read',
    'notes:read',
  ]);
  expect(await introspect(server, tokens.access_token)).toMatchObject({
    active: true,
    aud: notes,
    scope: both.join(' '),
  });
  const apps = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  expect(textOf(apps.body)).toContain(reading);
  const [email] = await mailTo(service, user.email);
  expect(email?.text).toContain(reading);
});

test('they open nothing of our API (security C245)', async () => {
  const client = await addClient(service, { scopes: ['notes:read', 'notes:write'] });
  const { access_token: token } = await connect(service, client, await startSession(service, user));

  expect((await callMe(service, token)).statusCode).toBe(403);
});

describe('full access (security C245)', () => {
  test('has all of our API and none of another one, whatever is asked for', { tags: 'parts' }, async () => {
    const client = await addClient(service);
    const fresh = await startSession(service, user);

    const tokens = await connect(service, client, fresh, { resource: notes });
    const asking = await page(client, { scope: 'notes:read' });
    const some = await connect(service, client, fresh, { scope: 'notes:read PROFILE_READ' });

    expect(scopeOf(tokens.access_token)).toBe(scopeNames.join(' '));
    expect(asking.headers.location).toContain('error=invalid_scope');
    expect(some.scope).toBe('PROFILE_READ');
  });

  test('doesn’t come to have them when the app is registered for them later', async () => {
    const owner = await addUser(service);
    const client = await addClient(service);
    const tokens = await connect(service, client, await startSession(service, owner));
    await service.database.db
      .update(clients)
      .set({ scopes: ['notes:read', 'PROFILE_READ'], acceptedScopes: null })
      .where(eq(clients.id, client.id));

    const refreshed = await refresh(service, client, tokens.refresh_token);

    expect(scopeOf(refreshed.json().access_token)).toBe('PROFILE_READ');
  });
});

test('approving one takes a recent sign-in: what it changes isn’t known here (security C245)', async () => {
  const client = await addClient(service, { scopes: ['notes:read'] });
  const late = await startSession(service, await addUser(service));
  service.clock.advance(10 * 60);

  const answer = await page(client, {}, late);

  expect(answer.headers.location).toMatch(/^\/signin\/confirm/);
});

test('what SCOPES no longer lists is given no more, and nobody reads of it (contract §6)', async () => {
  const fresh = await startSession(service, user);
  const [one, all] = [
    await addClient(service, { scopes: ['notes:write'] }),
    await addClient(service, { scopes: both }),
  ];
  const tokens = [await connect(service, one, fresh), await connect(service, all, fresh)] as const;

  const asked = await openAuthorizePage(without, requestOf(one, { scope: 'notes:write' }), fresh);
  const [ofOne, ofAll] = [
    await refresh(without, one, tokens[0].refresh_token),
    await refresh(without, all, tokens[1].refresh_token),
  ];

  expect(asked.headers.location).toContain('error=invalid_scope');
  expect((await grantsOf(service, one)).map(({ scopes }) => scopes)).toEqual([['notes:write']]);
  expect(scopeOf(ofAll.json().access_token)).toBe('PROFILE_READ');
  expect(refusalOf(ofOne)).toEqual([400, 'invalid_scope', 'scope_exceeds_grant']);
  expect((await refresh(service, one, tokens[0].refresh_token)).statusCode).toBe(200);
  const apps = await without.app.inject({ url: '/settings/apps', headers: { cookie: fresh } });
  expect(textOf(apps.body)).not.toContain(changing);
});

test('metadata and the reference list them, our API’s own metadata doesn’t (RFC 8414 §2, RFC 9728 §2)', {
  tags: 'parts',
}, async () => {
  const read = async (url: string) => (await service.app.inject({ url })).json();

  const server = await read('/.well-known/oauth-authorization-server');
  const resource = await read('/.well-known/oauth-protected-resource');
  const { components } = await read('/openapi.json');

  expect(server.scopes_supported).toEqual([
    ...scopeNames,
    ...['notes:read', 'notes:write', 'openid', 'profile', 'email'],
  ]);
  expect(resource.scopes_supported).toEqual(scopeNames);
  expect(components.securitySchemes.oauth2.flows.authorizationCode.scopes).toMatchObject({
    'notes:read': reading,
    'notes:write': changing,
  });
});

test('the door alone offers the scopes of the parts that are on, and the operator’s (contract §6)', async () => {
  const door = await openTestService({
    PARTS: 'door',
    RESOURCES: `${notes} Notes`,
    SCOPES: `notes:read=${reading}`,
  });

  const metadata = await door.app.inject('/.well-known/oauth-authorization-server');

  expect(metadata.json()).toMatchObject({
    scopes_supported: ['PROFILE_READ', 'PROFILE_WRITE', 'notes:read'],
  });
  expect(metadata.json()).not.toHaveProperty('client_id_metadata_document_supported');
});
