import {
  answerTokenRequest,
  keysOfJwks,
  tokenResponse,
  verifyAccessToken,
  webCryptoHash,
  webCryptoMac,
  webCryptoSigner,
} from 'latchkey/core';
import { clientSecret, createWorld, expect, issuer, redirectUri, secrets } from './world.mjs';

const { store, key, approve } = await createWorld();
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const signer = webCryptoSigner('key', await crypto.subtle.importKey('jwk', key, algorithm, false, ['sign']));
const endpoint = {
  store,
  issuer: {
    issuer,
    resources: [issuer],
    scopes: ['PROFILE_READ'],
    signer: () => signer,
    mac: webCryptoMac(secrets, issuer),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  },
  lifetimes: { codeSeconds: 60, refreshIdleSeconds: 2_592_000, refreshMaxSeconds: 31_536_000 },
  hash: webCryptoHash,
  url: `${issuer}/token`,
  now: () => new Date(),
};
const client = { clientId: 'app', clientSecret };
const exchange = { grantType: 'authorization_code', client, code: await approve(), redirectUri };
const answer = await answerTokenRequest(endpoint, { ...exchange, codeVerifier: undefined });
expect(answer.ok, `the exchange was refused: ${answer.reason}`);
const tokens = tokenResponse(answer.value);
const keys = keysOfJwks({ keys: [{ kty: key.kty, crv: key.crv, x: key.x, y: key.y, kid: 'key' }] });
const verified = await verifyAccessToken(tokens.access_token, { issuer, audience: issuer, keys }, new Date());
expect(verified.ok && verified.value.userId === '7', 'the access token was not verified');
