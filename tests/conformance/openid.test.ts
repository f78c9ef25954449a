import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { atTheEnd } from '../support/at-the-end.ts';
import { fetchDocument } from '../support/document.ts';
import { addSignInClient } from '../support/openid.ts';
import { createTestClock } from '../support/service.ts';
import { openTestSite } from '../support/site.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { approveAt, openAuth } from './person.ts';

/** The libraries' clocks are real. */
const service = await openTestSite({}, createTestClock(new Date()));
const { appUrl } = service;
const approve = approveAt(service);
const scope = 'openid profile email';
const person = { email: expect.stringContaining('@example.com'), name: expect.stringMatching(/^Test user-/) };

test.each(['confidential', 'public'] as const)(
  'openid-client, a %s client: the issuer alone; claims, userinfo, and the address to sign out at',
  async (type) => {
    const client = await addSignInClient(service, { type });
    const authentication =
      client.secret === undefined ? openid.None() : openid.ClientSecretBasic(client.secret);
    const server = await openid.discovery(new URL(appUrl), client.id, undefined, authentication, {
      execute: [openid.allowInsecureRequests],
    });
    const [verifier, nonce] = [openid.randomPKCECodeVerifier(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(server, {
      ...{ redirect_uri: client.redirectUri, scope, nonce, max_age: '3600' },
      ...{ code_challenge: await openid.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });

    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, maxAge: 3600 };
    const tokens = await openid.authorizationCodeGrant(server, await approve(address), checks);
    const claims = tokens.claims();
    const seen = await openid.fetchUserInfo(server, tokens.access_token, String(claims?.sub));
    const next = await openid.refreshTokenGrant(server, String(tokens.refresh_token));

    expect([claims, seen]).toMatchObject([person, person]);
    expect(next.id_token).toBeUndefined();
    const left = openid.buildEndSessionUrl(server, { id_token_hint: String(tokens.id_token) });
    expect(`${left.origin}${left.pathname}`).toBe(`${appUrl}/auth/oauth2/logout`);
  },
);

test('oauth4webapi: the issuer alone; the signature of the ID token, and userinfo', async () => {
  const { id: client_id, secret, redirectUri } = await addSignInClient(service);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(appUrl);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  const client = { client_id };
  const [verifier, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomNonce()];
  const address = new URL(String(server.authorization_endpoint));
  address.search = new URLSearchParams({
    ...{ client_id, redirect_uri: redirectUri, response_type: 'code', scope, nonce },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
  }).toString();

  const returned = oauth.validateAuthResponse(server, client, await approve(address), oauth.expectNoState);
  const proof = oauth.ClientSecretPost(String(secret));
  const answer = await oauth.authorizationCodeGrantRequest(
    ...([server, client, proof, returned, redirectUri, verifier, insecure] as const),
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    ...{ expectedNonce: nonce, requireIdToken: true },
  });
  await oauth.validateApplicationLevelSignature(server, answer, insecure);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const seen = await oauth.processUserInfoResponse(
    ...([server, client, String(claims?.sub)] as const),
    await oauth.userInfoRequest(server, client, tokens.access_token, insecure),
  );

  expect([claims, seen]).toMatchObject([person, person]);
});

test("Auth.js: a provider of type 'oidc' with the issuer, and nothing else", async () => {
  const own = 'https://app.example';
  const client = await addSignInClient(service, { redirectUris: [`${own}/auth/callback/latchkey`] });
  const visit = openAuth(own, {
    ...{ id: 'latchkey', name: 'Latchkey', type: 'oidc', issuer: appUrl },
    ...{ clientId: client.id, clientSecret: String(client.secret) },
  });

  const sent = await visit('/auth/signin/latchkey', {});
  const returned = await approve(String(sent.headers.get('location')));
  await visit(`${returned.pathname}${returned.search}`);

  expect(await (await visit('/auth/session')).json()).toMatchObject({ user: person });
});

test('the guide’s program for signing people in runs as it is written (contract §7)', async () => {
  const { description } = (await fetchDocument(service.app)).info;
  const [, chapter = ''] = description.split('## Sign people in');
  const [, written = ''] = /```js\n([\s\S]*?)```/.exec(chapter) ?? [];
  const client = await addSignInClient(service);
  const folder = await makeTemporaryDirectory(atTheEnd);
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'sign-in.mjs');
  const filled = written
    .replace('YOUR_CLIENT_ID', client.id)
    .replace('YOUR_CLIENT_SECRET', client.secret ?? '');
  await writeFile(file, filled.replace('https://app.example/callback', client.redirectUri));
  const finish = z.custom<(cameBackTo: URL) => Promise<object>>((value) => typeof value === 'function');
  const program = z.object({ default: z.object({ address: z.instanceof(URL), finish }) });

  const { default: app } = program.parse(await import(file));

  expect(await app.finish(await approve(app.address))).toMatchObject(person);
});
