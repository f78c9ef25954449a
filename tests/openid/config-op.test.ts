import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTestService } from '../support/service.ts';

/**
 * The checks of `oidcc-discovery-endpoint-verification`, the one module of
 * `oidcc-config-certification-test-plan`, and of the first one of the plan for logout.
 */
const service = await openTestService({ APP_URL: 'https://cal.example' });
const read = async (path: string) => service.app.inject(path);
const answer = await read('/.well-known/openid-configuration');
const metadata = z.record(z.string(), z.unknown()).parse(answer.json());
const names = (name: string): readonly string[] => z.array(z.string()).nonempty().parse(metadata[name]);

test('it is JSON, with status 200, at the address of its issuer (OpenID Connect Discovery, section 4)', () => {
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(metadata['issuer']).toBe('https://cal.example');
});

test('what is required is there (OpenID Connect Discovery, section 3)', () => {
  expect(names('response_types_supported')).toContain('code');
  expect(names('grant_types_supported')).toContain('authorization_code');
  expect(names('subject_types_supported')).toContain('public');
  expect(names('id_token_signing_alg_values_supported')).toContain('RS256');
  expect(names('scopes_supported')).toContain('openid');
  expect(names('code_challenge_methods_supported')).toEqual(['S256']);
  expect(names('claims_supported')).toContain('sub');
});

test('scopes are scope tokens of RFC 6749, section 3.3, and languages are written as BCP 47 has them', () => {
  for (const scope of names('scopes_supported')) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
  for (const list of ['ui_locales_supported', 'claims_locales_supported']) {
    const tags = z.array(z.string()).default([]).parse(metadata[list]);
    expect(Intl.getCanonicalLocales(tags)).toEqual(tags);
  }
});

test('every endpoint is https, that of signing out too (RP-Initiated Logout, section 2.1)', () => {
  const addresses = Object.entries(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name));

  expect(addresses.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      ...['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'],
      'end_session_endpoint',
    ]),
  );
  for (const [, address] of addresses) expect(address).toMatch(/^https:\/\/[^#]+$/);
});

test('keys are public, and have an algorithm and a kid of their own (OpenID Connect Core, section 10.1)', async () => {
  const jwk = z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string(), use: z.literal('sig') });
  const { keys } = z
    .object({ keys: z.array(jwk).nonempty() })
    .parse((await read('/.well-known/jwks.json')).json());

  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  expect(new Set(keys.map(({ alg }) => alg))).toEqual(
    new Set(names('id_token_signing_alg_values_supported')),
  );
  for (const key of keys)
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
});
