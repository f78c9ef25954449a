import { describe, expect, test } from 'vitest';
import { decideInviting, type InvitingFacts } from '../../src/accounts/groups/rules.ts';
import type { Role } from '../../src/accounts/person.ts';

const free: InvitingFacts = { isMember: false, open: undefined, openCount: 0 };
function outcomeOf(actor: Role, role: Role, facts: Partial<InvitingFacts> = {}): string {
  const decision = decideInviting(actor, role, { ...free, ...facts });
  return decision.ok ? 'send' : decision.reason;
}

test.each([
  ['owner', 'owner', 'send'],
  ['owner', 'admin', 'send'],
  ['owner', 'member', 'send'],
  ['admin', 'owner', 'role_not_allowed'],
  ['admin', 'admin', 'send'],
  ['admin', 'member', 'send'],
  ['member', 'owner', 'not_allowed'],
  ['member', 'admin', 'not_allowed'],
  ['member', 'member', 'not_allowed'],
] as const)('%s invites a user as %s: %s', (actor, role, outcome) => {
  expect(outcomeOf(actor, role)).toBe(outcome);
});

test('a member is not invited once more', () => {
  expect(outcomeOf('owner', 'member', { isMember: true })).toBe('already_member');
});

describe('an address with an open invitation', () => {
  test('that an owner invited as owner is not an admin’s to change', () => {
    expect(outcomeOf('admin', 'member', { open: { role: 'owner' } })).toBe('invited_above');
    expect(outcomeOf('owner', 'member', { open: { role: 'owner' } })).toBe('send');
  });

  test('is renewed though as many are open as may be', () => {
    expect(outcomeOf('owner', 'member', { open: { role: 'member' }, openCount: 50 })).toBe('send');
  });
});

test.each([
  [{ openCount: 49 }, 'send'],
  [{ openCount: 50 }, 'too_many_open'],
] as const)('with %j: %s', (facts, outcome) => {
  expect(outcomeOf('owner', 'member', facts)).toBe(outcome);
});
