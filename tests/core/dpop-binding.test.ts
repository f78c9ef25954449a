import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { decideCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { decideRefresh } from '../../src/oauth/core/refresh.ts';
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

const rules = { lifetimes, rules: rulesOf(scopeNames), now: noon };

const [own, another] = ['the own key', 'another key'];

describe.each(['public', 'confidential'] as const)('a code of a %s client', (type) => {
  const client = buildClient(type);
  const exchange = (bound: string | null, jkt: string | null, redeemedSecondsAgo?: number) => {
    const redeemed =
      redeemedSecondsAgo === undefined ? {} : { redeemedAt: secondsAfter(noon, -redeemedSecondsAgo) };
    const grant = buildIssuedGrant(client, { codeChallenge: challenge, dpopJkt: bound, ...redeemed });
    const presented = { client, grant, redirectUri: grant.redirectUri, codeVerifier: verifier, jkt };
    return decideCode({ ...presented, ...rules, hash: webCryptoHash, now: noon });
  };

  test.each([
    [null, null, 'redeem'],
    [null, own, 'redeem'],
    [own, own, 'redeem'],
    [own, null, 'refuse: dpop_key_mismatch (dpop_key_mismatch)'],
    [own, another, 'refuse: dpop_key_mismatch (dpop_key_mismatch)'],
  ])('bound to %s and exchanged with %s: %s (RFC 9449 §10)', async (bound, jkt, words) => {
    expect(wordsOf(await exchange(bound, jkt))).toBe(words);
  });

  test('that was used, and comes again with all but the key, ends the grant: a thief may have bound it (contract §4)', async () => {
    expect(wordsOf(await exchange(another, own, 11))).toBe('replay: code_invalid_or_expired (code_used)');
  });
});

describe('a refresh token', () => {
  const refresh = (
    type: ClientType,
    generation: number,
    bound: string | null,
    jkt: string | null,
    rotatedSecondsAgo = 30,
  ) => {
    const client = buildClient(type);
    const rotatedAt = secondsAfter(noon, -rotatedSecondsAgo);
    const grant = buildActiveGrant(client, { generation: 5, rotatedAt, dpopJkt: bound });
    return wordsOf(decideRefresh({ client, grant, generation, scope: undefined, jkt, ...rules }));
  };

  test.each([
    ['the newest, unbound, without a proof', 5, null, null, 'rotate to 6'],
    ['the newest, unbound, with a proof', 5, null, own, 'rotate to 6'],
    ['the newest, with its key', 5, own, own, 'rotate to 6'],
    ['the newest, without a proof', 5, own, null, 'refuse: dpop_key_mismatch (dpop_key_mismatch)'],
    ['the newest, with another key', 5, own, another, 'refuse: dpop_key_mismatch (dpop_key_mismatch)'],
    ['one ahead, with another key', 6, own, another, 'refuse: dpop_key_mismatch (dpop_key_mismatch)'],
    ['the one before, with its key', 4, own, own, 'repeat to 5'],
    ['the one before, without a proof', 4, own, null, 'theft: invalid_refresh_token (refresh_token_spent)'],
    [
      'the one before, with another key',
      4,
      own,
      another,
      'theft: invalid_refresh_token (refresh_token_spent)',
    ],
    ['a spent one, with its key', 3, own, own, 'theft: invalid_refresh_token (refresh_token_spent)'],
    ['a spent one, without a proof', 3, own, null, 'theft: invalid_refresh_token (refresh_token_spent)'],
  ])('of a public client: %s (RFC 9449 §5, ADR 14)', (_name, generation, bound, jkt, words) => {
    expect(refresh('public', generation, bound, jkt)).toBe(words);
  });

  test.each([
    ['the newest, without a proof', 5, null, 'rotate to 6'],
    ['the newest, with another key', 5, another, 'rotate to 6'],
    ['the one before, with another key', 4, another, 'repeat to 5'],
  ])(
    'of a confidential client is bound to its secret, not to a key: %s (RFC 9449 §5)',
    (_name, generation, jkt, words) => {
      expect(refresh('confidential', generation, own, jkt)).toBe(words);
    },
  );

  test('whose scope is too wide is first asked for its key (contract §4)', () => {
    const client = buildClient('public', { scopes: ['BOOKING_READ'] });
    const grant = buildActiveGrant(client, { generation: 5, dpopJkt: own });

    const presented = { client, grant, generation: 5, scope: 'SCHEDULE_READ', jkt: another };
    expect(wordsOf(decideRefresh({ ...presented, ...rules }))).toBe(
      'refuse: dpop_key_mismatch (dpop_key_mismatch)',
    );
  });
});

test('a caller that forgets the proof of possession does not compile (RFC 9449 §5)', () => {
  const client = buildClient('public');
  const grant = buildActiveGrant(client, { dpopJkt: own });
  const refresh = { client, grant, generation: grant.generation, scope: undefined, ...rules };
  const exchange = { client, grant, redirectUri: grant.redirectUri, codeVerifier: verifier, ...rules };

  // @ts-expect-error: jkt is missing
  const withoutProof: Parameters<typeof decideRefresh> = [refresh];
  // @ts-expect-error: jkt is missing
  const codeWithoutProof: Parameters<typeof decideCode> = [{ ...exchange, hash: webCryptoHash }];

  expect([...withoutProof, ...codeWithoutProof]).toHaveLength(2);
});
