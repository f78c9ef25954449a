import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { describePermissions } from '../../src/oauth/permissions.ts';
import { callApi } from '../support/api.ts';
import { permissions } from '../support/permissions.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService } from '../support/service.ts';
import { grantsOf, refreshFields } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  connect,
  openAuthorizePage,
  refresh,
  requestToken,
  signIn,
} from '../support/world.ts';

const service = await openTestService();
const cookie = await signIn(service, await addUser(service));
const two = ['PROFILE_READ', 'BOOKING_READ'] as const;

const requests: readonly (readonly [string, readonly Scope[] | null, string, readonly Scope[] | null])[] = [
  ['full access for less', null, 'PROFILE_READ', ['PROFILE_READ']],
  ['full access for a known and an unknown scope', null, 'BOOKING_READ EVERYTHING', ['BOOKING_READ']],
  ['full access for what OpenID Connect knows', null, 'openid profile email', null],
  ['two scopes for one', two, 'BOOKING_READ', ['BOOKING_READ']],
  ['two scopes for more', two, 'PROFILE_READ SCHEDULE_WRITE offline_access', ['PROFILE_READ']],
  ['two scopes for WRITE of a READ', two, 'BOOKING_WRITE', ['BOOKING_READ']],
  ['two scopes for nothing', two, '', two],
];

test.each(requests)(
  'a client with %s: what is granted is what is shown, and what token and answer say (contract §6, security C63)',
  async (_, registered, scope, given) => {
    const client = await addClient(service, { scopes: registered });
    const asked = { client_id: client.id, redirect_uri: client.redirectUri, scope };

    const page = await openAuthorizePage(service, asked, cookie);
    const tokens = await connect(service, client, cookie, { scope });

    const said = describePermissions(permissions, given);
    for (const name of scopeNames) {
      const words = String(permissions.words[name]);
      expect(page.body.includes(words), name).toBe(said.includes(words));
    }
    expect(said.filter((words) => !page.body.includes(words))).toEqual([]);
    expect((await grantsOf(service, client)).map((grant) => grant.scopes)).toEqual([given ?? scopeNames]);
    expect(tokens.scope).toBe((given ?? scopeNames).join(' '));
    expect(decodeJwt(tokens.access_token)['scope']).toBe((given ?? scopeNames).join(' '));
    const token = tokens.access_token;
    const mayReadProfile = given === null || given.includes('PROFILE_READ');
    expect((await callApi(service, 'GET', '/me', { token })).statusCode).toBe(mayReadProfile ? 200 : 403);
  },
);

test('a request without a token is told the scope to ask for, one with too little that and its own (RFC 6750 §3)', async () => {
  const client = await addClient(service, { scopes: ['BOOKING_WRITE'] });
  const { access_token: token } = await connect(service, client, cookie);
  const challengeOf = async (sent: object) =>
    (await callApi(service, 'GET', '/schedules', sent)).headers['www-authenticate'];
  const metadata = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"';

  expect(await challengeOf({})).toBe(
    `Bearer scope="SCHEDULE_READ", ${metadata}, DPoP algs="ES256 Ed25519 EdDSA"`,
  );
  expect(await challengeOf({ token: 'wrong' })).toBe(
    `Bearer error="invalid_token", scope="SCHEDULE_READ", ${metadata}`,
  );
  expect(await challengeOf({ token })).toBe(
    `Bearer error="insufficient_scope", scope="BOOKING_WRITE SCHEDULE_READ", ${metadata}`,
  );
});

test('full access is named where a scope was asked for, in the exchange and in a refresh, and nowhere else (RFC 6749 §5.1)', async () => {
  const client = await addClient(service);
  const asked = await connect(service, client, cookie, { scope: 'openid offline_access' });
  const unasked = await connect(service, client, cookie);

  const refreshed = await refresh(service, client, asked.refresh_token);
  const again = await requestToken(service, {
    ...refreshFields(client, refreshed.json().refresh_token),
    scope: 'openid',
  });

  expect([asked.scope, again.json().scope]).toEqual([scopeNames.join(' '), scopeNames.join(' ')]);
  expect([unasked.scope, refreshed.json().scope]).toEqual([undefined, undefined]);
  const rows = await grantsOf(service, client);
  expect(rows.map(({ scopes }) => scopes)).toEqual([scopeNames, scopeNames]);
});
