import { expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  hiddenFieldsOf,
  postForm,
  refresh,
  startSession,
  type TestUser,
} from '../support/world.ts';

const service = await sharedService();

async function openConnections(cookie: string): Promise<string> {
  const page = await service.app.inject({ method: 'GET', url: '/settings/apps', headers: { cookie } });
  expect(page.statusCode).toBe(200);
  return page.body;
}

async function disconnect(user: TestUser, clientId: string) {
  const cookie = await startSession(service, user);
  const fields = hiddenFieldsOf(await openConnections(cookie));
  return postForm(service, `/settings/apps/${clientId}/disconnect`, fields, cookie);
}

test('an app stands among the connected apps from the exchange on, with what it may do (contract §6)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const client = await addClient(service, { name: 'Calendar Friend', scopes: ['PROFILE_READ'] });

  const before = await openConnections(cookie);
  await connect(service, client, cookie);
  const after = await openConnections(cookie);

  expect(before).not.toContain('Calendar Friend');
  expect(after).toContain('Calendar Friend');
  expect(after).toContain(
    'See your name, email address, username and time zone, and your teams with their members',
  );
});

test('disconnecting takes effect immediately, at our API and at the token endpoint (contract §5)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const client = await addClient(service, { name: 'Short Stay' });
  const tokens = await connect(service, client, cookie);

  const answer = await disconnect(user, client.id);

  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/settings/apps?done=disconnected']);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  expect((await refresh(service, client, tokens.refresh_token)).json()).toMatchObject({
    error_description: 'invalid_refresh_token',
  });
  expect(await openConnections(cookie)).not.toContain('Short Stay');
});

test("disconnecting leaves the user's other apps and the app's other users alone (contract §4)", async () => {
  const [user, otherUser] = [await addUser(service), await addUser(service)];
  const [cookie, otherCookie] = [await startSession(service, user), await startSession(service, otherUser)];
  const [client, otherClient] = [await addClient(service), await addClient(service)];
  await connect(service, client, cookie);
  const kept = [await connect(service, otherClient, cookie), await connect(service, client, otherCookie)];

  await disconnect(user, client.id);

  for (const tokens of kept) expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
});

test('a form without its token disconnects nothing (security C28)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const client = await addClient(service);
  const tokens = await connect(service, client, cookie);

  const answer = await postForm(service, `/settings/apps/${client.id}/disconnect`, {}, cookie);

  expect(answer.statusCode).toBe(403);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
});

test('a permission that has run out is not shown any more (contract §1, REFRESH_IDLE_DAYS)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  await connect(service, await addClient(service, { name: 'Forgotten App' }), cookie);

  service.clock.advance(30 * 24 * 3600);

  expect(await openConnections(await startSession(service, user))).not.toContain('Forgotten App');
});

test('NUL in a path is refused by every surface in its own language (security C35)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const form = hiddenFieldsOf(await openConnections(cookie));

  const page = await postForm(service, '/settings/apps/a%00b/disconnect', form, cookie);
  const api = await service.app.inject({ method: 'GET', url: '/v2/auth/oauth2/clients/a%00b' });

  expect([page.statusCode, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  expect([api.statusCode, api.json()]).toMatchObject([
    400,
    { status: 'error', error: { code: 'BadRequest' } },
  ]);
});
