import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { setClientStatus } from '../support/client-status.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { grantIdOf, grantsOf, issueTokens, refreshFields, revoke, rotate } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  hiddenFieldsOf,
  postForm,
  refresh,
  requestToken,
  startSession,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();

const lookUp = ({ app }: TestService, { access_token: token }: Tokens, { id }: TestClient) =>
  app.inject({ url: `/v2/auth/oauth2/clients/${id}`, headers: { authorization: `Bearer ${token}` } });

describe('a grant that is revoked takes its access tokens with it immediately (contract §5)', () => {
  test.each([
    [
      'by its client',
      async (client: TestClient, tokens: Tokens) => {
        await revoke(service, client, tokens.refresh_token);
      },
    ],
    [
      'by its user',
      async (client: TestClient, _tokens: Tokens, cookie: string) => {
        const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
        await postForm(service, `/settings/apps/${client.id}/disconnect`, hiddenFieldsOf(page.body), cookie);
      },
    ],
    [
      'by a theft',
      async (client: TestClient, tokens: Tokens) => {
        await rotate(service, client, await rotate(service, client, tokens));
        await refresh(service, client, tokens.refresh_token);
      },
      'public',
    ],
  ] as const)('%s', async (_name, end, type: ClientType = 'confidential') => {
    const client = await addClient(service, { type });
    const cookie = await startSession(service, await addUser(service));
    const tokens = await connect(service, client, cookie);
    const before = await callMe(service, tokens.access_token);

    await end(client, tokens, cookie);
    const answers = [await callMe(service, tokens.access_token), await lookUp(service, tokens, client)];

    expect(before.statusCode).toBe(200);
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
      expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'Unauthorized' } });
      expect(answer.body).not.toContain(grantIdOf(tokens));
    }
  });

  test('and a refresh that came before takes nothing away: the older access token still works (contract §4)', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    await rotate(service, client, tokens);

    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  });
});

describe('a token of a client that is not accepted any more does nothing, though its grant stands (contract §5)', () => {
  const listEventTypes = ({ app }: TestService, { access_token: token }: Tokens) =>
    app.inject({ url: '/v2/event-types', headers: { authorization: `Bearer ${token}` } });

  test.each(['pending', 'rejected'] as const)('%s', { tags: 'parts' }, async (status) => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const callAll = async () => [
      await callMe(service, tokens.access_token),
      await lookUp(service, tokens, client),
      await listEventTypes(service, tokens),
    ];
    const before = await callAll();

    await setClientStatus(service.database.db, client.id, status);
    const after = await callAll();
    await setClientStatus(service.database.db, client.id, 'accepted');

    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    for (const answer of after) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await grantsOf(service, client)).map(({ revokedAt }) => revokedAt)).toEqual([null]);
    expect((await callAll()).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });
});

describe('scopes (contract §6)', () => {
  test('without PROFILE_READ the user is not told: 403 names what to ask for, with what is held (RFC 6750 §3.1, contract §5)', {
    tags: 'parts',
  }, async () => {
    const client = await addClient(service, { scopes: ['BOOKING_WRITE', 'SCHEDULE_WRITE'] });
    const tokens = await issueTokens(service, client);

    const answer = await callMe(service, tokens.access_token);

    expect(answer.statusCode).toBe(403);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="PROFILE_READ BOOKING_WRITE SCHEDULE_WRITE", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"',
    );
    expect(answer.json()).toMatchObject({
      status: 'error',
      error: {
        code: 'Forbidden',
        message:
          'This access token doesn’t have the scope PROFILE_READ. Register the app for it and ask the user again, or create a token that has it.',
      },
    });
  });

  test('with PROFILE_READ the user is told', async () => {
    const client = await addClient(service, { scopes: ['PROFILE_READ'] });
    const tokens = await issueTokens(service, client);

    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  });

  test('of an access token that was narrowed at refresh hold for that token alone', {
    tags: 'parts',
  }, async () => {
    const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
    const tokens = await issueTokens(service, client);
    const narrowed = await requestToken(service, {
      ...refreshFields(client, tokens.refresh_token),
      scope: 'BOOKING_READ',
    });

    expect((await callMe(service, narrowed.json().access_token)).statusCode).toBe(403);
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  });

  test('are not asked for at the client look-up: any valid token may (contract §2)', async () => {
    const client = await addClient(service, { scopes: ['PROFILE_WRITE'] });
    const tokens = await issueTokens(service, client);

    expect((await lookUp(service, tokens, client)).statusCode).toBe(200);
  });
});
