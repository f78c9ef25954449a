import { syncBuiltinESMExports } from 'node:module';
import zlib, { deflateRawSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { returnToField } from '../../src/accounts/sessions/return-to.ts';
import { ownPage } from '../support/accounts.ts';
import { addressesOn, hiddenFieldOf, isOwnAddress } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addUser, postForm, signIn } from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await signIn(service, user);

const hostile = [
  'https://evil.example/',
  'http://evil.example/',
  'HTTPS://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  '//evil.example/',
  '///evil.example/',
  '////evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '\\/evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example/',
  '/\r\n/evil.example/',
  '\t//evil.example/',
  ' //evil.example/',
  ' https://evil.example/',
  '/.//evil.example/',
  '/..//evil.example/',
  '/a/..//evil.example/',
  '/a/../..//evil.example/',
  '/%2e//evil.example/',
  '/%2e%2e//evil.example/',
  '/./\\evil.example/',
  '/..\\\\evil.example/',
  '/a/..\\/evil.example/',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'evil.example',
  '@evil.example',
  '.evil.example',
  ':80@evil.example',
  'http://localhost:3000@evil.example/',
  '/\0/evil.example',
  '',
  `/${'x'.repeat(20_000)}\n`,
];

/** Where a browser that stands on one of our pages goes with a `Location` or `href`. */
function originOf(address: string): string {
  return new URL(address, `${service.appUrl}/signin`).origin;
}

function leadsAway(address: string): boolean {
  return !isOwnAddress(address) || originOf(address) !== service.appUrl;
}

describe.each(hostile)('return_to %j', (returnTo) => {
  const query = new URLSearchParams({ return_to: returnTo }).toString();

  test.each(['/signin', '/signup'])(
    'at %s leads nowhere else when signed in (RFC 9700 §4.11, ASVS 5.1.5)',
    async (path) => {
      const answer = await service.app.inject({ url: `${path}?${query}`, headers: { cookie } });

      expect(answer.statusCode).toBe(303);
      expect(leadsAway(String(answer.headers.location))).toBe(false);
    },
  );

  test.each(['/signin', '/signup'])('at %s is on no form and in no link', async (path) => {
    const page = await service.app.inject(`${path}?${query}`);

    expect(page.statusCode).toBe(200);
    expect(leadsAway(hiddenFieldOf(page.body, 'return_to'))).toBe(false);
    expect(addressesOn(page.body).filter(leadsAway)).toEqual([]);
  });

  test('leads nowhere else after sign-in', async () => {
    const { email, password } = await addUser(service);
    const answer = await postForm(service, '/signin', { email, password, return_to: returnTo });

    expect(answer.statusCode).toBe(303);
    expect(leadsAway(String(answer.headers.location))).toBe(false);
  });

  test('leads nowhere else after sign-out', async () => {
    const answer = await postForm(service, '/signout', { return_to: returnTo });

    expect(answer.statusCode).toBe(303);
    expect(leadsAway(String(answer.headers.location))).toBe(false);
  });

  test('leads nowhere else from the page between', async () => {
    const answer = await service.app.inject({ url: `/signin/continue?${query}`, headers: { cookie } });

    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
  });
});

test.each([
  '/',
  ownPage,
  `${ownPage}/new?x=1&y=%2F%2F`,
  '/auth/oauth2/authorize?redirect_uri=https%3A%2F%2Fapp.example',
])('return_to %s is kept', async (returnTo) => {
  const page = await service.app.inject(`/signin?return_to=${encodeURIComponent(returnTo)}`);

  expect(hiddenFieldOf(page.body, 'return_to')).toBe(returnTo);
});

test('a way back that inflates beyond its limit leads home, and is inflated no further (security C36)', () => {
  const bomb = deflateRawSync(Buffer.alloc(48 * 1024 * 1024, '/a')).toString('base64url');
  const lengths: number[] = [];
  const { inflateRawSync } = zlib;
  onTestFinished(() => {
    zlib.inflateRawSync = inflateRawSync;
    syncBuiltinESMExports();
  });
  zlib.inflateRawSync = (...given) => {
    const inflated = inflateRawSync(...given);
    lengths.push(inflated.length);
    return inflated;
  };
  syncBuiltinESMExports();

  const ways = ['/settings/apps', bomb].map((text) =>
    text === bomb ? text : deflateRawSync(text).toString('base64url'),
  );
  const read = ways.map((text) => returnToField.parse({ return_to: `~${text}` }).return_to);

  expect(read).toEqual(['/settings/apps', '/']);
  expect(lengths).toEqual(['/settings/apps'.length]);
});
