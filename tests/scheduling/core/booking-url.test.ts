import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AddressedEventType,
  bookingUrlOf,
  organizationSlugOf,
} from '../../../src/scheduling/core/booking-url.ts';

const hosts = { appUrl: 'https://cal.example', orgHost: 'cal.example' };
const regular = { slug: 'acme', isPlatform: false };
const platform = { slug: 'fleet', isPlatform: true };

interface Changes {
  readonly username?: string | null;
  readonly isManaged?: boolean;
  readonly organization?: AddressedEventType['userOrganization'];
}
const none = { user: null, userOrganization: null, team: null, teamOrganization: null };
const ann = ({ username = 'ann', isManaged = false, organization = null }: Changes = {}, slug = '30min') => ({
  ...none,
  eventType: { slug },
  user: { username, managingClientId: isManaged ? 'fleet' : null },
  userOrganization: organization,
});
const team = (teamOrganization: AddressedEventType['teamOrganization']) => ({
  ...none,
  eventType: { slug: '30min' },
  team: { slug: 'garden' },
  teamOrganization,
});

test.each([
  ['a user without an organization', ann(), 'https://cal.example/ann/30min'],
  ['a user in a regular organization', ann({ organization: regular }), 'https://acme.cal.example/ann/30min'],
  [
    'a non-managed user in a platform organization',
    ann({ organization: platform }),
    'https://cal.example/ann/30min',
  ],
  ['a managed user', ann({ organization: platform, isManaged: true }), ''],
  ['a managed user without an organization', ann({ isManaged: true }), ''],
  ['a user without a username', ann({ username: null }), ''],
  ['a user with an empty username', ann({ username: '' }), ''],
  ['a user without a username in a regular organization', ann({ username: null, organization: regular }), ''],
  ['a team', team(null), 'https://cal.example/team/garden/30min'],
  ['a team in a regular organization', team(regular), 'https://acme.cal.example/team/garden/30min'],
  ['a team in a platform organization', team(platform), 'https://cal.example/team/garden/30min'],
])('the bookingUrl of %s (contract §8)', (_words, owner, expected) => {
  expect(bookingUrlOf(owner, hosts)).toBe(expected);
});

test.each([
  ['ends with a slash', { appUrl: 'https://cal.example/', orgHost: 'cal.example/' }],
  ['ends with several slashes', { appUrl: 'https://cal.example///', orgHost: 'cal.example//' }],
])('a base that %s doubles no slash (contract §8)', (_words, odd) => {
  expect(bookingUrlOf(ann(), odd)).toBe('https://cal.example/ann/30min');
  expect(bookingUrlOf(ann({ organization: regular }), odd)).toBe('https://acme.cal.example/ann/30min');
});

test('without ORG_HOST organizations have no subdomain (contract §1)', () => {
  const url = bookingUrlOf(ann({ organization: regular }), { ...hosts, orgHost: undefined });

  expect(url).toBe('https://cal.example/ann/30min');
});

test('the scheme and the port of the configuration are kept', () => {
  const local = { appUrl: 'http://localhost:3000', orgHost: 'cal.localhost:3000' };

  expect(bookingUrlOf(ann({ organization: regular }), local)).toBe(
    'http://acme.cal.localhost:3000/ann/30min',
  );
});

test('every address that is not empty is one, whatever the slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (slug) => {
      const url = new URL(bookingUrlOf(ann({}, slug), hosts));
      expect(url.origin).toBe('https://cal.example');
      expect([url.search, url.hash]).toEqual(['', '']);
    }),
  );
});

const appHosts = { appUrl: 'https://app.cal.example', orgHost: 'cal.example' };

test.each([
  ['acme.cal.example', 'acme'],
  ['ACME.cal.example', 'acme'],
  ['app.cal.example', undefined],
  ['cal.example', undefined],
  ['.cal.example', undefined],
  ['a.b.cal.example', undefined],
  ['acme.cal.example.', undefined],
  ['acme.cal.example:8080', undefined],
  ['acme.cal.example.evil.example', undefined],
  ['evilcal.example', undefined],
  ['evil.example', undefined],
  ['acme@evil.example?.cal.example', undefined],
  [undefined, undefined],
])('the host %s names the organization %s (security C40)', (host, slug) => {
  expect(organizationSlugOf(host, appHosts)).toBe(slug);
  expect(organizationSlugOf(host, { ...appHosts, orgHost: undefined })).toBeUndefined();
});

test('a port is part of the configured host', () => {
  const local = { appUrl: 'http://localhost:3000', orgHost: 'cal.example:3000' };

  expect(organizationSlugOf('acme.cal.example:3000', local)).toBe('acme');
  expect(organizationSlugOf('acme.cal.example', local)).toBeUndefined();
});
