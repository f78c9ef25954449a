import { expect, test } from 'vitest';
import {
  authenticateClient,
  type ClientWithSecrets,
  clientEventKinds,
  decideReview,
  decideSubmission,
  isOutcomeOf,
  isUsable,
  reviewDecisions,
  reviewStatuses,
} from '../../src/oauth/core/client.ts';
import { type Hash, webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { hashClientSecret } from '../../src/oauth/core/secret.ts';
import { buildClient } from '../support/core-builders.ts';

const hashes = await Promise.all(
  ['lks_one', 'lks_two'].map((secret) => hashClientSecret(secret, webCryptoHash)),
);
const secrets = hashes.map((hash, index) => ({ id: `secret-${index + 1}`, hash }));
const confidential: ClientWithSecrets = { ...buildClient('confidential'), secrets };
const publicClient: ClientWithSecrets = { ...buildClient('public'), secrets: [] };

function authenticate(
  client: ClientWithSecrets | undefined,
  clientSecret: string | undefined,
  hash = webCryptoHash,
) {
  return authenticateClient(client, { clientId: client?.id ?? 'unknown', clientSecret }, hash);
}

test.each([
  ['the first of two secrets', confidential, 'lks_one', 'secret-1'],
  ['the second of two secrets', confidential, 'lks_two', 'secret-2'],
  ['no secret, being public', publicClient, undefined, undefined],
  ['a secret, being public: it is ignored', publicClient, 'lks_anything', undefined],
  [
    'a secret that is stored, being public: it is ignored',
    { ...publicClient, secrets },
    'lks_one',
    undefined,
  ],
])(
  'a client with %s is authenticated, and it is told by which (contract §4)',
  async (_, client, secret, secretId) => {
    expect(await authenticate(client, secret)).toEqual({ ok: true, value: { client, secretId } });
  },
);

const withoutSecrets: ClientWithSecrets = { ...confidential, secrets: [] };

test.each([
  ['client_not_found', 'unknown', undefined, undefined],
  ['client_not_found', 'unknown, with a secret', undefined, 'lks_one'],
  ['invalid_client_credentials', 'without secret', confidential, undefined],
  ['invalid_client_credentials', 'with an empty secret', confidential, ''],
  ['invalid_client_credentials', 'with a wrong secret', confidential, 'lks_three'],
  ['invalid_client_credentials', 'with its secret in another case', confidential, 'LKS_ONE'],
  ['invalid_client_credentials', 'with its secret and a blank', confidential, 'lks_one '],
  ['invalid_client_credentials', 'with the start of its secret', confidential, 'lks_on'],
  [
    'invalid_client_credentials',
    'with the stored hash',
    confidential,
    Buffer.from(hashes[0] ?? []).toString('base64url'),
  ],
  ['invalid_client_credentials', 'of which no secret lives', withoutSecrets, 'lks_one'],
  ['invalid_client_credentials', 'of which no secret lives, and none sent', withoutSecrets, undefined],
  ['client_not_accepted', 'pending', { ...confidential, status: 'pending' }, 'lks_one'],
  ['client_not_accepted', 'rejected', { ...confidential, status: 'rejected' }, 'lks_one'],
  ['client_not_accepted', 'public and pending', { ...publicClient, status: 'pending' }, undefined],
  ['client_not_accepted', 'public and rejected', { ...publicClient, status: 'rejected' }, undefined],
  [
    'invalid_client_credentials',
    'pending, with a wrong secret',
    { ...confidential, status: 'pending' },
    'lks_x',
  ],
] satisfies readonly (readonly [string, string, ClientWithSecrets | undefined, string | undefined])[])(
  '%s: a client that is %s is refused, in the order of contract §4',
  async (reason, _, client, secret) => {
    expect(await authenticate(client, secret)).toMatchObject({ ok: false, reason });
  },
);

test('an unknown client costs the same hashing as a known one, right or wrong (contract §4, timing)', async () => {
  const work: number[] = [];
  const attempts = [
    [undefined, undefined],
    [undefined, 'lks_one'],
    [confidential, 'lks_one'],
    [confidential, 'lks_three'],
    [confidential, undefined],
    [withoutSecrets, 'lks_one'],
    [publicClient, undefined],
  ] as const;

  for (const [client, secret] of attempts) {
    let hashed = 0;
    const counting: Hash = {
      sha256(data) {
        hashed += 1;
        return webCryptoHash.sha256(data);
      },
    };
    await authenticate(client, secret, counting);
    work.push(hashed);
  }

  expect(work).toEqual(attempts.map(() => 1));
});

test('of the review statuses only accepted may be used (contract §2)', () => {
  expect(reviewStatuses.filter((status) => isUsable({ status }))).toEqual(['accepted']);
});

const refused = { ok: false, reason: 'already_reviewed' } as const;

test.each([
  ['pending', undefined, 'accept', { ok: true, value: 'accepted' }],
  ['pending', undefined, 'reject', { ok: true, value: 'rejected' }],
  ['pending', undefined, 'suspend', refused],
  ['accepted', undefined, 'accept', refused],
  ['accepted', undefined, 'reject', refused],
  ['accepted', undefined, 'suspend', { ok: true, value: 'suspended' }],
  ['accepted', 'pending', 'accept', { ok: true, value: 'edit_accepted' }],
  ['accepted', 'pending', 'reject', { ok: true, value: 'edit_rejected' }],
  ['accepted', 'pending', 'suspend', { ok: true, value: 'suspended' }],
  ['accepted', 'rejected', 'accept', refused],
  ['accepted', 'rejected', 'reject', refused],
  ['accepted', 'rejected', 'suspend', { ok: true, value: 'suspended' }],
  ['rejected', undefined, 'accept', refused],
  ['rejected', undefined, 'reject', refused],
  ['rejected', undefined, 'suspend', refused],
  ['rejected', 'pending', 'accept', refused],
  ['rejected', 'pending', 'reject', refused],
] as const)(
  'a client that is %s with an edit that is %s, and an admin who means to %s: %j (contract §2)',
  (status, editStatus, decision, expected) => {
    expect(decideReview({ status, editStatus, revision: 3 }, decision, 3)).toMatchObject(expected);
  },
);

test.each(
  reviewStatuses.flatMap((status) =>
    reviewDecisions.flatMap((decision) => [
      [status, decision, 2] as const,
      [status, decision, 4] as const,
      [status, decision, Number.NaN] as const,
    ]),
  ),
)(
  'nothing is decided about values that the reviewer did not see: %s, %s at revision %d of 3 (contract §2)',
  (status, decision, seen) => {
    expect(decideReview({ status, editStatus: 'pending', revision: 3 }, decision, seen)).toMatchObject({
      ok: false,
      reason: 'changed_meanwhile',
    });
  },
);

test('each decision knows its outcomes, and nothing else of a history (contract §2)', () => {
  const known = reviewDecisions.map((decision) =>
    clientEventKinds.filter((kind) => isOutcomeOf(decision, kind)),
  );

  expect(known).toEqual([['accepted', 'edit_accepted'], ['rejected', 'edit_rejected'], ['suspended']]);
});

test.each([
  ['pending', 'changed'],
  ['rejected', 'resubmitted'],
  ['accepted', 'edit_submitted'],
] as const)("an owner's new values for a %s client: %s (contract §2)", (status, submission) => {
  expect(decideSubmission(status)).toBe(submission);
});
