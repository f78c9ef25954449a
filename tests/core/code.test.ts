import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/oauth/core/client.ts';
import * as core from '../../src/oauth/core/code.ts';
import {
  type CodeRefusal,
  decideCode,
  decideOvertaken,
  issueCode,
  readCode,
} from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type { GrantOfToken } from '../../src/oauth/core/grant.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import {
  buildActiveGrant,
  buildClient,
  buildIssuedGrant,
  challenge,
  challengeOf,
  lifetimes,
  mac,
  noon,
  otherMac,
  secondsAfter,
  verifier,
  wordsOf,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const redirectUri = 'https://app.example/cb';
const otherUri = 'https://app.example/other';
const clients = {
  confidential: buildClient('confidential', { redirectUris: [redirectUri, otherUri] }),
  'PKCE-requiring': buildClient('confidential', { requiresPkce: true }),
  public: buildClient('public'),
} as const;
const { confidential, public: publicClient } = clients;
const other = buildClient('confidential', { id: 'another-client' });
const otherVerifier = 'another-verifier-of-the-right-length-0123456789';

type Proof = Readonly<{ redirectUri?: string; codeVerifier?: string | undefined; jkt?: string }>;

/** What the code gives `seconds` after noon. */
const present = (client: Client, grant: GrantOfToken, proof: Proof, seconds = 0) =>
  decideCode({
    ...{ client, grant, redirectUri, codeVerifier: undefined, jkt: null, ...proof },
    ...{ lifetimes, rules: rulesOf(scopeNames), hash: webCryptoHash, now: secondsAfter(noon, seconds) },
  });
const tell = async (...presented: Parameters<typeof present>) => wordsOf(await present(...presented));

const open = buildIssuedGrant(confidential);
const sealed = buildIssuedGrant(confidential, { codeChallenge: challenge });
const ofPublic = buildIssuedGrant(publicClient, { codeChallenge: challenge });
const revoked = { revokedAt: noon, revocationReason: 'user' } as const;
const right = { codeVerifier: verifier };
const wrong = { codeVerifier: otherVerifier };

const requiring = clients['PKCE-requiring'];
const unsent = buildIssuedGrant(requiring);
const bound = { ...ofPublic, dpopJkt: 'key' };
const byUser = { kind: 'grant_revoked', by: 'user', secondsAgo: 5 } as const;
const differs = { kind: 'redirect_uri_differs', asked: redirectUri } as const;
const late = { kind: 'code_expired', secondsAgo: 1, lifetimeSeconds: 60 } as const;
const elsewhere = { ...wrong, redirectUri: otherUri };
const narrowed = { ...open, scopes: ['openid'] };

type Refused = [string, number, Client, GrantOfToken, Proof, CodeRefusal['cause']];
const refused: Readonly<Record<CodeRefusal['reason'], readonly Refused[]>> = {
  code_verifier_required: [
    ['of nothing', 0, publicClient, undefined, {}, { kind: 'verifier_missing' }],
    ['of a used code', 11, publicClient, { ...ofPublic, redeemedAt: noon }, {}, { kind: 'verifier_missing' }],
    ['of an expired code', 61, confidential, sealed, {}, { kind: 'verifier_missing' }],
    ['that its client has to send', 0, requiring, unsent, {}, { kind: 'verifier_missing' }],
  ],
  code_invalid_or_expired: [
    ['of nothing', 0, confidential, undefined, {}, { kind: 'token_unreadable' }],
    ['of a grant that is gone', 0, confidential, 'gone', {}, { kind: 'grant_gone' }],
    ["another client's", 0, other, sealed, {}, { kind: 'code_of_another_client' }],
    ['and used', 11, other, { ...sealed, redeemedAt: noon }, right, { kind: 'code_of_another_client' }],
    ['revoked', 5, confidential, { ...open, ...revoked }, {}, byUser],
    ['and used', 5, publicClient, { ...ofPublic, ...revoked, redeemedAt: noon }, right, byUser],
    ['too old, and sent elsewhere', 61, confidential, sealed, elsewhere, late],
  ],
  redirect_uri_mismatch: [
    ['and another verifier', 0, confidential, sealed, elsewhere, { ...differs, isRegistered: true }],
    [
      'by a slash',
      0,
      confidential,
      open,
      { redirectUri: `${redirectUri}/` },
      { ...differs, isRegistered: false },
    ],
  ],
  pkce_verification_failed: [
    [
      'and no key',
      0,
      confidential,
      { ...sealed, dpopJkt: 'key' },
      wrong,
      { kind: 'verifier_wrong', challenge },
    ],
    ['that was not asked for', 0, confidential, open, right, { kind: 'verifier_not_asked_for' }],
  ],
  dpop_key_mismatch: [
    ['without one', 0, publicClient, bound, right, { kind: 'dpop_key_mismatch', isPresented: false }],
    [
      'another',
      0,
      publicClient,
      bound,
      { ...right, jkt: 'x' },
      { kind: 'dpop_key_mismatch', isPresented: true },
    ],
  ],
  scope_exceeds_grant: [['by all', 0, confidential, narrowed, {}, { kind: 'registration_narrowed' }]],
};

describe.each(Object.entries(refused))(
  '%s, the first of its faults, and the cause says all of it (contract §4)',
  (reason, rows) => {
    test.each(rows)('%s, %d s after noon', async (_, seconds, client, grant, proof, cause) => {
      const refusal = { ok: false, reason, detail: cause.kind, cause };

      expect(await present(client, grant, proof, seconds)).toStrictEqual({ outcome: 'refuse', refusal });
    });
  },
);

test('of a code for BOOKING_READ, what is registered by now is given (contract §6)', async () => {
  const grant = buildIssuedGrant(confidential, { scopes: ['BOOKING_READ', 'PROFILE_READ'] });
  const client = { ...confidential, scopes: ['BOOKING_READ'] };

  expect(await present(client, grant, {})).toEqual({ outcome: 'redeem', grant, scopes: ['BOOKING_READ'] });
});

test.each([
  [-5, 'redeem'],
  [59.999, 'redeem'],
  [60, 'refuse: code_invalid_or_expired (code_expired)'],
])('%d s after it was issued, a code of 60 s: %s (RFC 6749 §4.1.2)', async (age, expected) => {
  expect(await tell(confidential, open, {}, age)).toBe(expected);
});

const used = 'refuse: code_invalid_or_expired (code_used)';
const revoking = 'replay: code_invalid_or_expired (code_used)';

test.each([
  [-1, used],
  [10, used],
  [10.001, revoking],
  [61, revoking],
  [364 * 86_400, revoking],
])(
  '%d s after the redemption, a proven replay: %s (RFC 6749 §4.1.2, contract §4)',
  async (seconds, expected) => {
    const grant = buildActiveGrant(publicClient, { codeChallenge: challenge, generation: 9 });

    expect(await tell(publicClient, grant, right, seconds)).toBe(expected);
    expect(await present(publicClient, grant, right, seconds)).toMatchObject({
      refusal: { cause: { secondsAgo: seconds, revokes: expected === revoking } },
    });
  },
);

test.each([-1, 0, 10, 11])(
  'a confidential client that sent no challenge proves a replay with secret and redirect_uri alone, %d s after the redemption (contract §4)',
  async (seconds) => {
    expect(await tell(confidential, buildActiveGrant(confidential), {}, seconds)).toBe(revoking);
  },
);

test('an exchange that another one overtook is a replay only without a challenge (contract §4)', () => {
  expect([open, sealed].map((grant) => wordsOf(decideOvertaken(grant)))).toEqual([revoking, used]);
});

test.each([
  ['wrong redirect_uri', challenge, { ...right, redirectUri: otherUri }],
  ['wrong code_verifier', challenge, wrong],
  ['malformed code_verifier', challenge, { codeVerifier: '' }],
  ['missing code_verifier', challenge, {}],
  ['code_verifier though no challenge was sent', null, right],
])('a replay with a %s changes nothing and learns nothing (contract §4)', async (_, codeChallenge, proof) => {
  expect(await tell(confidential, buildActiveGrant(confidential, { codeChallenge }), proof, 11)).toBe(used);
});

const verifiers = {
  no: undefined,
  'an empty': '',
  'the right': verifier,
  another: otherVerifier,
  'the challenge as': challenge,
} as const;
const [needed, failed] = [
  'code_verifier_required (verifier_missing)',
  'pkce_verification_failed (verifier_wrong)',
];
const unasked = 'pkce_verification_failed (verifier_not_asked_for)';

test.each([
  ['confidential', 'without', 'no', 'redeem'],
  ['confidential', 'without', 'the right', `refuse: ${unasked}`],
  ['confidential', 'without', 'an empty', `refuse: ${unasked}`],
  ['confidential', 'with', 'no', `refuse: ${needed}`],
  ['confidential', 'with', 'the right', 'redeem'],
  ['confidential', 'with', 'another', `refuse: ${failed}`],
  ['confidential', 'with', 'the challenge as', `refuse: ${failed}`],
  ['confidential', 'with', 'an empty', `refuse: ${failed}`],
  ['PKCE-requiring', 'without', 'no', `refuse: ${needed}`],
  ['PKCE-requiring', 'without', 'the right', `refuse: ${unasked}`],
  ['PKCE-requiring', 'with', 'the right', 'redeem'],
  ['public', 'without', 'no', `refuse: ${needed}`],
  ['public', 'without', 'the right', `refuse: ${unasked}`],
  ['public', 'with', 'no', `refuse: ${needed}`],
  ['public', 'with', 'the right', 'redeem'],
  ['public', 'with', 'another', `refuse: ${failed}`],
  ['public', 'with', 'the challenge as', `refuse: ${failed}`],
  ['public', 'with', 'an empty', `refuse: ${failed}`],
] as const)(
  'a %s client, %s code_challenge, %s code_verifier: %s (RFC 7636 §4.6, RFC 9700 §4.8.2)',
  async (type, sent, brought, expected) => {
    const grant = buildIssuedGrant(clients[type], { codeChallenge: sent === 'with' ? challenge : null });

    expect(await tell(clients[type], grant, { codeVerifier: verifiers[brought] })).toBe(expected);
  },
);

test.each([
  ['42 characters', false, 'a'.repeat(42)],
  ['43 characters', true, 'a'.repeat(43)],
  ['128 characters', true, 'a'.repeat(128)],
  ['129 characters', false, 'a'.repeat(129)],
  ['every unreserved character', true, `${'a'.repeat(39)}AZ09-._~`],
  ['a plus sign', false, `${'a'.repeat(43)}+`],
  ['padding', false, `${'a'.repeat(43)}=`],
  ['a slash', false, `${'a'.repeat(43)}/`],
  ['a blank', false, `${'a'.repeat(43)} `],
  ['a line feed at the end', false, `${'a'.repeat(43)}\n`],
  ['a letter beyond ASCII', false, `${'a'.repeat(43)}é`],
])(
  'a code_verifier with %s of which S256 gives the challenge is one: %s (RFC 7636 §4.1)',
  async (_, isOne, codeVerifier) => {
    const grant = buildIssuedGrant(publicClient, { codeChallenge: challengeOf(codeVerifier) });

    expect(await tell(publicClient, grant, { codeVerifier })).toBe(isOne ? 'redeem' : `refuse: ${failed}`);
  },
);

const unreserved = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~');

test('the challenge of every verifier is S256 of it (RFC 7636 §4.2)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: unreserved, minLength: 43, maxLength: 128 }), async (text) => {
      expect(await core.challengeOf(text, webCryptoHash)).toBe(challengeOf(text));
    }),
  );
});

test.each([
  ['43 base64url characters', true, challenge],
  ['underscores', true, '_'.repeat(43)],
  ['42 characters', false, 'a'.repeat(42)],
  ['44 characters', false, 'a'.repeat(44)],
  ['nothing', false, ''],
  ['padding', false, `${'a'.repeat(42)}=`],
  ['a plus sign', false, `${'a'.repeat(42)}+`],
  ['a slash', false, `${'a'.repeat(42)}/`],
  ['a dot, which only verifiers have', false, `${'a'.repeat(42)}.`],
  ['a line feed at the end', false, `${'a'.repeat(43)}\n`],
])('a code_challenge of %s can be one: %s (RFC 7636 §4.2)', (_, expected, text) => {
  expect(core.isCodeChallenge(text)).toBe(expected);
});

test.each([
  [false, false, {}],
  [true, false, { isScopeAsked: true }],
  [false, true, { isForSignIn: true }],
  [true, true, { isScopeAsked: true, isForSignIn: true }],
] as const)(
  'a code says itself whether a scope was asked for (%s), and whether an ID token is to be issued (%s)',
  async (isScopeAsked, isForSignIn, said) => {
    const code = await issueCode(open.id, mac, { isScopeAsked, isForSignIn });

    expect(await readCode(code, mac)).toStrictEqual({ grantId: open.id, generation: 0, ...said });
  },
);

test('a refresh token is not a code, under either prefix, nor is one of another root secret (contract §4)', async () => {
  const refreshToken = await issueRefreshToken({ grantId: open.id, generation: 1 }, mac);

  for (const text of [refreshToken, refreshToken.replace('lkr_', 'lkc_'), await issueCode(open.id, otherMac)])
    expect(await readCode(text, mac)).toBeUndefined();
});
