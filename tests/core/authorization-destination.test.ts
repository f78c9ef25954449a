import { expect, test } from 'vitest';
import { decideDestination } from '../../src/oauth/core/authorization.ts';
import { buildClient, buildRequest } from '../support/core-builders.ts';

const redirectUri = 'https://app.example/cb';
const client = buildClient('public');

test.each([
  ['client_unknown', 'of an unknown client', undefined, redirectUri],
  ['client_not_accepted', 'of a pending client', buildClient('public', { status: 'pending' }), redirectUri],
  ['client_not_accepted', 'of a rejected client', buildClient('public', { status: 'rejected' }), redirectUri],
  ['redirect_uri_missing', 'without redirect_uri', client, undefined],
  ['redirect_uri_not_registered', 'with another redirect_uri', client, 'https://evil.example/cb'],
  ['redirect_uri_not_registered', 'with almost the redirect_uri', client, `${redirectUri}/`],
])(
  '%s: a request %s is redirected nowhere (contract §3, RFC 6749 §3.1.2.4)',
  (reason, _, found, requested) => {
    const destination = decideDestination(found, buildRequest({ redirectUri: requested }));

    expect(destination).toMatchObject({ ok: false, reason });
  },
);

test('a client that was not accepted is told before its redirect_uri is looked at (contract §3)', () => {
  const pending = buildClient('public', { status: 'pending' });

  const destination = decideDestination(pending, buildRequest({ redirectUri: 'https://evil.example/cb' }));

  expect(destination).toMatchObject({ ok: false, reason: 'client_not_accepted' });
});

test('redirect_uri must be sent though only one is registered (contract §3)', () => {
  expect(client.redirectUris).toHaveLength(1);
  expect(decideDestination(client, buildRequest({ redirectUri: undefined }))).toMatchObject({ ok: false });
});

test('the answer goes to the address that was requested (RFC 6749 §3.1.2)', () => {
  expect(decideDestination(client, buildRequest())).toEqual({ ok: true, value: { client, redirectUri } });
});

test('the answer goes to the loopback port that was requested (RFC 8252 §7.3)', () => {
  const native = buildClient('public', { redirectUris: ['http://127.0.0.1/cb'] });

  const destination = decideDestination(native, buildRequest({ redirectUri: 'http://127.0.0.1:49152/cb' }));

  expect(destination).toEqual({
    ok: true,
    value: { client: native, redirectUri: 'http://127.0.0.1:49152/cb' },
  });
});
