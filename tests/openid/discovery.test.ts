import { expect, test } from 'vitest';
import { z } from 'zod';
import { openAnotherInstance, openTestService } from '../support/service.ts';

const service = await openTestService();
const read = async (name: string, from = service) => from.app.inject(`/.well-known/${name}`);

/** OpenID Connect Discovery, section 3: what is required, and the types of what is there. */
const required = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  end_session_endpoint: z.url(),
  jwks_uri: z.url(),
  scopes_supported: z.array(z.string()).refine((scopes) => scopes.includes('openid')),
  response_types_supported: z.tuple([z.literal('code')]),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  subject_types_supported: z.tuple([z.literal('public')]),
  id_token_signing_alg_values_supported: z.tuple([z.literal('RS256'), z.literal('ES256')]),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  claim_types_supported: z.tuple([z.literal('normal')]),
  claims_supported: z.array(z.string()),
  prompt_values_supported: z.array(z.string()),
  claims_parameter_supported: z.literal(false),
  request_parameter_supported: z.literal(false),
  request_uri_parameter_supported: z.literal(false),
});

test('the document has what OpenID Connect Discovery, section 3 and RP-Initiated Logout, section 2.1 require (contract §7)', async () => {
  const answer = await read('openid-configuration');
  const document = required.parse(answer.json());

  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
  });
  expect(document).toMatchObject({
    issuer: service.appUrl,
    userinfo_endpoint: `${service.appUrl}/v2/auth/oauth2/userinfo`,
    end_session_endpoint: `${service.appUrl}/auth/oauth2/logout`,
  });
});

test('it says the same as the metadata of RFC 8414, and more', async () => {
  const [document, metadata] = [await read('openid-configuration'), await read('oauth-authorization-server')];

  expect(document.json()).toMatchObject(metadata.json());
});

test('it names the languages that ui_locales can ask for (section 3)', async () => {
  expect((await read('openid-configuration')).json().ui_locales_supported).toEqual([
    ...['en', 'de', 'es', 'fr', 'pt-BR', 'ja', 'ar'],
  ]);
});

test('the keys verify what it says (OpenID Connect Core, section 10.1)', async () => {
  const { keys } = (await read('jwks.json')).json();

  expect(keys.map(({ alg, kty, use }: Record<string, string>) => [alg, kty, use])).toEqual([
    ['ES256', 'EC', 'sig'],
    ['RS256', 'RSA', 'sig'],
  ]);
});

test('without the part there is no document, no userinfo, no logout, and no scope (contract §1)', async () => {
  const plain = await openAnotherInstance(service, { PARTS: '-openid' });
  const answers = [
    await read('openid-configuration', plain),
    await plain.app.inject('/v2/auth/oauth2/userinfo'),
    await plain.app.inject('/auth/oauth2/logout'),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect((await plain.app.inject('/openapi.json')).body).not.toContain('id_token');
  expect((await service.app.inject('/openapi.json')).body).toContain('id_token');
  expect((await read('jwks.json', plain)).json().keys.map(({ alg }: { alg: string }) => alg)).toEqual([
    'ES256',
  ]);
  expect((await read('oauth-authorization-server', plain)).json().scopes_supported).not.toContain('openid');
  expect((await read('oauth-authorization-server')).json().scopes_supported).toContain('openid');
});
