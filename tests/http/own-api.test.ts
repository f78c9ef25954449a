import { describe, expect, test } from 'vitest';
import { notesApi } from '../../examples/own-api/api.ts';
import { byIntrospection, resourceServer } from '../../src/oauth/resource.ts';
import { setResource } from '../../src/oauth/review/store.ts';
import { contextOf } from '../support/audit.ts';
import { requestOf } from '../support/authorization.ts';
import { listenOnLoopback } from '../support/feed-server.ts';
import { textOf } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { revoke } from '../support/tokens.ts';
import { addClient, addUser, connect, openAuthorizePage, startSession } from '../support/world.ts';

const [notes, tasks] = ['https://notes.example', 'https://tasks.example'];
const service = await openTestSite({
  PARTS: 'door',
  RESOURCES: `${notes} Meeting notes,${tasks} Tasks`,
  SCOPES: 'notes:read=Read your notes,notes:write=Change your notes',
});
const { appUrl } = service;
const server = await addClient(service);
await setResource(service.database.db, server.id, notes, contextOf(service));
const faults: unknown[] = [];
const startApi = async (standing: object = {}) => {
  const onFault = (fault: unknown) => faults.push(fault);
  const resource = resourceServer({ issuer: appUrl, audience: notes, onFault, ...standing });
  return `http://127.0.0.1:${await listenOnLoopback(notesApi(resource, notes))}`;
};
const asking = (clientSecret: string) => ({
  standing: byIntrospection({ clientId: server.id, clientSecret }),
});
const offline = await startApi();
const online = await startApi(asking(server.secret ?? ''));

const call = async (url: string, token: string | undefined, method = 'GET') => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method, headers });
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate'),
    body: await answer.json(),
  };
};

/** A new person's way through consent. */
async function approve(parameters: Readonly<Record<string, string>>) {
  const client = await addClient(service, { scopes: ['notes:read', 'notes:write', 'PROFILE_READ'] });
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const page = await openAuthorizePage(service, requestOf(client, parameters), cookie);
  return {
    client,
    user,
    shown: textOf(page.body),
    tokens: await connect(service, client, cookie, parameters),
  };
}

describe.each([
  ['by the published keys', offline],
  ['by introspection', online],
])('an API of the operator that checks tokens %s (contract §6, RFC 9068 §4, RFC 7662)', (_, url) => {
  test('is opened by what the person read and approved', async () => {
    const { user, shown, tokens } = await approve({ resource: notes });
    const [written, read] = [
      await call(url, tokens.access_token, 'POST'),
      await call(url, tokens.access_token),
    ];

    for (const words of ['Meeting notes (notes.example)', 'Read your notes', 'Change your notes'])
      expect(shown).toContain(words);
    expect([written.status, read.status]).toEqual([200, 200]);
    expect(read.body).toEqual({ userId: String(user.id), notes: 1 });
  });

  test('refuses a scope that was not approved', async () => {
    const { shown, tokens } = await approve({ resource: notes, scope: 'notes:read' });

    const answer = await call(url, tokens.access_token, 'POST');

    expect(shown).not.toContain('Change your notes');
    expect(answer).toMatchObject({
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="notes:write"',
    });
  });
});

test('introspection hears of removed access immediately', async () => {
  const { client, tokens } = await approve({ resource: notes });

  await revoke(service, client, tokens.refresh_token);

  expect((await call(online, tokens.access_token)).status).toBe(401);
});

test('an email tells of each API that a connected app may call besides, once (security C124)', async () => {
  const client = await addClient(service, { scopes: ['notes:read'] });
  const user = await addUser(service);
  const cookie = await startSession(service, user);

  for (const resource of [notes, tasks, tasks]) await connect(service, client, cookie, { resource });

  expect(await mailTo(service, user.email)).toHaveLength(2);
});
