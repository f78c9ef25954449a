import { expect, test } from 'vitest';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { policyOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addClient, addUser, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));
const client = await addClient(service, {
  type: 'public',
  redirectUris: [
    'https://app.example:8443/callback',
    'http://localhost/callback',
    'http://127.0.0.1:9000/callback',
    'http://[::1]/callback',
    'com.example.app:/callback',
    'cursor://editor.tools/cb',
  ],
});

test.each([
  ['https', 'https://app.example:8443/callback', ["'self'", 'https:']],
  [
    'loopback http',
    'http://localhost:49152/callback',
    ["'self'", 'http://localhost:49152', 'http://localhost:*', 'https:'],
  ],
  [
    'loopback http by number',
    'http://127.0.0.1:9000/callback',
    ["'self'", 'http://127.0.0.1:9000', 'http://127.0.0.1:*', 'https:'],
  ],
  ['loopback http by IPv6', 'http://[::1]:49152/callback', ["'self'", 'http:', 'https:']],
  ['a private-use scheme', 'com.example.app:/callback', ["'self'", 'com.example.app:', 'https:']],
  ['a scheme without a dot', 'cursor://editor.tools/cb', ["'self'", 'cursor:', 'https:']],
] as const)(
  "the page's form-action lets the answer through to %s (contract §3, security C18)",
  async (_name, redirectUri, sources) => {
    const page = await openAuthorizePage(service, requestOf(client, { redirect_uri: redirectUri }), cookie);

    expect(page.statusCode).toBe(200);
    expect(policyOf(page)['form-action']).toEqual(sources);
  },
);

test('only form-action is widened; everything else stays closed (security C17, C19)', async () => {
  const page = await openAuthorizePage(service, requestOf(client), cookie);

  const { 'form-action': _formAction, ...others } = policyOf(page);
  expect(others).toEqual({
    'default-src': ["'none'"],
    'style-src': ["'self'"],
    'script-src': ["'self'"],
    'img-src': ["'self'"],
    'font-src': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
});

test('the answers to the form widen nothing (security C18)', async () => {
  const form = await openDecision(service, requestOf(client), cookie);

  const outdated = await decide(service, { ...form, decision: '' }, 'allow', cookie);
  const allowed = await decide(service, form, 'allow', cookie);

  expect([outdated.statusCode, allowed.statusCode]).toEqual([400, 303]);
  for (const answer of [outdated, allowed]) expect(policyOf(answer)['form-action']).toEqual(["'self'"]);
});
