import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import { issueTokens } from '../support/tokens.ts';
import { addClient, addUser, startSession } from '../support/world.ts';

const service = await openTestService({ API_URL: 'https://api.example', APP_URL: 'https://auth.example' });
const port = await listen(service);
const client = await addClient(service);
const { access_token: token } = await issueTokens(service, client);

const cookie = await startSession(service, await addUser(service));

const resourceMetadata = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"';

const withoutToken = expect.stringContaining('The Authorization header has no token.');

describe.each([
  ['/v2/me', '/v2/me', `scope="PROFILE_READ", ${resourceMetadata}`],
  ['/v2/auth/oauth2/clients/{client_id}', `/v2/auth/oauth2/clients/${client.id}`, resourceMetadata],
])('GET %s', (_name, path, metadata) => {
  const call = (headers: Readonly<Record<string, string>>, query = '') =>
    service.app.inject({ url: `${path}${query}`, headers });

  test.each(['Bearer', 'bearer', 'BEARER'])(
    'takes the scheme in any case: %s (RFC 9110 §11.1)',
    async (scheme) => {
      const answer = await call({ authorization: `${scheme} ${token}` });

      expect(answer.statusCode).toBe(200);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    },
  );

  test.each([
    ['no header', {}, ''],
    ['the token in the query', {}, `?access_token=${token}`],
    ['another scheme', { authorization: 'Basic eDp5' }, ''],
    ['a session of a person', { cookie }, ''],
  ])(
    'without a token answers 401 and names no error: %s (RFC 6750 §3.1, contract §5)',
    async (_name, headers, query) => {
      const answer = await call(headers, query);

      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe(`Bearer ${metadata}, DPoP algs="ES256 Ed25519 EdDSA"`);
      expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'Unauthorized' } });
    },
  );

  test.each([
    ['no token behind the scheme', 'Bearer'],
    ['blanks behind the scheme', 'Bearer   '],
    ['two tokens behind the scheme', `Bearer ${token} ${token}`],
    ['two schemes in one header', `Bearer ${token}, Bearer ${token}`],
    ['the token alone', token],
    ['a colon', `Bearer: ${token}`],
  ])('with %s answers 401', async (_name, authorization) => {
    const answer = await call({ authorization });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain(metadata);
  });

  test('that is an empty Bearer is told that there is no token', async () => {
    const answer = await call({ authorization: 'Bearer ' });

    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toMatchObject({ code: 'Unauthorized', message: withoutToken });
  });

  test('with a token that is invalid says so (RFC 6750 §3.1, contract §5)', async () => {
    const answer = await call({ authorization: 'Bearer invalid' });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${metadata}`);
  });

  test('with tokens in header and query answers 400 (RFC 6750 §2, security C38)', async () => {
    const answer = await call({ authorization: `Bearer ${token}` }, `?x=y&access_token=${token}`);

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['www-authenticate']).toBe(`Bearer error="invalid_request", ${metadata}`);
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'BadRequest' } });
  });

  test.each([
    ['the same', `Bearer ${token}`, `Bearer ${token}`],
    ['a bad one first', 'Bearer invalid', `Bearer ${token}`],
    ['a bad one last', `Bearer ${token}`, 'Bearer invalid'],
    ['another scheme', `Bearer ${token}`, 'Basic eDp5'],
  ])(
    'with two Authorization headers answers 400: %s (RFC 6750 §3.1, security C38)',
    async (_name, first, second) => {
      const headers = [
        ['Authorization', first],
        ['authorization', second],
      ] as const;

      const answer = await sendRaw(port, writeRequest(`GET ${path}`, headers));

      expect(answer.status).toBe(400);
      expect(answer.head.toLowerCase()).toContain('www-authenticate: bearer error="invalid_request"');
      expect(JSON.parse(answer.body)).toMatchObject({ status: 'error', error: { code: 'BadRequest' } });
    },
  );

  test('over a real connection with one Authorization header answers 200', async () => {
    const answer = await sendRaw(port, writeRequest(`GET ${path}`, [['Authorization', `Bearer ${token}`]]));

    expect(answer.status).toBe(200);
  });
});

test('resource_metadata leads to the document of this very resource (RFC 9728 §3.3)', async () => {
  const { headers } = await service.app.inject('/v2/me');
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? [];

  const document = await service.app.inject(new URL(address).pathname);

  expect(new URL(address).origin).toBe('https://api.example');
  expect(document.json()).toMatchObject({ resource: decodeJwt(token).aud });
});

test('an empty Bearer is told that there is no token where none is needed, too', {
  tags: 'parts',
}, async () => {
  const answer = await service.app.inject({
    url: '/v2/event-types?username=nobody',
    headers: { authorization: 'Bearer ' },
  });

  expect(answer.statusCode).toBe(401);
  expect(answer.json().error).toMatchObject({ code: 'Unauthorized', message: withoutToken });
});
