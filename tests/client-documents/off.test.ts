import { expect, test } from 'vitest';
import { requestOf } from '../support/authorization.ts';
import { addWaitingAgent, agentOf } from '../support/client-documents.ts';
import { reviewDecisions } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { refusalOf } from '../support/tokens.ts';
import { addUser, connect, openAuthorizePage, refresh, signIn } from '../support/world.ts';

const service = await openTestService();
const without = await openAnotherInstance(service, { PARTS: 'all,-client-documents' });

test('without the part, an address is an unknown client, also one that was approved (contract §2)', async () => {
  const agent = agentOf(await addWaitingAgent(service));
  const admin = await signIn(service, await addUser(service, { isAdmin: true }));
  await reviewDecisions.accept(
    service,
    `~${Buffer.from(agent.id).toString('base64url')}`,
    admin,
    undefined,
    1,
  );
  const cookie = await signIn(service, await addUser(service));
  const tokens = await connect(service, agent, cookie);

  const page = await openAuthorizePage(without, requestOf(agent), cookie);

  expect([page.statusCode, page.headers.location]).toEqual([400, undefined]);
  expect(page.body).toContain('Unknown app');
  expect(refusalOf(await refresh(without, agent, tokens.refresh_token))).toEqual([
    401,
    'invalid_client',
    'client_not_found',
  ]);
  expect((await refresh(service, agent, tokens.refresh_token)).statusCode).toBe(200);
  const query = new URLSearchParams({ client_id: agent.id }).toString();
  const [named, unnamed] = await Promise.all(
    [service, without].map(({ app }) =>
      app.inject({ url: `/auth/oauth2/logout?${query}`, headers: { cookie } }),
    ),
  );
  expect([named?.statusCode, unnamed?.statusCode]).toEqual([200, 200]);
  expect(named?.body).toContain('Desk Agent');
  expect(unnamed?.body).not.toContain('Desk Agent');
});
