import { describe, expect, test } from 'vitest';
import { basic, basicOf } from '../support/basic.ts';
import { setClientStatus } from '../support/client-status.ts';
import { sharedService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import {
  grantsOf,
  issueCode,
  issueTokens,
  postBody,
  refusalOf,
  revocationPath,
  revoke,
  type TokenFields,
  usable,
  use,
} from '../support/tokens.ts';
import { addClient, clientFields, refresh, requestToken, type TestClient } from '../support/world.ts';

const service = await sharedService();
const client = await addClient(service);
const other = await addClient(service);
const wrongCredentials = [401, 'invalid_client', 'invalid_client_credentials'] as const;
/** A request's fields without the client's own. */
function withoutClient(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { client_id: _id, client_secret: _secret, ...rest } = fields;
  return rest;
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

/** A right exchange without the client's own fields. */
const exchangeOf = async (client: TestClient): Promise<TokenFields> =>
  withoutClient(await issueCode(service, client));

describe('HTTP Basic (RFC 6749 §2.3.1)', () => {
  test.each(['Basic', 'basic', 'BASIC', 'bAsIc'])(
    'is taken in any case: %s (RFC 9110 §11.1)',
    async (scheme) => {
      const headers = { authorization: basicOf(client).replace('Basic', scheme) };

      const answer = await requestToken(service, await exchangeOf(client), { headers });

      expect(answer.statusCode).toBe(200);
    },
  );

  test('lets the body repeat its client_id (contract §4)', async () => {
    const request = { ...(await exchangeOf(client)), client_id: client.id };

    const answer = await requestToken(service, request, { headers: { authorization: basicOf(client) } });

    expect(answer.statusCode).toBe(200);
  });

  test('counts an empty client_secret in the body as absent (RFC 6749 §3.2)', async () => {
    const request = { ...(await exchangeOf(client)), client_secret: '' };

    const answer = await requestToken(service, request, { headers: { authorization: basicOf(client) } });

    expect(answer.statusCode).toBe(200);
  });

  test.each(['with:colons::', 'with%percent%20', 'with+plus and blank', 'ünïcödé ☃', '&=?/#"\\', ':', '%'])(
    'carries any secret: %s (security C24)',
    async (secret) => {
      const special = await addClient(service, { secret });
      const headers = { authorization: basic(special.id, secret) };

      const answer = await requestToken(service, await exchangeOf(special), { headers });

      expect(answer.statusCode).toBe(200);
    },
  );

  test('ends the client id at the first colon, so that colons in a secret need no encoding (RFC 7617 §2)', async () => {
    const special = await addClient(service, { secret: 'with:colons:' });
    const headers = { authorization: `Basic ${encode(`${special.id}:with:colons:`)}` };

    const answer = await requestToken(service, await exchangeOf(special), { headers });

    expect(answer.statusCode).toBe(200);
  });

  test.each(['', 'anything'])('lets a public client name itself, its secret "%s" ignored', async (secret) => {
    const publicClient = await addClient(service, { type: 'public' });
    const headers = { authorization: basic(publicClient.id, secret) };

    const answer = await requestToken(service, await exchangeOf(publicClient), { headers });

    expect(answer.statusCode).toBe(200);
  });

  test('of another scheme is no client authentication', async () => {
    const request = { ...clientFields(client), ...(await exchangeOf(client)) };

    const answer = await requestToken(service, request, { headers: { authorization: 'Bearer x' } });

    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ['a wrong secret', basic(client.id, 'wrong')],
    ['no secret', basic(client.id, '')],
    ["another client's secret", basic(client.id, other.secret ?? '')],
    ['the secret cut short', basic(client.id, client.secret?.slice(0, -1) ?? '')],
    ['nothing behind the scheme', 'Basic'],
    ['a blank behind the scheme', 'Basic '],
    ['no base64', 'Basic ???'],
    ['base64 with stray padding', `Basic ${encode(`${client.id}:x`)}====`],
    ['two words', `${basicOf(client)} ${encode('x')}`],
    ['no colon', `Basic ${encode(client.id)}`],
    ['a colon alone', `Basic ${encode(':')}`],
    ['no client id', `Basic ${encode(`:${client.secret}`)}`],
    ['a percent sign that begins nothing', `Basic ${encode(`${client.id}:100%`)}`],
    ['broken percent-encoding', `Basic ${encode(`${client.id}:%zz`)}`],
    ['percent-encoding that is no UTF-8', `Basic ${encode(`${client.id}:%ff%fe`)}`],
    ['bytes that are no UTF-8', `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`],
    ['NUL', `Basic ${encode(`${client.id}:\0`)}`],
    ['encoded NUL', `Basic ${encode(`${client.id}:%00`)}`],
    ['NUL in the client id', `Basic ${encode('a\0b:x')}`],
    ['encoded NUL in the client id', `Basic ${encode('a%00b:x')}`],
  ])('with %s answers 401 and asks for Basic (security C24)', async (_name, authorization) => {
    const answer = await requestToken(service, await exchangeOf(client), { headers: { authorization } });

    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe('invalid_client');
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="[^"]+"/);
  });

  test('that cannot be read comes behind the faults of the request (contract §4)', async () => {
    const request = { ...(await exchangeOf(client)), client_id: client.id, grant_type: 'password' };

    const answer = await requestToken(service, request, { headers: { authorization: 'Basic ???' } });

    expect(refusalOf(answer)).toEqual([
      400,
      'invalid_request',
      "grant_type must be 'authorization_code' or 'refresh_token'",
    ]);
  });
});

describe('401 without HTTP Basic (RFC 6749 §5.2)', () => {
  test.each([
    ['an unknown client', { client_id: 'unknown' }],
    ['a wrong secret', { client_secret: 'wrong' }],
    ['no secret', { client_secret: '' }],
  ])('asks for no scheme: %s', async (_name, spoilt) => {
    const answer = await requestToken(service, { ...(await issueCode(service, client)), ...spoilt });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  test('asks for no scheme where another header was sent', async () => {
    const request = { ...(await issueCode(service, client)), client_secret: 'wrong' };

    const answer = await requestToken(service, request, { headers: { authorization: 'Bearer x' } });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });
});

test('a wrong secret is refused the same by form, by JSON and by Basic (contract §4)', async () => {
  const request = await exchangeOf(client);
  const wrong = { ...request, client_id: client.id, client_secret: 'wrong' };

  const answers = [
    await requestToken(service, wrong),
    await requestToken(service, wrong, { json: true }),
    await requestToken(service, request, { headers: { authorization: basic(client.id, 'wrong') } }),
  ];

  expect(answers.map(refusalOf)).toEqual(answers.map(() => wrongCredentials));
});

const port = await listen(service);

/** A right exchange without the client's own fields. */
const exchangeWithout = async (): Promise<TokenFields> => withoutClient(await issueCode(service, client));

describe('two client identities or two ways of authentication (RFC 6749 §2.3, security C23)', () => {
  const bodies: readonly (readonly [string, TokenFields])[] = [
    ['its own secret', { client_secret: client.secret ?? '' }],
    ['its own id and secret', clientFields(client)],
    ['its own id and a wrong secret', { client_id: client.id, client_secret: 'wrong' }],
    ["another client's id", { client_id: other.id }],
    ["another client's secret", { client_secret: other.secret ?? '' }],
    ["another client's id and secret", clientFields(other)],
  ];

  test.each(bodies)('Basic of a client and, in the body, %s', async (_name, fields) => {
    const request = { ...(await exchangeWithout()), ...fields };

    const answer = await requestToken(service, request, { headers: { authorization: basicOf(client) } });

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', expect.any(String)]);
  });

  test.each(bodies)('at the revocation endpoint: Basic and, in the body, %s', async (_name, fields) => {
    const { refresh_token: token } = await issueTokens(service, client);
    const body = new URLSearchParams({ token, ...fields }).toString();

    const answer = await postBody(service, body, { authorization: basicOf(client) }, revocationPath);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', expect.any(String)]);
  });

  test.each([
    ['of two clients', basicOf(client), basicOf(other)],
    ['of one client twice', basicOf(client), basicOf(client)],
    ['with the right secret and a wrong one', basicOf(client), basic(client.id, 'wrong')],
  ])('two Authorization headers %s', async (_name, first, second) => {
    const body = new URLSearchParams(await exchangeWithout()).toString();
    const headers = [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Authorization', first],
      ['Authorization', second],
    ] as const;

    const answer = await sendRaw(port, writeRequest('POST /v2/auth/oauth2/token', headers, body));

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' });
  });
});

const { db } = service.database;
const notAccepted = [401, 'invalid_client', 'client_not_accepted'] as const;

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  describe.each(['pending', 'rejected'] as const)('that is %s all of a sudden', (status) => {
    test('cannot refresh, and loses nothing by trying (contract §2, security C44)', async () => {
      const client = await addClient(service, { type });
      const tokens = await issueTokens(service, client);
      await setClientStatus(db, client.id, status);

      const refused = await refresh(service, client, tokens.refresh_token);
      await setClientStatus(db, client.id, 'accepted');

      expect(refusalOf(refused)).toEqual(notAccepted);
      expect(await use(service, client, tokens)).toEqual(usable);
    });

    test('changes nothing by a replay or a theft (contract §4)', async () => {
      const client = await addClient(service, { type });
      const request = await issueCode(service, client);
      await requestToken(service, request);
      service.clock.advance(11);
      await setClientStatus(db, client.id, status);

      const replayed = await requestToken(service, request);

      expect(refusalOf(replayed)).toEqual(notAccepted);
      expect(await grantsOf(service, client)).toMatchObject([{ revokedAt: null }]);
    });

    test('may still give up what it holds (RFC 7009 §2)', async () => {
      const client = await addClient(service, { type });
      const tokens = await issueTokens(service, client);
      await setClientStatus(db, client.id, status);

      const revoked = await revoke(service, client, tokens.refresh_token);

      expect(revoked.statusCode).toBe(200);
      expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: 'client' }]);
    });
  });
});

test('only a client that knows its secret learns that it was not accepted (contract §4)', async () => {
  const client = await addClient(service, { status: 'rejected' });

  const answer = await requestToken(service, {
    client_id: client.id,
    client_secret: 'wrong',
    grant_type: 'refresh_token',
    refresh_token: 'x',
  });

  expect(refusalOf(answer)).toEqual([401, 'invalid_client', 'invalid_client_credentials']);
});
