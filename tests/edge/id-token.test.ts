import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { challenge, verifier } from '../support/core-builders.ts';
import { issuer, openEdgeService, redirectUri } from './edge-service.ts';

const edge = await openEdgeService();

/** The exchange of a code, and the refresh of its token. */
async function signIn(changes: object) {
  const scopes = ['openid', 'email'];
  const code = await edge.approve({
    ...{ clientId: 'sign-in-app', codeChallenge: challenge, scopes },
    ...changes,
  });
  const fields = { client_id: 'sign-in-app', redirect_uri: redirectUri, code, code_verifier: verifier };
  const { body } = await edge.token({ grant_type: 'authorization_code', ...fields });
  const refreshToken = String(body['refresh_token']);
  const refreshed = await edge.token({
    ...{ grant_type: 'refresh_token', client_id: 'sign-in-app', refresh_token: refreshToken },
  });
  return { body, refreshed };
}

test('a host at the edge that says who signed in issues ID tokens (OpenID Connect Core, section 3.1.3.3)', async () => {
  const identity = { nonce: 'n', claims: { email: 'ann@example.com', email_verified: true } };

  const { body, refreshed } = await signIn({ identity });

  const { payload } = await jwtVerify(String(body['id_token']), createPublicKey(edge.privateKey), {
    ...{ issuer, audience: 'sign-in-app', typ: 'JWT', algorithms: ['ES256'] },
  });
  expect(payload).toMatchObject({ sub: '7', nonce: 'n', email: 'ann@example.com', email_verified: true });
  expect(payload).toMatchObject({ at_hash: expect.any(String), auth_time: expect.any(Number) });
  expect([refreshed.status, refreshed.body['id_token']]).toEqual([200, undefined]);
});

test('without it, the same code gives no ID token', async () => {
  expect((await signIn({})).body).not.toHaveProperty('id_token');
});
