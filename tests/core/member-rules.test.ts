import { describe, expect, test } from 'vitest';
import { decideRemoval, decideRoleChange, maySetSlug, rolesWithin } from '../../src/accounts/groups/rules.ts';
import { isManagingRole, type Role, roles } from '../../src/accounts/person.ts';

const outcomeOf = (decision: { readonly ok: boolean; readonly reason?: string }): string =>
  decision.ok ? 'yes' : (decision.reason ?? '');

/** Who, whom, to what: yes where it may be, with two owners and more. */
const roleChanges: readonly (readonly [Role, Role, Role, string])[] = [
  ['owner', 'owner', 'owner', 'yes'],
  ['owner', 'owner', 'admin', 'yes'],
  ['owner', 'owner', 'member', 'yes'],
  ['owner', 'admin', 'owner', 'yes'],
  ['owner', 'admin', 'admin', 'yes'],
  ['owner', 'admin', 'member', 'yes'],
  ['owner', 'member', 'owner', 'yes'],
  ['owner', 'member', 'admin', 'yes'],
  ['owner', 'member', 'member', 'yes'],
  ['admin', 'owner', 'owner', 'not_allowed'],
  ['admin', 'owner', 'admin', 'not_allowed'],
  ['admin', 'owner', 'member', 'not_allowed'],
  ['admin', 'admin', 'owner', 'not_allowed'],
  ['admin', 'admin', 'admin', 'yes'],
  ['admin', 'admin', 'member', 'yes'],
  ['admin', 'member', 'owner', 'not_allowed'],
  ['admin', 'member', 'admin', 'yes'],
  ['admin', 'member', 'member', 'yes'],
  ['member', 'owner', 'owner', 'not_allowed'],
  ['member', 'owner', 'admin', 'not_allowed'],
  ['member', 'owner', 'member', 'not_allowed'],
  ['member', 'admin', 'owner', 'not_allowed'],
  ['member', 'admin', 'admin', 'not_allowed'],
  ['member', 'admin', 'member', 'not_allowed'],
  ['member', 'member', 'owner', 'not_allowed'],
  ['member', 'member', 'admin', 'not_allowed'],
  ['member', 'member', 'member', 'not_allowed'],
];

test.each(roleChanges)('%s makes another one, %s, into %s: %s', (actor, target, role, outcome) => {
  const decision = decideRoleChange({ id: 1, role: actor }, { id: 2, role: target }, role, 2);

  expect(outcomeOf(decision)).toBe(outcome);
});

test.each([
  ['owner', 'owner', 'yes'],
  ['owner', 'admin', 'yes'],
  ['owner', 'member', 'yes'],
  ['admin', 'owner', 'not_allowed'],
  ['admin', 'admin', 'yes'],
  ['admin', 'member', 'yes'],
  ['member', 'owner', 'not_allowed'],
  ['member', 'admin', 'not_allowed'],
  ['member', 'member', 'not_allowed'],
] as const)('%s removes another one, %s: %s', (actor, target, outcome) => {
  const decision = decideRemoval({ id: 1, role: actor }, { id: 2, role: target }, 2);

  expect(outcomeOf(decision)).toBe(outcome);
});

describe('what people do with themselves', () => {
  test.each(roles)('%s may leave while another owner is there', (role) => {
    expect(decideRemoval({ id: 1, role }, { id: 1, role }, 2).ok).toBe(true);
  });

  test('the last owner may not leave', () => {
    const owner = { id: 1, role: 'owner' } as const;

    expect(outcomeOf(decideRemoval(owner, owner, 1))).toBe('last_owner');
  });

  test.each(['admin', 'member'] as const)('the last owner may not become %s', (role) => {
    const owner = { id: 1, role: 'owner' } as const;

    expect(outcomeOf(decideRoleChange(owner, owner, role, 1))).toBe('last_owner');
  });

  test('the last owner may stay owner', () => {
    const owner = { id: 1, role: 'owner' } as const;

    expect(decideRoleChange(owner, owner, 'owner', 1).ok).toBe(true);
  });

  test.each([
    ['admin', 'owner'],
    ['member', 'admin'],
    ['member', 'owner'],
  ] as const)('%s cannot raise themselves to %s', (from, to) => {
    const self = { id: 1, role: from };

    expect(outcomeOf(decideRoleChange(self, self, to, 2))).toBe('not_allowed');
  });

  test('an admin may step down', () => {
    const self = { id: 1, role: 'admin' } as const;

    expect(decideRoleChange(self, self, 'member', 1).ok).toBe(true);
  });
});

test('owners and admins manage, members do not; nobody reaches above their own role', () => {
  expect(roles.filter(isManagingRole)).toEqual(['owner', 'admin']);
  expect(roles.map(rolesWithin)).toEqual([['owner', 'admin', 'member'], ['admin', 'member'], []]);
});

test('owners and admins change the slug of a team, owners alone that of an organization', () => {
  expect(roles.filter((role) => maySetSlug('team', role))).toEqual(['owner', 'admin']);
  expect(roles.filter((role) => maySetSlug('organization', role))).toEqual(['owner']);
});
