import { SignJWT } from 'jose';
import { clientSecret, expect, issuer, redirectUri } from './world.mjs';

const form = 'application/x-www-form-urlencoded';
const basic = `Basic ${btoa(`app:${clientSecret}`)}`;

/** A proof of possession (RFC 9449), by a new key. */
async function createProver() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  return (nonce) =>
    new SignJWT({ jti: crypto.randomUUID(), htm: 'POST', htu: `${issuer}/token`, ...(nonce && { nonce }) })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })
      .setIssuedAt()
      .sign(privateKey);
}

/**
 * What every server answers (contract §4, §7): `send` takes a path, a method, headers and a body, and
 * returns a status, headers and the parsed body.
 */
export async function checkCalls(send, approve) {
  const post = (path, body, headers = {}) =>
    send(path, 'POST', { 'content-type': form, ...headers }, String(body));
  const exchange = async (headers = {}, fields = {}) =>
    post(
      '/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        code: await approve(),
        redirect_uri: redirectUri,
        ...fields,
      }),
      { authorization: basic, ...headers },
    );
  const refused = async (what, status, description, asking) => {
    const answer = await asking;
    const { error_description: said } = answer.body;
    const isRight = answer.status === status && said === description;
    expect(isRight, `${what}: ${answer.status} ${said}`);
    expect(answer.headers.get('cache-control') === 'no-store', `${what}: may be stored`);
    expect(answer.headers.get('access-control-allow-origin') === '*', `${what}: not for browsers`);
    return answer;
  };

  const issued = await exchange();
  expect(issued.status === 200, `by HTTP Basic: ${issued.status} ${JSON.stringify(issued.body)}`);
  const { refresh_token, scope, token_type, expires_in } = issued.body;
  expect(scope === 'PROFILE_READ' && token_type === 'bearer' && expires_in === 1800, 'the tokens');
  expect(issued.headers.get('cache-control') === 'no-store', 'tokens may be stored');

  const client = { client_id: 'app', client_secret: clientSecret };
  const json = JSON.stringify({ ...client, grant_type: 'refresh_token', refresh_token });
  const refreshed = await post('/token', json, { 'content-type': 'application/json; charset=utf-8' });
  expect(refreshed.status === 200, `as JSON: ${refreshed.status} ${JSON.stringify(refreshed.body)}`);

  const prove = await createProver();
  const asked = await exchange({ dpop: await prove() });
  const nonce = asked.headers.get('dpop-nonce');
  expect(asked.body.error === 'use_dpop_nonce' && nonce, 'no nonce was given');
  const bound = await exchange({ dpop: await prove(nonce) });
  expect(bound.body.token_type === 'DPoP', `with a proof: ${JSON.stringify(bound.body)}`);

  const unauthorized = await refused(
    'a wrong secret',
    401,
    'invalid_client_credentials',
    exchange({ authorization: `Basic ${btoa('app:wrong')}` }),
  );
  expect(unauthorized.headers.get('www-authenticate')?.startsWith('Basic '), 'no challenge');
  await refused('no fields', 400, 'client_id is required', post('/token', ''));
  await refused(
    'a repeated field',
    400,
    'a field must not be sent more than once',
    post('/token', 'a=1&a=2'),
  );
  await refused(
    'two ways to authenticate',
    400,
    'authenticate the client in one way only: HTTP Basic or the body',
    exchange({}, client),
  );
  const types = 'send the body as application/json or application/x-www-form-urlencoded, in UTF-8';
  await refused('plain text', 415, types, post('/token', 'a', { 'content-type': 'text/plain' }));
  const packed = { 'content-encoding': 'gzip' };
  await refused('a compressed body', 415, types, post('/token', 'a=1', packed));
  const large = 'the body must not be larger than 64 KB';
  await refused('a large body', 413, large, post('/token', `a=${'a'.repeat(66_000)}`));
  const got = await refused('GET', 405, 'use POST', send('/token', 'GET', {}));
  expect(got.headers.get('allow') === 'POST', 'no Allow');

  const revoked = await post('/revoke', new URLSearchParams({ ...client, token: refresh_token }));
  expect(revoked.status === 200, `revocation: ${revoked.status}`);
  const dead = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client });
  await refused('a revoked token', 400, 'invalid_refresh_token', post('/token', dead));

  const metadata = await send('/.well-known/oauth-authorization-server', 'GET', {});
  expect(metadata.body.token_endpoint === `${issuer}/token`, 'the metadata');
  const jwks = await send('/jwks.json', 'GET', {});
  expect(jwks.body.keys.length === 1 && !('d' in jwks.body.keys[0]), 'the keys');
  const asks = { 'access-control-request-headers': 'content-type, dpop', origin: 'https://app.example' };
  const preflight = await send('/token', 'OPTIONS', { 'access-control-request-method': 'POST', ...asks });
  const allowed = preflight.headers.get('access-control-allow-headers');
  expect(preflight.status === 204 && allowed === 'content-type, dpop', 'the preflight');
}
