import { expect, test } from 'vitest';
import { decideApproval, isPageAskedFor, malformedValue } from '../../src/oauth/core/authorization.ts';
import { identityScopes } from '../../src/oauth/core/scope.ts';
import { changesMore, rulesOf } from '../../src/oauth/own-scopes.ts';
import { buildClient, buildRequest, challenge } from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const team = { id: 3, slug: 'support', name: 'Support' };

const api = 'https://api.example';
const notes = 'https://notes.example/mcp';
const known = [api, notes] as const;
const client = buildClient('public');
const confidential = buildClient('confidential');
const strict = buildClient('confidential', { requiresPkce: true });
const scoped = buildClient('public', { scopes: ['BOOKING_WRITE', 'PROFILE_READ'] });

const withoutChallenge = { codeChallenge: undefined };
const required = 'code_challenge_required';
const mustBeS256 = 'code_challenge_method_must_be_S256';
const malformed = 'code_challenge_malformed';

test.each([
  ['a public client without code_challenge', client, withoutChallenge, required],
  ['a confidential client that requires PKCE, without code_challenge', strict, withoutChallenge, required],
  [
    'a method without code_challenge',
    confidential,
    { ...withoutChallenge, codeChallengeMethod: 'S256' },
    required,
  ],
  ['code_challenge_method plain', client, { codeChallengeMethod: 'plain' }, mustBeS256],
  ['code_challenge_method s256', client, { codeChallengeMethod: 's256' }, mustBeS256],
  ['code_challenge_method S512', confidential, { codeChallengeMethod: 'S512' }, mustBeS256],
  [
    'plain without code_challenge',
    confidential,
    { ...withoutChallenge, codeChallengeMethod: 'plain' },
    mustBeS256,
  ],
  ['a code_challenge of 42 characters', client, { codeChallenge: 'a'.repeat(42) }, malformed],
  ['a code_challenge of 44 characters', client, { codeChallenge: 'a'.repeat(44) }, malformed],
  ['a padded code_challenge', client, { codeChallenge: `${'a'.repeat(43)}=` }, malformed],
  ['a code_challenge in base64', confidential, { codeChallenge: `${'a'.repeat(42)}+` }, malformed],
  ['a code_challenge with a line feed', client, { codeChallenge: `${'a'.repeat(43)}\n` }, malformed],
  ['a value that is repeated or damaged', confidential, { scope: malformedValue }, 'parameter_malformed'],
  ['a dpop_jkt of 42 characters', client, { dpopJkt: 'a'.repeat(42) }, 'dpop_jkt_malformed'],
  ['response_type token', client, { responseType: 'token' }, 'unsupported_response_type'],
  ['response_type code token', client, { responseType: 'code token' }, 'unsupported_response_type'],
  ['response_type CODE', client, { responseType: 'CODE' }, 'unsupported_response_type'],
  ['an unknown scope', scoped, { scope: 'EVERYTHING' }, 'scope_not_registered'],
  ['a scope in another case', scoped, { scope: 'booking_read' }, 'scope_not_registered'],
  [
    'scopes none of which is registered',
    scoped,
    { scope: 'SCHEDULE_READ EVERYTHING' },
    'scope_not_registered',
  ],
  ['an unknown scope alone, of full access', client, { scope: 'EVERYTHING' }, 'scope_not_registered'],
  ['a team of others', client, { teamSlug: 'sales' }, 'team_not_found_or_no_access'],
  ['a team in another case', client, { teamSlug: 'Support' }, 'team_not_found_or_no_access'],
  ['a team by its id', client, { teamSlug: '3' }, 'team_not_found_or_no_access'],
] as const)('%s is refused (contract §3, RFC 7636 §4.4.1)', (_, asking, changes, reason) => {
  expect(decideApproval(asking, buildRequest(changes), [team], known, rulesOf(scopeNames))).toEqual({
    ok: false,
    reason,
  });
});

test.each([
  [
    'the missing challenge',
    { codeChallenge: undefined, codeChallengeMethod: 'plain', responseType: 'token' },
    required,
  ],
  ['the method', { codeChallenge: 'short', codeChallengeMethod: 'plain', responseType: 'token' }, mustBeS256],
  ['the challenge', { codeChallenge: 'short', responseType: 'token', scope: 'x' }, malformed],
  [
    'response_type',
    { responseType: 'token', scope: 'EVERYTHING', teamSlug: 'sales' },
    'unsupported_response_type',
  ],
  ['the scope', { scope: 'EVERYTHING', resource: 'https://evil.example' }, 'scope_not_registered'],
  ['the resource', { resource: 'https://evil.example', teamSlug: 'sales' }, 'resource_not_known'],
] as const)('of several faults the first is told, here %s (contract §3)', (_, changes, reason) => {
  expect(decideApproval(scoped, buildRequest(changes), [team], known, rulesOf(scopeNames))).toEqual({
    ok: false,
    reason,
  });
});

const shown = { codeChallenge: challenge, scopes: scopeNames, team: null, resources: null, dpopJkt: null };

test.each([
  ['a public client with a challenge', client, {}, {}],
  ['a method named S256', client, { codeChallengeMethod: 'S256' }, {}],
  ['a confidential client without a challenge', confidential, withoutChallenge, { codeChallenge: null }],
  ['a confidential client with a challenge', confidential, {}, {}],
  ['response_type code', client, { responseType: 'code' }, {}],
  ['no scope, which means all that is registered', scoped, {}, { scopes: scoped.scopes }],
  [
    'a narrower scope',
    scoped,
    { scope: 'BOOKING_READ,PROFILE_READ' },
    { scopes: ['BOOKING_READ', 'PROFILE_READ'] },
  ],
  [
    'of more scopes than are registered those that are',
    scoped,
    { scope: 'PROFILE_READ SCHEDULE_READ offline_access' },
    { scopes: ['PROFILE_READ'] },
  ],
  [
    'what OpenID Connect’s libraries send, as no scope',
    scoped,
    { scope: 'openid profile email' },
    { scopes: scoped.scopes },
  ],
  ['a scope of full access, and no more', client, { scope: 'PROFILE_READ' }, { scopes: ['PROFILE_READ'] }],
  ['another resource', client, { resource: notes }, { resources: [notes] }],
  ['a team of the user', client, { teamSlug: 'support' }, { team }],
] as const)('%s is shown to the user (contract §3)', (_, asking, changes, approval) => {
  expect(decideApproval(asking, buildRequest(changes), [team], known, rulesOf(scopeNames))).toEqual({
    ok: true,
    value: { ...shown, ...approval },
  });
});

test('a user without teams has access to none (contract §3)', () => {
  const approval = decideApproval(
    client,
    buildRequest({ teamSlug: 'support' }),
    [],
    known,
    rulesOf(scopeNames),
  );

  expect(approval).toEqual({ ok: false, reason: 'team_not_found_or_no_access' });
});

test.each([
  ['nothing', {}, false, false],
  ['prompt=none', { prompt: 'none' }, false, false],
  ['prompt=none and max_age', { prompt: 'none', maxAge: '0' }, false, false],
  ['prompt=login', { prompt: 'login' }, true, true],
  ['prompt=consent with max_age', { prompt: 'consent', maxAge: '60' }, true, true],
  // With openid, max_age asks for a recent sign-in instead (OpenID Connect Core, section 3.1.2.1).
  ['max_age', { maxAge: '60' }, true, false],
] as const)('%s asks for the page, without and with openid (contract §3)', (_, changes, plain, signIn) => {
  expect(isPageAskedFor(buildRequest(changes))).toBe(plain);
  expect(isPageAskedFor(buildRequest(changes), true)).toBe(signIn);
});

test.each([
  ['reading', ['BOOKING_READ'], [], false],
  ['who people are', ['openid', 'email'], [], false],
  ['a scope to write', ['BOOKING_READ', 'BOOKING_WRITE'], ['BOOKING_READ'], true],
  ['a scope to write that was approved', ['BOOKING_WRITE'], ['BOOKING_WRITE'], false],
  ['full access instead of one scope', scopeNames, ['BOOKING_WRITE'], true],
  ['full access instead of all that write', scopeNames, [...scopeNames, 'NOTES'], false],
  ['one scope of full access', ['BOOKING_WRITE'], scopeNames, false],
  ['a scope of another API', ['NOTES'], ['BOOKING_WRITE'], true],
] as const)('asking for %s changes more than what was approved: %j, %j, %s', (_, asked, held, more) => {
  expect(changesMore(asked, held, [...scopeNames, 'NOTES', ...identityScopes])).toBe(more);
});
