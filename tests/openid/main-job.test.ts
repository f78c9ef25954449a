import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { addPerson } from '../support/groups.ts';
import { addSignInClient, signInWith, verifyIdToken } from '../support/openid.ts';
import { sharedService } from '../support/service.ts';
import { callMe } from '../support/world.ts';

const service = await sharedService();
const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

test('an app gets an ID token for itself, signed by the published keys (OpenID Connect Core, sections 2, 3.1.3.3)', async () => {
  const { user, cookie } = await addPerson(service);
  const client = await addSignInClient(service);
  const signedInAt = service.clock.now();
  service.clock.advance(60);

  const tokens = await signInWith(service, client, cookie, { scope: 'openid profile email', nonce: 'n' });

  const digest = createHash('sha256').update(tokens.access_token).digest();
  const now = seconds(service.clock.now());
  expect(await verifyIdToken(service, tokens, client.id)).toEqual({
    ...{ iss: service.appUrl, sub: String(user.id), aud: client.id, iat: now, exp: now + 1800 },
    ...{ auth_time: seconds(signedInAt), nonce: 'n' },
    at_hash: digest.subarray(0, 16).toString('base64url'),
    ...{ name: `Test ${user.username}`, preferred_username: user.username, zoneinfo: 'Europe/Berlin' },
    updated_at: expect.any(Number),
    ...{ email: user.email, email_verified: true },
  });
  expect(decodeJwt(tokens.access_token).sub).toBe(String(user.id));
  expect(tokens.scope).toBe('openid profile email');
});

test('userinfo says who the user is, flat, as the ID token does; sub is the id of /v2/me (OpenID Connect Core, section 5.3.2)', async () => {
  const { user, cookie } = await addPerson(service);
  const client = await addSignInClient(service, { scopes: ['openid', 'profile', 'email', 'PROFILE_READ'] });
  const tokens = await signInWith(service, client, cookie, {});
  const { db } = service.database;
  await db.update(users).set({ dateLocale: 'de-DE' }).where(eq(users.id, user.id));

  const answer = await service.app.inject({
    url: '/v2/auth/oauth2/userinfo',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });

  const claims = await verifyIdToken(service, tokens, client.id);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  expect(answer.json()).toEqual({
    ...{ sub: claims.sub, name: claims['name'], preferred_username: user.username },
    ...{ zoneinfo: 'Europe/Berlin', locale: 'de-DE', updated_at: expect.any(Number) },
    ...{ email: user.email, email_verified: true },
  });
  expect((await callMe(service, tokens.access_token)).json()).toMatchObject({
    data: { id: Number(claims.sub) },
  });
});
