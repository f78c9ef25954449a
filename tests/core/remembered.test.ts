import { describe, expect, test } from 'vitest';
import type { Approval } from '../../src/oauth/core/authorization.ts';
import { covers, decideRemembered, mayBeRemembered } from '../../src/oauth/core/remembered.ts';
import { ownMeaning } from '../../src/oauth/own-scopes.ts';
import { buildClient } from '../support/core-builders.ts';

const support = { id: 3, slug: 'support', name: 'Support' };
const sales = { id: 4, slug: 'sales', name: 'Sales' };
const teams = [support, sales];
const client = buildClient('confidential');
const redirectUri = 'https://app.example/callback';
const free: Approval & { readonly redirectUri: string } = {
  codeChallenge: null,
  dpopJkt: null,
  scopes: ['PROFILE_READ'],
  resources: null,
  team: null,
  redirectUri,
};
const forSupport = { ...free, team: support };
const scopes = ['PROFILE_READ', 'BOOKING_WRITE'] as const;
const own = { teamId: null, scopes, redirectUri };
const ofSupport = { teamId: support.id, scopes, redirectUri };

test.each([
  ['their own account is remembered and no team is asked for', free, own, null],
  ['a team is remembered and no team is asked for', free, ofSupport, support],
  ['the remembered team is asked for', forSupport, ofSupport, support],
] as const)('nobody is asked again when %s (contract §3)', (_, approval, remembered, account) => {
  expect(decideRemembered(client, approval, teams, remembered, ownMeaning)).toEqual({
    ok: true,
    value: account,
  });
});

const rejected = buildClient('confidential', { status: 'rejected' });
const ofSales = { ...own, teamId: sales.id };

test.each([
  ['nothing is remembered', client, free, undefined, 'nothing_remembered'],
  ['the client is public (RFC 8252 §8.6)', buildClient('public'), free, own, 'not_rememberable'],
  ['the client is not accepted any more', rejected, free, own, 'not_rememberable'],
  ['a team is asked for, and their own account remembered', client, forSupport, own, 'another_account'],
  ['another team is asked for than is remembered', client, forSupport, ofSales, 'another_account'],
  [
    'the answer goes to another address of the app than they were shown (RFC 6749 §10.6)',
    client,
    { ...free, redirectUri: 'http://localhost:1337/dev' },
    own,
    'another_destination',
  ],
  [
    'it is asked for another resource (RFC 8707)',
    client,
    { ...free, resources: ['https://notes.example'] },
    own,
    'not_rememberable',
  ],
  [
    'more is asked for than is remembered',
    client,
    { ...free, scopes: ['PROFILE_READ', 'SCHEDULE_READ'] },
    own,
    'other_access',
  ],
  ['they do not manage the remembered team any more', client, free, { ...own, teamId: 5 }, 'team_lost'],
] as const)('a user is asked when %s (contract §3)', (_, asking, approval, remembered, reason) => {
  expect(decideRemembered(asking, approval, teams, remembered, ownMeaning)).toEqual({ ok: false, reason });
});

describe('what was allowed before', () => {
  test.each([
    ['the same scopes', ['BOOKING_READ'], ['BOOKING_READ'], true],
    ['fewer scopes', ['BOOKING_READ', 'PROFILE_READ'], ['PROFILE_READ'], true],
    ['READ within WRITE', ['BOOKING_WRITE'], ['BOOKING_READ'], true],
    ['no scope at all', ['BOOKING_WRITE'], [], true],
    ['WRITE where READ was allowed', ['BOOKING_READ'], ['BOOKING_WRITE'], false],
    ['one scope more', ['PROFILE_READ'], ['PROFILE_READ', 'BOOKING_READ'], false],
    ['another scope', ['PROFILE_READ'], ['BOOKING_READ'], false],
  ] as const)('and %s is asked for (contract §6)', (_, allowed, asked, isCovered) => {
    expect(covers(allowed, asked, ownMeaning)).toBe(isCovered);
  });
});

test.each([
  ['confidential', 'accepted', true],
  ['confidential', 'rejected', false],
  ['confidential', 'pending', false],
  ['public', 'accepted', false],
] as const)('whether a %s client that is %s may be remembered: %s', (type, status, mayBe) => {
  expect(mayBeRemembered(buildClient(type, { status }), free)).toBe(mayBe);
});
