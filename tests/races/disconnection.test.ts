import { expect, test } from 'vitest';
import { holdGrant } from '../support/held.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { dead, grantsOf, refusalOf, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  connect,
  hiddenFieldsOf,
  obtainCode,
  postForm,
  refresh,
  requestToken,
  startSession,
  type Tokens,
} from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);

test.each([1, 2, 3, 4])(
  'an app that refreshes while its user disconnects it keeps no token that works, round %i (contract §4, security C13)',
  async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    const cookie = await startSession(service, user);
    const tokens = await connect(service, client, cookie);
    const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
    const form = hiddenFieldsOf(page.body);

    const [disconnected, ...refreshed] = await Promise.all([
      postForm(another, `/settings/apps/${client.id}/disconnect`, form, cookie),
      ...Array.from({ length: 6 }, () => refresh(service, client, tokens.refresh_token)),
    ]);

    expect(disconnected.statusCode).toBe(303);
    const issued = refreshed
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer): Tokens => answer.json());
    for (const pair of [tokens, ...issued]) expect(await use(service, client, pair)).toEqual(dead);
  },
);

test('an app that exchanges a code while its user disconnects it gets nothing, though it had found the code good (security C13)', async () => {
  const user = await addUser(service);
  const client = await addClient(service);
  const cookie = await startSession(service, user);
  await connect(service, client, cookie);
  const code = await obtainCode(service, cookie, client);
  const request = {
    ...clientFields(client),
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
  };
  const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  const issued = (await grantsOf(service, client)).find(({ generation }) => generation === 0);
  const held = await holdGrant(service, String(issued?.id));

  const disconnecting = postForm(
    another,
    `/settings/apps/${client.id}/disconnect`,
    hiddenFieldsOf(page.body),
    cookie,
  );
  await held.untilWaiting(1);
  const exchanging = requestToken(service, request);
  await held.untilWaiting(2);
  await held.release();
  const [disconnected, exchanged] = await Promise.all([disconnecting, exchanging]);

  expect([disconnected.statusCode, refusalOf(exchanged)]).toEqual([
    303,
    [400, 'invalid_grant', 'code_invalid_or_expired'],
  ]);
  for (const { revocationReason } of await grantsOf(service, client)) expect(revocationReason).toBe('user');
});
