import { describe, expect, test } from 'vitest';
import { domainOfDocument, readDocument } from '../../src/client-documents/documents.ts';
import { isDocumentUrl } from '../../src/oauth/client-id.ts';
import { documentOf } from '../support/client-documents.ts';
import { scopeNames } from '../support/scopes.ts';

const url = 'https://agent.example/client.json';
const read = (values: object) => readDocument(url, JSON.stringify(documentOf(url, values)), scopeNames);

test.each([
  url,
  'https://agent.example/',
  'https://agent.example:8443/a/b?c=d',
  `https://agent.example/${'a'.repeat(278)}`,
])('%s can be a client_id (draft, section 3)', (text) => {
  expect(isDocumentUrl(text)).toBe(true);
});

test.each([
  ...[
    'http://agent.example/client.json',
    'https://agent.example',
    'HTTPS://agent.example/',
    'https:agent.example/',
  ],
  ...['https://Agent.example/client.json', 'https://agent.example:443/', 'https://agent.example/a/../b'],
  ...['https://agent.example/./a', 'https://agent.example/a/%2e%2e/b', 'https://agent.example/a#b'],
  ...['https://agent.example/#', 'https://ann@agent.example/', 'https://ann:x@agent.example/'],
  ...[
    'https://@agent.example/',
    'https://agent.example\\a',
    'https://agent.example/a b',
    'https://ägent.example/',
  ],
  ...[
    'https://',
    'https:///a',
    'https://127.1/',
    'https://agent.example:99999/',
    'file:///etc/passwd',
    'x',
    '',
  ],
  `https://agent.example/${'a'.repeat(279)}`,
])('%j can be none (draft, section 3, contract §2)', (text) => {
  expect(isDocumentUrl(text)).toBe(false);
});

test.each([
  ['https://www.agent.example/', 'agent.example'],
  ['https://agent.example./', 'agent.example'],
  // Not what RFC 1123 calls a host, but DNS, and a certificate for *.agent.example, know it.
  ['https://a-.agent.example/', 'agent.example'],
  ['https://a-.b_.agent.example/', 'agent.example'],
  ['https://one.github.io/', 'one.github.io'],
  ['https://127.0.0.1/', '127.0.0.1'],
])('%s counts for %s, which has them all (security C98)', (address, domain) => {
  expect(isDocumentUrl(address)).toBe(true);
  expect(domainOfDocument(address)).toBe(domain);
});

test('a document says name, website, redirect URIs and scopes; its logo and what we do not know are ignored', () => {
  expect(read({ logo_uri: 'https://agent.example/logo.png', contacts: ['x'] })).toEqual({
    ok: true,
    value: {
      name: 'Desk Agent',
      purpose: '',
      redirectUris: ['http://127.0.0.1/callback'],
      websiteUrl: 'https://agent.example',
      scopes: ['BOOKING_READ', 'PROFILE_READ'],
      postLogoutRedirectUris: [],
      requiresPkce: false,
    },
  });
});

test.each([
  [{ scope: undefined }, { scopes: null }],
  [{ scope: 'BOOKING_READ,PROFILE_READ' }, { scopes: ['BOOKING_READ', 'PROFILE_READ'] }],
  [{ scope: ' BOOKING_READ, other BOOKING_READ' }, { scopes: ['BOOKING_READ'] }],
  [{ client_uri: 'javascript:alert(1)' }, { websiteUrl: null }],
  [{ client_uri: undefined }, { websiteUrl: null }],
  [
    { post_logout_redirect_uris: ['https://agent.example/bye'] },
    { postLogoutRedirectUris: ['https://agent.example/bye'] },
  ],
  [
    {
      post_logout_redirect_uris: [
        'com.example.agent:/bye',
        'http://agent.example',
        'https://agent.example/?state=1',
      ],
    },
    { postLogoutRedirectUris: ['com.example.agent:/bye'] },
  ],
  [
    { post_logout_redirect_uris: Array.from({ length: 11 }, (_, index) => `https://agent.example/${index}`) },
    {},
  ],
  [{ post_logout_redirect_uris: 'https://agent.example/bye' }, {}],
  [{ token_endpoint_auth_method: undefined, grant_types: undefined, response_types: undefined }, {}],
  // Assistants publish documents like these.
  [
    {
      ...{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://agent.example/jwks' },
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    },
    {},
  ],
  [{ token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: ['none'] }, {}],
  [{ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, {}],
  [
    {
      ...{
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
      ...{ application_type: 'native', response_types: ['code', 'none'], contacts: ['a@agent.example'] },
      ...{ software_id: null, policy_uri: 7, jwks: { keys: [] } },
    },
    {},
  ],
  [
    { redirect_uris: ['cursor://agent.tools/cb', 'cursor://agent.tools/cb'] },
    { redirectUris: ['cursor://agent.tools/cb'] },
  ],
])('%j is read as %j', (values, expected) => {
  expect(read(values)).toMatchObject({ ok: true, value: expected });
});

describe('what is refused (draft, section 4.1, contract §2)', () => {
  const preferringKey = { token_endpoint_auth_method: 'private_key_jwt' };

  test.each(['openid', 'mcp:read calendar.readonly', 'booking_read', '', ' , ', null, ['BOOKING_READ'], 7])(
    'a scope that names nothing of ours, instead of becoming full access: %j (contract §6, security C207)',
    (scope) => {
      expect(read({ scope })).toEqual({ ok: false, reason: 'faulty_value', detail: 'scope' });
    },
  );

  test.each([
    ['another_client_id', { client_id: 'https://agent.example/client.json?x' }],
    ['another_client_id', { client_id: 'https://AGENT.example/client.json' }],
    ['another_client_id', { client_id: undefined }],
    ['not_public', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['not_public', { token_endpoint_auth_method: 'client_secret_post' }],
    ['not_public', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['not_public', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://agent.example/keys' }],
    ['not_public', { ...preferringKey, token_endpoint_auth_methods_supported: ['private_key_jwt'] }],
    ['not_public', { ...preferringKey, token_endpoint_auth_methods_supported: 'none' }],
    [
      'not_public',
      { token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    ],
    [
      'not_public',
      {
        token_endpoint_auth_method: 'client_secret_post',
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
      },
    ],
    ['not_public', { client_secret: 'x' }],
    ['not_public', { client_secret_expires_at: 0 }],
    ['not_public', { grant_types: ['client_credentials'] }],
    ['not_public', { response_types: ['token'] }],
    ['faulty_value', { client_name: undefined }],
    ['faulty_value', { client_name: '' }],
    ['faulty_value', { client_name: 'x'.repeat(81) }],
    ['faulty_value', { client_name: 'two\nlines' }],
    ['faulty_value', { client_name: 7 }],
    ['faulty_value', { client_name: 'half \ud83d' }],
    ['faulty_value', { redirect_uris: undefined }],
    ['faulty_value', { redirect_uris: [] }],
    ['faulty_value', { redirect_uris: 'https://agent.example/cb' }],
    ['faulty_value', { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://agent.example/${n}`) }],
    ['faulty_value', { redirect_uris: ['https://agent.example/cb', 'http://agent.example/cb'] }],
    ['faulty_value', { redirect_uris: ['javascript:alert(1)'] }],
    ['faulty_value', { redirect_uris: ['https://agent.example/*'] }],
  ])('%s: %j', (reason, values) => {
    expect(read(values)).toMatchObject({ ok: false, reason });
  });

  test.each(['', 'null', '[]', '"x"', '{', `${'['.repeat(2000)}`])('not_json: %j', (text) => {
    expect(readDocument(url, text, scopeNames)).toEqual({ ok: false, reason: 'not_json' });
  });

  test('the refusal names the redirect URI and what is wrong with it', () => {
    expect(read({ redirect_uris: ['http://agent.example/cb'] })).toMatchObject({
      detail: expect.stringMatching(/^http:\/\/agent\.example\/cb can use http only on localhost/),
    });
  });
});
