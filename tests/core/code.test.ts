import { expect, test } from 'vitest';
import type { Client } from '../../src/oauth/core/client.ts';
import { decideCode, issueCode, type PresentedCode, readCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import {
  buildClient,
  buildIssuedGrant,
  challenge,
  lifetimes,
  mac,
  noon,
  otherMac,
  secondsAfter,
  verifier,
  wordsOf,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const clients = { confidential: buildClient('confidential'), public: buildClient('public') } as const;
const redirectUri = 'https://app.example/cb';
const otherVerifier = 'another-verifier-of-the-right-length-0123456789';

async function present(
  client: Client,
  grant: Grant | undefined,
  presented: Partial<PresentedCode>,
  now = noon,
): Promise<string> {
  const proof = { redirectUri, codeVerifier: undefined, jkt: null, ...presented };
  return wordsOf(
    await decideCode({
      client,
      grant,
      ...proof,
      lifetimes,
      rules: rulesOf(scopeNames),
      hash: webCryptoHash,
      now,
    }),
  );
}

const swapped = {
  'another client': [
    buildClient('public', { id: 'another-client' }),
    redirectUri,
    verifier,
    'code_invalid_or_expired',
  ],
  'another registered redirect_uri': [
    buildClient('public', { redirectUris: [redirectUri, 'https://app.example/other'] }),
    'https://app.example/other',
    verifier,
    'redirect_uri_mismatch',
  ],
  'another spelling of redirect_uri': [clients.public, `${redirectUri}/`, verifier, 'redirect_uri_mismatch'],
  'another code_verifier': [clients.public, redirectUri, otherVerifier, 'pkce_verification_failed'],
} as const;

test.each(Object.entries(swapped))('a code is refused with %s (RFC 6749 §4.1.3)', async (_, row) => {
  const [client, presentedUri, codeVerifier, reason] = row;
  const grant = buildIssuedGrant(clients.public, { codeChallenge: challenge });

  const decision = await present(client, grant, { redirectUri: presentedUri, codeVerifier });

  expect(decision).toBe(`refuse: ${reason}`);
});

test.each([
  [['BOOKING_READ'], 'redeem'],
  [['SCHEDULE_READ'], 'refuse: scope_exceeds_grant'],
] as const)(
  'of a code for BOOKING_READ, with %j registered by now: %s (contract §6)',
  async (scopes, expected) => {
    const client = buildClient('confidential', { scopes });

    expect(await present(client, buildIssuedGrant(client, { scopes: ['BOOKING_READ'] }), {})).toBe(expected);
  },
);

test.each([
  [-5, 'redeem'],
  [0, 'redeem'],
  [59.999, 'redeem'],
  [60, 'refuse: code_invalid_or_expired'],
  [61, 'refuse: code_invalid_or_expired'],
])('%d s after it was issued, a code of 60 s: %s (RFC 6749 §4.1.2)', async (age, expected) => {
  const grant = buildIssuedGrant(clients.confidential);

  const decision = await present(clients.confidential, grant, {}, secondsAfter(noon, age));

  expect(decision).toBe(expected);
});

test('a code that speaks for no grant is refused as code_invalid_or_expired (contract §4)', async () => {
  expect(await present(clients.confidential, undefined, {})).toBe('refuse: code_invalid_or_expired');
});

test('a code of a revoked grant is refused as code_invalid_or_expired (contract §4)', async () => {
  const grant = buildIssuedGrant(clients.confidential, { revokedAt: noon });

  expect(await present(clients.confidential, grant, {})).toBe('refuse: code_invalid_or_expired');
});

const expired = secondsAfter(noon, 61);

test.each([
  [
    'no verifier from a public client before an unknown code',
    'public',
    {},
    noon,
    undefined,
    'code_verifier_required',
  ],
  [
    'no verifier for a challenge before an expired code',
    'confidential',
    {},
    expired,
    challenge,
    'code_verifier_required',
  ],
  [
    'an expired code before a wrong redirect_uri',
    'confidential',
    { redirectUri: 'https://app.example/x', codeVerifier: otherVerifier },
    expired,
    challenge,
    'code_invalid_or_expired',
  ],
  [
    'a wrong redirect_uri before a wrong verifier',
    'confidential',
    { redirectUri: 'https://app.example/x', codeVerifier: otherVerifier },
    noon,
    challenge,
    'redirect_uri_mismatch',
  ],
  [
    'a wrong verifier last',
    'confidential',
    { codeVerifier: otherVerifier },
    noon,
    challenge,
    'pkce_verification_failed',
  ],
] as const)(
  'of several faults the first is told: %s (contract §4)',
  async (_, type, presented, now, codeChallenge, reason) => {
    const client = clients[type];
    const grant = codeChallenge === undefined ? undefined : buildIssuedGrant(client, { codeChallenge });

    const decision = await present(client, grant, presented, now);

    expect(decision).toBe(`refuse: ${reason}`);
  },
);

test("another client's code does not tell whether a challenge was sent with it (contract §4)", async () => {
  const other = buildClient('confidential', { id: 'another-client' });
  const grant = buildIssuedGrant(other, { codeChallenge: challenge });

  expect(await present(clients.confidential, grant, {})).toBe('refuse: code_invalid_or_expired');
});

test('a code round-trips to generation 0 of its grant (architecture §2)', async () => {
  const { id } = buildIssuedGrant(clients.public);

  expect(await readCode(await issueCode(id, mac), mac)).toEqual({ grantId: id, generation: 0 });
});

test.each([
  [false, false, {}],
  [true, false, { isScopeAsked: true }],
  [false, true, { isForSignIn: true }],
  [true, true, { isScopeAsked: true, isForSignIn: true }],
] as const)(
  'a code says itself whether a scope was asked for (%s), and whether an ID token is to be issued (%s)',
  async (isScopeAsked, isForSignIn, said) => {
    const { id } = buildIssuedGrant(clients.public);
    const code = await issueCode(id, mac, { isScopeAsked, isForSignIn });

    expect(await readCode(code, mac)).toStrictEqual({ grantId: id, generation: 0, ...said });
  },
);

test('a refresh token is not a code, under either prefix (contract §4)', async () => {
  const { id: grantId } = buildIssuedGrant(clients.public);
  const refreshToken = await issueRefreshToken({ grantId, generation: 1 }, mac);

  expect(await readCode(refreshToken, mac)).toBeUndefined();
  expect(await readCode(refreshToken.replace('lkr_', 'lkc_'), mac)).toBeUndefined();
});

test('a code made under another root secret is not ours (contract §4)', async () => {
  const { id } = buildIssuedGrant(clients.public);

  expect(await readCode(await issueCode(id, otherMac), mac)).toBeUndefined();
});
