import { describe, expect, test } from 'vitest';
import { decideInviting, type InvitingFacts } from '../../src/accounts/groups/rules.ts';
import type { Role } from '../../src/accounts/person.ts';

const now = new Date('2026-03-01T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
const free: InvitingFacts = { isMember: false, open: undefined, openCount: 0 };
const openSince = (minutes: number, role: Role = 'member') => ({
  id: 'the-open-one',
  role,
  createdAt: minutesAgo(minutes),
});

function outcomeOf(actor: Role, role: Role, facts: Partial<InvitingFacts> = {}): string {
  const decision = decideInviting(actor, role, { ...free, ...facts }, now);
  return decision.ok ? decision.value.outcome : decision.reason;
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
  test.each([
    [4, 'keep'],
    [5, 'send'],
    [60, 'send'],
  ] as const)('whose email is %i minutes old: %s', (minutes, outcome) => {
    expect(outcomeOf('owner', 'member', { open: openSince(minutes) })).toBe(outcome);
  });

  test('that an owner invited as owner is not an admin’s to change', () => {
    expect(outcomeOf('admin', 'member', { open: openSince(60, 'owner') })).toBe('invited_above');
    expect(outcomeOf('owner', 'member', { open: openSince(60, 'owner') })).toBe('send');
  });

  test('is renewed though as many are open as may be', () => {
    expect(outcomeOf('owner', 'member', { open: openSince(60), openCount: 50 })).toBe('send');
  });

  test('is kept, however many are open, while its email is new', () => {
    expect(outcomeOf('owner', 'member', { open: openSince(1), openCount: 50 })).toBe('keep');
  });
});

test.each([
  [{ openCount: 49 }, 'send'],
  [{ openCount: 50 }, 'too_many_open'],
] as const)('with %j: %s', (facts, outcome) => {
  expect(outcomeOf('owner', 'member', facts)).toBe(outcome);
});
