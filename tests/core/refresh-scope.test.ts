import { expect, test } from 'vitest';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { decideRefresh } from '../../src/oauth/core/refresh.ts';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import { buildActiveGrant, buildClient, lifetimes, noon, secondsAfter } from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const rules = { lifetimes, rules: rulesOf(scopeNames), now: noon };

const client = buildClient('public', { scopes: ['BOOKING_WRITE', 'PROFILE_READ'] });
const grant = buildActiveGrant(client, { generation: 2 });
const tooWide = (granted: readonly Scope[]) => ({
  outcome: 'refuse',
  refusal: {
    ok: false,
    reason: 'scope_exceeds_grant',
    detail: 'scope_too_wide',
    cause: { kind: 'scope_too_wide', granted },
  },
});

function present(presented: Grant, generation: number, scope: string | undefined, now = noon) {
  return decideRefresh({ client, grant: presented, generation, scope, jkt: null, ...rules, now });
}

test.each([
  ['absent', undefined, ['BOOKING_WRITE', 'PROFILE_READ']],
  ['blank', ' ', ['BOOKING_WRITE', 'PROFILE_READ']],
  ['narrower', 'PROFILE_READ', ['PROFILE_READ']],
  ['READ, contained in the granted WRITE', 'BOOKING_READ', ['BOOKING_READ']],
  ['all that was granted', 'PROFILE_READ,BOOKING_WRITE', ['PROFILE_READ', 'BOOKING_WRITE']],
  ['wider in part', 'openid PROFILE_READ SCHEDULE_READ', ['PROFILE_READ']],
])(
  'a refresh whose scope is %s gets what of it is granted, a repeated one too (RFC 6749 §3.3, §6)',
  (_, scope, scopes) => {
    expect(present(grant, 2, scope)).toMatchObject({ outcome: 'rotate', grant, generation: 3, scopes });
    expect(present(grant, 1, scope)).toMatchObject({ outcome: 'repeat', grant, generation: 2, scopes });
  },
);

test.each([
  ['all beyond what is granted', 'SCHEDULE_READ EVENT_TYPE_READ'],
  ['unknown', 'EVERYTHING'],
  ['in another case', 'profile_read'],
])(
  'a refresh whose scope is %s is refused as invalid_scope, and spends nothing (contract §6)',
  (_, scope) => {
    expect(present(grant, 2, scope)).toEqual(tooWide(['BOOKING_WRITE', 'PROFILE_READ']));
    expect(present(grant, 1, scope)).toEqual(tooWide(['BOOKING_WRITE', 'PROFILE_READ']));
  },
);

test('the limit is what the client is still registered for, too (contract §6, security C60)', () => {
  const narrowed = { ...client, scopes: ['BOOKING_READ'] as const };
  const decide = (scope: string | undefined) =>
    decideRefresh({ client: narrowed, grant, generation: 2, scope, jkt: null, ...rules });

  expect(decide(undefined)).toMatchObject({ outcome: 'rotate', scopes: ['BOOKING_READ'] });
  expect(decide('BOOKING_WRITE')).toMatchObject({ outcome: 'rotate', scopes: ['BOOKING_READ'] });
  expect(decide('PROFILE_READ')).toEqual(tooWide(['BOOKING_READ']));
});

test('a grant of which nothing is registered any more is refused, and ends nothing (contract §6, security C60)', () => {
  const narrowed = { ...client, scopes: ['SCHEDULE_READ'] as const };
  const presented = { client: narrowed, grant, generation: 2, scope: undefined, jkt: null };

  expect(decideRefresh({ ...presented, ...rules })).toMatchObject({
    outcome: 'refuse',
    refusal: { reason: 'scope_exceeds_grant', cause: { kind: 'registration_narrowed' } },
  });
});

test('WRITE is given as the READ that was granted (contract §6)', () => {
  const narrow = buildActiveGrant(client, { scopes: ['BOOKING_READ'] });

  expect(present(narrow, 1, 'BOOKING_WRITE')).toMatchObject({
    outcome: 'rotate',
    scopes: ['BOOKING_READ'],
  });
});

test('the limit is what the user granted, not what the client is registered for (RFC 6749 §6)', () => {
  const narrow = buildActiveGrant(client, { scopes: ['PROFILE_READ'] });

  expect(present(narrow, 1, 'BOOKING_WRITE')).toEqual(tooWide(['PROFILE_READ']));
});

test('narrowing one refresh does not narrow the grant: the next may ask for all again (RFC 6749 §6)', () => {
  const narrowed = present(grant, 2, 'PROFILE_READ');
  const next = present({ ...grant, generation: 3 }, 3, undefined);

  expect(narrowed).toMatchObject({ scopes: ['PROFILE_READ'] });
  expect(next).toMatchObject({ scopes: ['BOOKING_WRITE', 'PROFILE_READ'] });
});

test('a spent token with too wide a scope is refused for being spent, and learns nothing of the scopes (contract §4)', () => {
  expect(present(grant, 1, 'EVERYTHING', secondsAfter(noon, 61))).toMatchObject({
    outcome: 'theft',
    refusal: { reason: 'invalid_refresh_token' },
  });
});

test('a grant with full access can be narrowed, too (contract §6, security C63)', () => {
  const full = buildActiveGrant(client, { scopes: 'all' });

  const unscoped = { ...client, scopes: 'all' } as const;
  const presented = { client: unscoped, grant: full, generation: 1, scope: 'PROFILE_READ', jkt: null };

  expect(decideRefresh({ ...presented, ...rules })).toMatchObject({
    outcome: 'rotate',
    grant: full,
    generation: 2,
    scopes: ['PROFILE_READ'],
  });
});
