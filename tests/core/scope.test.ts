import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOwnScope } from '../../src/config.ts';
import * as core from '../../src/oauth/core/scope.ts';
import { mayUse, nameScopes, rulesOf } from '../../src/oauth/own-scopes.ts';
import { scopeNames } from '../support/scopes.ts';

const narrowScopes = (asked: string | undefined, held: core.GrantedScopes, known: core.KnownScopes) =>
  core.narrowScopes(asked, held, rulesOf(known));
const intersectScopes = (granted: core.GrantedScopes, registered: core.GrantedScopes) =>
  core.intersectScopes(granted, registered, rulesOf([]));

test('the scopes of the contract are our API’s (contract §6)', () => {
  expect(scopeNames).toContain('PROFILE_WRITE');
  expect(scopeNames.every(isOwnScope)).toBe(true);
});

test.each([
  '',
  'booking_read',
  'BOOKING',
  'BOOKING_READ ',
  'PROFILE',
  '__proto__',
  'constructor',
  'toString',
])('%j is no scope (contract §6)', (text) => {
  expect(nameScopes([text], scopeNames)).toEqual([]);
});

test('each scope may be used by its holder, READ by the holder of WRITE too, and nothing else (contract §6)', () => {
  for (const held of scopeNames)
    expect(scopeNames.filter((wanted) => mayUse([held], wanted))).toEqual(
      held.endsWith('_READ') ? [held] : [held.replace('_WRITE', '_READ'), held],
    );
});

test('full access may use every scope, an empty list none (contract §6)', () => {
  expect(scopeNames.filter((wanted) => mayUse('all', wanted))).toEqual(scopeNames);
  expect(scopeNames.filter((wanted) => mayUse([], wanted))).toEqual([]);
});

const anyScopes = fc.oneof(fc.constant('all' as const), fc.uniqueArray(fc.constantFrom(...scopeNames)));

test('the intersection may use what both may use, and nothing else (contract §6, security C60)', () => {
  fc.assert(
    fc.property(anyScopes, anyScopes, (granted, registered) => {
      const both = intersectScopes(granted, registered);
      for (const wanted of scopeNames)
        expect(mayUse(both, wanted)).toBe(mayUse(granted, wanted) && mayUse(registered, wanted));
    }),
  );
});

const known = [...scopeNames, 'notes:read', 'notes:write'] as const;

test('full access is all of our API and nothing of another one (contract §6, security C245)', () => {
  expect(nameScopes('all', known)).toEqual(scopeNames);
  expect(mayUse('all', 'notes:read')).toBe(false);
  expect(intersectScopes('all', ['notes:read', 'BOOKING_READ'])).toEqual(['BOOKING_READ']);
  expect(intersectScopes(['notes:read', 'BOOKING_READ'], 'all')).toEqual(['BOOKING_READ']);
  expect(narrowScopes('notes:read', 'all', known)).toEqual({ ok: false, reason: 'scope_too_wide' });
  expect(narrowScopes('notes:read PROFILE_READ', 'all', known)).toEqual({
    ok: true,
    value: ['PROFILE_READ'],
  });
});

const withIdentity = [...scopeNames, 'openid', 'profile', 'email'] as const;

test.each([
  ['openid profile email', ['openid', 'email'], ['openid', 'email']],
  ['openid BOOKING_READ', ['openid', 'BOOKING_READ'], ['openid', 'BOOKING_READ']],
  ['openid offline_access', ['openid', 'BOOKING_READ'], ['openid']],
  ['offline_access', ['openid', 'BOOKING_READ'], ['openid', 'BOOKING_READ']],
  ['openid', ['BOOKING_READ'], ['BOOKING_READ']],
  [undefined, ['email', 'BOOKING_READ'], ['BOOKING_READ']],
  ['openid profile email', 'all', scopeNames],
] as const)(
  'openid, profile and email are given where they are registered, and ask for nothing elsewhere: %j of %j (contract §6)',
  (asked, held, given) => {
    expect(narrowScopes(asked, held, withIdentity)).toEqual({ ok: true, value: given });
  },
);

test('where OpenID Connect is off, its scopes ask for nothing, registered or not (contract §6)', () => {
  expect(narrowScopes('openid BOOKING_READ', ['openid', 'BOOKING_READ'], scopeNames)).toEqual({
    ok: true,
    value: ['BOOKING_READ'],
  });
});

test('full access signs nobody in (contract §6, security C282)', () => {
  expect(mayUse('all', 'openid')).toBe(false);
  expect(nameScopes('all', withIdentity)).toEqual(scopeNames);
  expect(intersectScopes('all', ['openid', 'BOOKING_READ'])).toEqual(['BOOKING_READ']);
});

test('another API’s scope is itself alone, and what is no longer known has no name (contract §6)', () => {
  expect(mayUse(['notes:write'], 'notes:read')).toBe(false);
  expect(narrowScopes('notes:read', ['notes:read', 'BOOKING_READ'], known)).toEqual({
    ok: true,
    value: ['notes:read'],
  });
  expect(nameScopes(['notes:read', 'gone', 'BOOKING_READ'], known)).toEqual(['notes:read', 'BOOKING_READ']);
});

test.each([
  [
    'the same',
    ['BOOKING_WRITE', 'PROFILE_READ'],
    ['PROFILE_READ', 'BOOKING_WRITE'],
    ['BOOKING_WRITE', 'PROFILE_READ'],
  ],
  [
    'READ is registered beside WRITE',
    ['BOOKING_WRITE'],
    ['BOOKING_READ', 'BOOKING_WRITE'],
    ['BOOKING_WRITE'],
  ],
  ['READ alone is registered', ['BOOKING_WRITE'], ['BOOKING_READ'], ['BOOKING_READ']],
  ['nothing in common', ['BOOKING_WRITE'], ['PROFILE_READ'], []],
  ['full access registered', ['BOOKING_READ'], 'all', ['BOOKING_READ']],
  ['full access granted', 'all', ['BOOKING_READ'], ['BOOKING_READ']],
  ['full access on both sides', 'all', 'all', 'all'],
] as const)(
  'a grant and a registration, %s: %j and %j are %j (contract §6)',
  (_, granted, registered, both) => {
    expect(intersectScopes(granted, registered)).toEqual(both);
  },
);

const held = ['PROFILE_READ', 'BOOKING_WRITE'] as const;

test.each([
  ['nothing', undefined, held],
  ['an empty text', '', held],
  ['separators alone', ' , ', held],
  ['one', 'PROFILE_READ', ['PROFILE_READ']],
  ['several, with blanks', 'BOOKING_WRITE PROFILE_READ', ['BOOKING_WRITE', 'PROFILE_READ']],
  ['several, with commas', 'BOOKING_WRITE,PROFILE_READ', ['BOOKING_WRITE', 'PROFILE_READ']],
  ['several, with both', ' BOOKING_WRITE ,  PROFILE_READ,', ['BOOKING_WRITE', 'PROFILE_READ']],
  ['the same twice', 'PROFILE_READ PROFILE_READ', ['PROFILE_READ']],
  ['READ of a held WRITE', 'BOOKING_READ', ['BOOKING_READ']],
  ['WRITE of a held READ', 'PROFILE_WRITE', ['PROFILE_READ']],
  ['more than is held', 'SCHEDULE_READ PROFILE_READ', ['PROFILE_READ']],
  ['an unknown one among others', 'PROFILE_READ EVERYTHING', ['PROFILE_READ']],
  ['OpenID Connect’s names alone', 'openid profile email offline_access', held],
  ['OpenID Connect’s names beside one', 'openid PROFILE_READ', ['PROFILE_READ']],
] as const)('asked for %s, of two that are held (contract §6, RFC 6749 §3.3)', (_, requested, expected) => {
  expect(narrowScopes(requested, held, scopeNames)).toEqual({ ok: true, value: expected });
});

test.each([
  ['an unknown one', 'EVERYTHING'],
  ['an unknown one beside OpenID Connect’s', 'openid EVERYTHING'],
  ['one that is not held', 'SCHEDULE_READ'],
  ['one like a known one', 'PROFILE_DELETE'],
  ['another case', 'profile_read'],
  ['two with a semicolon between', 'PROFILE_READ;BOOKING_WRITE'],
  ['two with a tab between', 'PROFILE_READ\tBOOKING_WRITE'],
  ['two with a line feed between', 'PROFILE_READ\nBOOKING_WRITE'],
  ['two with a no-break space between', 'PROFILE_READ\u00a0BOOKING_WRITE'],
  ['a name of every object', 'constructor'],
])('asked for %s, it is too wide (contract §6)', (_, requested) => {
  expect(narrowScopes(requested, held, scopeNames)).toEqual({ ok: false, reason: 'scope_too_wide' });
});

test('of full access one can ask for less (contract §6, security C63)', () => {
  expect(narrowScopes(undefined, 'all', scopeNames)).toEqual({ ok: true, value: scopeNames });
  expect(narrowScopes('openid', 'all', scopeNames)).toEqual({ ok: true, value: scopeNames });
  expect(narrowScopes('PROFILE_READ', 'all', scopeNames)).toEqual({ ok: true, value: ['PROFILE_READ'] });
  expect(narrowScopes('EVERYTHING', 'all', scopeNames)).toEqual({ ok: false, reason: 'scope_too_wide' });
});

test('with no scope held nothing can be asked for (contract §6)', () => {
  expect(narrowScopes(undefined, [], scopeNames)).toEqual({ ok: false, reason: 'scope_too_wide' });
  expect(narrowScopes('PROFILE_READ', [], scopeNames)).toEqual({ ok: false, reason: 'scope_too_wide' });
});

test('narrowed scopes allow what was asked for and is held, and nothing else (contract §6, security C63)', () => {
  const someScopes = fc.subarray([...scopeNames]);
  fc.assert(
    fc.property(someScopes, someScopes, (all, asked) => {
      const narrowed = narrowScopes(asked.join(' '), all, scopeNames);
      const wanted = asked.length === 0 ? all : asked;
      const both = scopeNames.filter((scope) => mayUse(wanted, scope) && mayUse(all, scope));

      expect(narrowed.ok).toBe(both.length > 0);
      if (narrowed.ok) expect(scopeNames.filter((scope) => mayUse(narrowed.value, scope))).toEqual(both);
    }),
  );
});

test('a registration without scopes, null in the database, is full access (contract §6)', () => {
  expect(nameScopes(null, known)).toEqual(scopeNames);
  expect(scopeNames.every((wanted) => mayUse(null, wanted))).toBe(true);
  expect(mayUse(null, 'notes:read')).toBe(false);
});

test.each([
  ['all by name', ['BOOKING_READ', 'PROFILE_READ'], true, ['PROFILE_READ', 'BOOKING_READ'], true],
  ['a part', ['BOOKING_READ', 'PROFILE_READ'], true, ['PROFILE_READ'], false],
  ['nothing', ['BOOKING_READ'], true, [], false],
  ['all of full access', 'all', true, scopeNames, true],
  ['all, where names are registered', ['BOOKING_READ'], undefined, ['BOOKING_READ'], false],
] as const)(
  'full access has no name of its own where it is given %s (contract §6)',
  (_, scopes, isFullAccess, given, isFull) => {
    const registered = isFullAccess === undefined ? { scopes } : { scopes, isFullAccess };

    expect(core.givesFullAccess(registered, given, rulesOf(scopeNames))).toBe(isFull);
  },
);

const notes = { scopes: ['notes:read', 'notes:write', 'openid'] } as const;

describe('a host’s own rules', () => {
  test('without any, a scope gives itself alone, and full access all but who a person is', () => {
    expect(core.mayUse(['BOOKING_WRITE'], 'BOOKING_READ')).toBe(false);
    expect(core.nameScopes('all', notes)).toEqual(['notes:read', 'notes:write']);
    expect(core.narrowScopes('notes:read', 'all', notes)).toEqual({ ok: true, value: ['notes:read'] });
    expect(core.narrowScopes('openid', ['notes:read'], notes)).toEqual({ ok: true, value: ['notes:read'] });
  });

  test('say what a scope implies, wherever scopes meet', () => {
    const implies = (held: string, wanted: string) => held === 'notes:write' && wanted === 'notes:read';
    const rules = { ...notes, implies };

    expect(core.mayUse(['notes:write'], 'notes:read', rules)).toBe(true);
    expect(core.mayUse(['notes:read'], 'notes:write', rules)).toBe(false);
    expect(core.narrowScopes('notes:read', ['notes:write'], rules)).toEqual({
      ok: true,
      value: ['notes:read'],
    });
    expect(core.intersectScopes(['notes:write'], ['notes:read'], rules)).toEqual(['notes:read']);
    expect(core.intersectScopes(['notes:read'], ['notes:write'], rules)).toEqual(['notes:read']);
  });

  test('a scope whose name is all is a scope like others (security C424)', () => {
    const rules = { scopes: ['all', 'notes:read'] };

    expect(core.mayUse(['all'], 'notes:read', rules)).toBe(false);
    expect(core.nameScopes(['all'], rules)).toEqual(['all']);
  });

  test.each([
    ['null', 'null'],
    ['a text', '"notes:read notes:write"'],
    ['an object', '{}'],
    ['nothing', undefined],
  ])(
    'where a store has lost its scopes and returns %s, that is a fault and no access (security C424)',
    (_, stored) => {
      const held = stored === undefined ? undefined : JSON.parse(stored);

      expect(() => core.mayUse(held, 'notes:read', notes)).toThrow('scopes have to be a list');
      expect(() => core.nameScopes(held, notes)).toThrow('scopes have to be a list');
      expect(() => core.intersectScopes(held, 'all', notes)).toThrow('scopes have to be a list');
      expect(() => core.intersectScopes('all', held, notes)).toThrow('scopes have to be a list');
      expect(() => core.narrowScopes(undefined, held, notes)).toThrow('scopes have to be a list');
    },
  );
});
