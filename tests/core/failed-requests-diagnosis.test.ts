import { expect, test } from 'vitest';
import { formatClientSecret } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import type { TokenRefusal } from '../../src/oauth/core/refusal.ts';
import { explain } from '../../src/oauth/failed-requests/causes.ts';
import { diagnose, type FailedRequest } from '../../src/oauth/failed-requests/diagnosis.ts';
import { refuse } from '../../src/result.ts';
import { challenge, noon, otherMac, verifier } from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

/** What the owner reads about a request with these fields that was refused for this cause. */
function sentenceOf(refusal: TokenRefusal, fields: FailedRequest['fields']): string {
  const failed = { requestId: 'ab', at: noon, refusal, fields, basic: undefined, query: {} };
  return explain(diagnose(failed, scopeNames), refusal.reason);
}

const asked = 'https://app.example/callback';

test.each([
  [`${asked} `, 'at character 29, we expected nothing more'],
  [
    `${asked}?code=lkc_x&state=y`,
    'at character 29, we expected nothing more after `…s://app.example/callback`',
  ],
  ['https://app.example/Callback', 'at character 21, we expected `callback` after'],
  ['https://app.example/\ud800', 'at character 21'],
  ['http://app.example/callback', 'at character 5, we expected `s://app.example/callback` after `http`'],
  ['x', 'at character 1, we expected `https://app.example/call`.'],
  ['', 'at character 1'],
])('redirect_uri=%s differs: %s', (sent, words) => {
  const cause = { kind: 'redirect_uri_differs', asked, isRegistered: false } as const;

  const sentence = sentenceOf({ ...refuse('redirect_uri_mismatch'), cause }, { redirect_uri: sent });

  expect(sentence).toContain(`\`redirect_uri\` differs: ${words}`);
});

const grantId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const code = await issueCode(grantId, otherMac);
const refreshToken = await issueRefreshToken({ grantId, generation: 1 }, otherMac);

test.each([
  ['a refresh token', 'code', refreshToken, 'it looks like a refresh token'],
  ['an access token', 'code', 'eyJhbGciOiJFUzI1NiJ9.e30.x', 'it looks like an access token'],
  ['a client secret', 'code', formatClientSecret(new Uint8Array(32)), 'it looks like a client secret'],
  ['a code that was cut off', 'code', code.slice(0, -1), 'the value looks truncated (73 of 74 characters)'],
  ['a code with more behind it', 'code', `${code}&state=x`, 'the value was changed'],
  ['a code of another environment', 'code', code, 'comes from another environment'],
  ['a code with a space', 'code', `${code} `, 'the value contains whitespace'],
  ['a percent-encoded code', 'code', 'lkc%5FAAAA', 'or percent-encoding'],
  ['a code in quotes', 'code', `"${code}"`, 'quotation marks'],
  ['something else', 'code', 'banana', 'the value isn’t one of ours'],
  ['a code', 'refresh_token', code, 'it looks like an authorization code'],
  ['a refresh token that was cut off', 'refresh_token', 'lkr_AAAA', 'the value looks truncated'],
  ['of another environment', 'refresh_token', refreshToken, 'comes from another environment'],
] as const)('%s as the %s: %s', (_name, field, value, words) => {
  const reason = field === 'code' ? 'code_invalid_or_expired' : 'invalid_refresh_token';
  const refusal = { ...refuse(reason), cause: { kind: 'token_unreadable' } } as const;

  expect(sentenceOf(refusal, { [field]: value })).toContain(words);
});

test.each([
  ['the challenge', challenge, challenge, 'is the `code_challenge` itself'],
  ['padded', `${verifier}=`, challenge, 'padded or plain base64'],
  ['base64', 'ab+cd/'.repeat(8), challenge, 'padded or plain base64'],
  ['base64 whose + was not encoded', 'ab cd/'.repeat(8), challenge, 'padded or plain base64'],
  ['with a space', `${verifier} `, challenge, 'must be 43 to 128'],
  ['encoded twice', `${verifier}%3D`, challenge, 'must be 43 to 128'],
  ['too short', 'short', challenge, '(5 characters) must be 43 to 128'],
  ['too long', 'x'.repeat(129), challenge, '(129 characters) must be 43 to 128'],
  ['with strange characters', `${'x'.repeat(43)}ü`, challenge, 'must be 43 to 128'],
  ['of another request', 'x'.repeat(43), challenge, 'doesn’t belong to this authorization request'],
])('a code_verifier, %s', (_name, presented, challengeSent, words) => {
  const cause = { kind: 'verifier_wrong', challenge: challengeSent } as const;

  const sentence = sentenceOf({ ...refuse('pkce_verification_failed'), cause }, { code_verifier: presented });

  expect(sentence).toContain(words);
});

const days = (count: number) => ({ lifetimeSeconds: count * 86_400 });
const used = { kind: 'code_used', secondsAgo: 3.2, revokes: true } as const;
const spent = {
  kind: 'refresh_token_spent',
  generationsAgo: 2,
  rotatedSecondsAgo: 300,
  retrySeconds: 86_400,
} as const;
const [ofCode, ofToken] = ['code_invalid_or_expired', 'invalid_refresh_token'] as const;

test.each<readonly [TokenRefusal['reason'], NonNullable<TokenRefusal['cause']>, RegExp]>([
  [
    ofCode,
    used,
    /used 3\.2 seconds earlier\. This looked like a replay, so we revoked its tokens\. .*code_challenge/,
  ],
  [
    ofCode,
    { kind: 'code_expired', secondsAgo: 5, lifetimeSeconds: 60 },
    /^The code expired 5 seconds earlier; codes last 60 seconds\. Exchange it as soon as/,
  ],
  [
    ofCode,
    { kind: 'code_of_another_client' },
    /^The code was issued to another client\. Exchange it with the client ID/,
  ],
  [ofCode, { kind: 'grant_gone' }, /^The access this code stood for is gone.* authorization page again/],
  [
    'redirect_uri_mismatch',
    { kind: 'redirect_uri_differs', asked, isRegistered: true },
    /It’s registered, but not the one of this authorization request/,
  ],
  ['code_verifier_required', { kind: 'verifier_missing' }, /had no `code_verifier`.* Keep it in the session/],
  [
    'pkce_verification_failed',
    { kind: 'verifier_not_asked_for' },
    /its authorization request had no `code_challenge`/,
  ],
  [
    ofToken,
    { ...spent, revokes: false },
    /replaced: 2 newer, the latest 5 minutes earlier\. The latest token still works\. .* one process refresh at a time/,
  ],
  [
    ofToken,
    { kind: 'grant_revoked', by: 'refresh_token_theft', secondsAgo: 5 },
    /revoked 5 seconds earlier, because an old refresh token.* one process refresh at a time/,
  ],
  [
    ofToken,
    { kind: 'grant_revoked', by: 'client', secondsAgo: 0 },
    /by your app, at the revocation endpoint.* authorization page again/,
  ],
  [
    ofToken,
    { kind: 'refresh_token_unused', ...days(30) },
    /wasn’t used for 30 days\..* refresh from time to time/,
  ],
  [
    ofToken,
    { kind: 'refresh_token_too_old', ...days(365) },
    /more than 365 days ago.* authorization page again/,
  ],
  [
    ofToken,
    { kind: 'registration_narrowed' },
    /^Nothing is left to give of what this user approved: an edit.* authorization page again/,
  ],
  [
    ofToken,
    { kind: 'refresh_token_of_another_client' },
    /^The refresh token was issued to another client\. Refresh with the client ID/,
  ],
])('%s for %j: its owner reads why (contract §4)', (reason, cause, says) => {
  expect(sentenceOf({ ...refuse(reason), cause }, { redirect_uri: `${asked}/x` })).toMatch(says);
});

test('a length of time is told as exactly as it helps', () => {
  const told = [0, 3.21, 65, 300, 7200, 200_000].map((secondsAgo) =>
    explain({ kind: 'secret_deleted', hint: 'abcd', secondsAgo }, 'invalid_client_credentials').replace(
      /.*deleted (.*?) earlier.*/,
      '$1',
    ),
  );

  expect(told).toEqual(['a moment', '3.2 seconds', '65 seconds', '5 minutes', '2 hours', '2 days']);
});
