import { expect, test } from 'vitest';
import type { Client } from '../../src/oauth/core/client.ts';
import { decideCode, decideOvertaken } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import {
  buildActiveGrant,
  buildClient,
  buildIssuedGrant,
  challenge,
  lifetimes,
  noon,
  secondsAfter,
  verifier,
  wordsOf,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const confidential = buildClient('confidential');
const publicClient = buildClient('public');
const redirectUri = 'https://app.example/cb';
const right = { redirectUri, codeVerifier: verifier };
const unchallenged = { redirectUri, codeVerifier: undefined };

/** What a used code gives `seconds` after it was redeemed at noon. */
async function replay(
  client: Client,
  grant: Grant,
  proof: typeof right | typeof unchallenged,
  seconds: number,
) {
  const presented = { client, grant, ...proof, jkt: null };
  const now = secondsAfter(noon, seconds);
  return wordsOf(
    await decideCode({ ...presented, lifetimes, rules: rulesOf(scopeNames), hash: webCryptoHash, now }),
  );
}

const used = 'refuse: code_invalid_or_expired';
const revoking = 'replay: code_invalid_or_expired';

test.each([
  [-1, used],
  [0, used],
  [10, used],
  [10.001, revoking],
  [11, revoking],
  [61, revoking],
  [364 * 86_400, revoking],
])(
  '%d s after the redemption, a proven replay: %s (RFC 6749 §4.1.2, contract §4)',
  async (seconds, expected) => {
    const grant = buildActiveGrant(publicClient, { codeChallenge: challenge });

    const decision = await replay(publicClient, grant, right, seconds);

    expect(decision).toBe(expected);
  },
);

test.each([-1, 0, 1, 10, 11])(
  'a confidential client that sent no challenge proves a replay with secret and redirect_uri alone, %d s after the redemption (contract §4)',
  async (seconds) => {
    const grant = buildActiveGrant(confidential);

    expect(await replay(confidential, grant, unchallenged, seconds)).toBe(revoking);
  },
);

test('an exchange that another one overtook is a replay only without a challenge (contract §4)', () => {
  expect(wordsOf(decideOvertaken(buildIssuedGrant(confidential)))).toBe(revoking);
  expect(wordsOf(decideOvertaken(buildIssuedGrant(confidential, { codeChallenge: challenge })))).toBe(used);
});

test('a replay revokes however often the grant was refreshed meanwhile (RFC 6749 §4.1.2)', async () => {
  const grant = buildActiveGrant(publicClient, {
    codeChallenge: challenge,
    generation: 9,
    rotatedAt: secondsAfter(noon, 3600),
  });

  expect(await replay(publicClient, grant, right, 3601)).toBe(revoking);
});

test.each([
  ['wrong redirect_uri', challenge, { redirectUri: 'https://app.example/other', codeVerifier: verifier }],
  ['wrong code_verifier', challenge, { redirectUri, codeVerifier: 'x'.repeat(43) }],
  ['malformed code_verifier', challenge, { redirectUri, codeVerifier: '' }],
  ['missing code_verifier', challenge, { redirectUri, codeVerifier: undefined }],
  ['code_verifier though no challenge was sent', null, { redirectUri, codeVerifier: verifier }],
] as const)(
  'a replay with a %s changes nothing and learns nothing (contract §4)',
  async (_, codeChallenge, proof) => {
    const grant = buildActiveGrant(confidential, { codeChallenge });

    expect(await replay(confidential, grant, proof, 11)).toBe(used);
  },
);

test("another client's replay changes nothing, even with everything else right (contract §4)", async () => {
  const grant = buildActiveGrant(publicClient, { codeChallenge: challenge });
  const other = buildClient('public', { id: 'another-client' });

  expect(await replay(other, grant, right, 11)).toBe(used);
});

test('a public client without code_verifier is told the same of a used code as of a fresh one (contract §4)', async () => {
  const grant = buildActiveGrant(publicClient, { codeChallenge: challenge });
  const fresh = { ...grant, generation: 0, redeemedAt: null, rotatedAt: null };

  const decision = await replay(publicClient, grant, unchallenged, 11);

  expect(decision).toBe('refuse: code_verifier_required');
  expect(decision).toBe(await replay(publicClient, fresh, unchallenged, 11));
});

test('a proven replay on a grant that was revoked already revokes nothing again (contract §4)', async () => {
  const grant = buildActiveGrant(publicClient, { codeChallenge: challenge, revokedAt: noon });

  expect(await replay(publicClient, grant, right, 11)).toBe(used);
});
