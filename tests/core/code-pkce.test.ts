import { expect, test } from 'vitest';
import type { Client } from '../../src/oauth/core/client.ts';
import { decideCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import {
  buildClient,
  buildIssuedGrant,
  challenge,
  challengeOf,
  lifetimes,
  noon,
  verifier,
  wordsOf,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const clients = {
  confidential: buildClient('confidential'),
  'PKCE-requiring': buildClient('confidential', { requiresPkce: true }),
  public: buildClient('public'),
} as const;
const otherVerifier = 'another-verifier-of-the-right-length-0123456789';

async function present(client: Client, grant: Grant, codeVerifier: string | undefined): Promise<string> {
  const presented = { client, grant, redirectUri: grant.redirectUri, codeVerifier, jkt: null };
  return wordsOf(
    await decideCode({ ...presented, lifetimes, rules: rulesOf(scopeNames), hash: webCryptoHash, now: noon }),
  );
}

const verifiers = {
  no: undefined,
  'an empty': '',
  'the right': verifier,
  another: otherVerifier,
  'the challenge as': challenge,
} as const;

test.each([
  ['confidential', 'without', 'no', 'redeem'],
  ['confidential', 'without', 'the right', 'refuse: pkce_verification_failed'],
  ['confidential', 'without', 'an empty', 'refuse: pkce_verification_failed'],
  ['confidential', 'with', 'no', 'refuse: code_verifier_required'],
  ['confidential', 'with', 'the right', 'redeem'],
  ['confidential', 'with', 'another', 'refuse: pkce_verification_failed'],
  ['confidential', 'with', 'the challenge as', 'refuse: pkce_verification_failed'],
  ['confidential', 'with', 'an empty', 'refuse: pkce_verification_failed'],
  ['PKCE-requiring', 'without', 'no', 'refuse: code_verifier_required'],
  ['PKCE-requiring', 'without', 'the right', 'refuse: pkce_verification_failed'],
  ['PKCE-requiring', 'with', 'the right', 'redeem'],
  ['public', 'without', 'no', 'refuse: code_verifier_required'],
  ['public', 'without', 'the right', 'refuse: pkce_verification_failed'],
  ['public', 'with', 'no', 'refuse: code_verifier_required'],
  ['public', 'with', 'the right', 'redeem'],
  ['public', 'with', 'another', 'refuse: pkce_verification_failed'],
  ['public', 'with', 'the challenge as', 'refuse: pkce_verification_failed'],
  ['public', 'with', 'an empty', 'refuse: pkce_verification_failed'],
] as const)(
  'a %s client, %s code_challenge, %s code_verifier: %s (RFC 7636 §4.6, RFC 9700 §4.8.2)',
  async (type, sent, brought, expected) => {
    const grant = buildIssuedGrant(clients[type], { codeChallenge: sent === 'with' ? challenge : null });

    const decision = await present(clients[type], grant, verifiers[brought]);

    expect(decision).toBe(expected);
  },
);

test.each([
  ['42 characters', 'refuse: pkce_verification_failed', 'a'.repeat(42)],
  ['43 characters', 'redeem', 'a'.repeat(43)],
  ['128 characters', 'redeem', 'a'.repeat(128)],
  ['129 characters', 'refuse: pkce_verification_failed', 'a'.repeat(129)],
  ['every unreserved character', 'redeem', `${'a'.repeat(39)}AZ09-._~`],
  ['a plus sign', 'refuse: pkce_verification_failed', `${'a'.repeat(43)}+`],
  ['padding', 'refuse: pkce_verification_failed', `${'a'.repeat(43)}=`],
  ['a slash', 'refuse: pkce_verification_failed', `${'a'.repeat(43)}/`],
  ['a blank', 'refuse: pkce_verification_failed', `${'a'.repeat(43)} `],
  ['a line feed at the end', 'refuse: pkce_verification_failed', `${'a'.repeat(43)}\n`],
  ['a letter beyond ASCII', 'refuse: pkce_verification_failed', `${'a'.repeat(43)}é`],
])(
  'a code_verifier with %s of which S256 gives the challenge: %s (RFC 7636 §4.1)',
  async (_, expected, codeVerifier) => {
    const grant = buildIssuedGrant(clients.public, { codeChallenge: challengeOf(codeVerifier) });

    const decision = await present(clients.public, grant, codeVerifier);

    expect(decision).toBe(expected);
  },
);
