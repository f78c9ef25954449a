import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import { issueCode, issueTokens, refreshFields, refusalOf, type TokenFields } from '../support/tokens.ts';
import { addClient, createPkce, requestToken } from '../support/world.ts';

const service = await sharedService();
const confidential = await addClient(service);
const publicClient = await addClient(service, { type: 'public' });

const rightRequests = {
  'the exchange of a confidential client': () => issueCode(service, confidential, { pkce: createPkce() }),
  'the exchange of a public client': () => issueCode(service, publicClient),
  'the refresh of a confidential client': async () =>
    refreshFields(confidential, (await issueTokens(service, confidential)).refresh_token),
  'the refresh of a public client': async () =>
    refreshFields(publicClient, (await issueTokens(service, publicClient)).refresh_token),
} as const satisfies Record<string, () => Promise<TokenFields>>;

const missingClient = [400, 'invalid_request', 'client_id is required'] as const;
const missingGrantType = [
  400,
  'invalid_request',
  "grant_type must be 'authorization_code' or 'refresh_token'",
] as const;
const missingSecret = [401, 'invalid_client', 'invalid_client_credentials'] as const;
const missing = (field: string) => [400, 'invalid_request', `${field} is required`] as const;

describe.each([
  { wire: 'a form', json: false },
  { wire: 'JSON', json: true },
])('as $wire', ({ json }) => {
  test.each([
    ['the exchange of a confidential client', 'client_id', missingClient],
    ['the exchange of a confidential client', 'client_secret', missingSecret],
    ['the exchange of a confidential client', 'grant_type', missingGrantType],
    ['the exchange of a confidential client', 'code', missing('code')],
    ['the exchange of a confidential client', 'redirect_uri', missing('redirect_uri')],
    ['the exchange of a confidential client', 'code_verifier', missing('code_verifier')],
    ['the exchange of a public client', 'client_id', missingClient],
    ['the exchange of a public client', 'grant_type', missingGrantType],
    ['the exchange of a public client', 'code', missing('code')],
    ['the exchange of a public client', 'redirect_uri', missing('redirect_uri')],
    ['the exchange of a public client', 'code_verifier', missing('code_verifier')],
    ['the refresh of a confidential client', 'client_id', missingClient],
    ['the refresh of a confidential client', 'client_secret', missingSecret],
    ['the refresh of a confidential client', 'grant_type', missingGrantType],
    ['the refresh of a confidential client', 'refresh_token', missing('refresh_token')],
    ['the refresh of a public client', 'client_id', missingClient],
    ['the refresh of a public client', 'grant_type', missingGrantType],
    ['the refresh of a public client', 'refresh_token', missing('refresh_token')],
  ] as const)('%s needs %s, and empty counts as absent (contract §4)', async (name, field, refusal) => {
    const request = await rightRequests[name]();
    const { [field]: _left, ...without } = request;

    const absent = await requestToken(service, without, { json });
    const empty = await requestToken(service, { ...request, [field]: '' }, { json });
    const right = await requestToken(service, request, { json });

    expect(refusalOf(absent)).toEqual(refusal);
    expect(empty.body).toBe(absent.body);
    expect(right.statusCode).toBe(200);
  });

  test.each(Object.entries(rightRequests))(
    '%s answers five members, flat (contract §4)',
    async (_name, make) => {
      const answer = await requestToken(service, await make(), { json });

      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.stringMatching(/^lkr_[\w-]{70}$/),
        token_type: 'bearer',
        expires_in: 1800,
      });
    },
  );

  test.each(Object.entries(rightRequests))('%s ignores unknown fields (contract §4)', async (_name, make) => {
    const strangers = {
      extra: 'x',
      'scope[a]': 'b',
      'client_id[]': 'x',
      constructor: 'x',
      toString: 'x',
      ['__proto__']: 'x',
      token: 'x',
      redirect_uris: '',
    };

    const answer = await requestToken(service, { ...strangers, ...(await make()) }, { json });

    expect(answer.statusCode).toBe(200);
  });

  test.each(['the exchange of a public client', 'the refresh of a public client'] as const)(
    '%s ignores a client_secret (contract §4)',
    async (name) => {
      const request = { ...(await rightRequests[name]()), client_secret: 'of no meaning' };

      const answer = await requestToken(service, request, { json });

      expect(answer.statusCode).toBe(200);
    },
  );

  test.each([
    'client_id',
    'client_secret',
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'unknown',
  ])('NUL in %s answers 400 (security C35)', async (field) => {
    const request = await rightRequests['the exchange of a confidential client']();
    const values: TokenFields = request;

    for (const value of ['\0', `\0${values[field] ?? ''}`, `${values[field] ?? ''}\0`]) {
      const answer = await requestToken(service, { ...request, [field]: value }, { json });
      expect(refusalOf(answer)).toEqual([
        400,
        'invalid_request',
        'a value must not contain the NUL character',
      ]);
    }
  });

  test('NUL in the name of a field answers 400 (security C35)', async () => {
    const request = await rightRequests['the exchange of a confidential client']();

    const answer = await requestToken(service, { ...request, 'code\0': 'x' }, { json });

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'a value must not contain the NUL character']);
  });
});
