import { expect, test } from 'vitest';
import {
  authenticate,
  type ClientWithSecrets,
  hashClientSecret,
  isUsable,
  reviewStatuses,
} from '../../src/oauth/core/client.ts';
import { type Hash, webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { buildClient } from '../support/core-builders.ts';

const hashes = await Promise.all(
  ['lks_one', 'lks_two'].map((secret) => hashClientSecret(secret, webCryptoHash)),
);
const secrets = hashes.map((hash, index) => ({ id: `secret-${index + 1}`, hash }));
const confidential: ClientWithSecrets = { ...buildClient('confidential'), secrets };
const publicClient: ClientWithSecrets = { ...buildClient('public'), secrets: [] };

async function present(
  client: ClientWithSecrets | undefined,
  clientSecret: string | undefined,
  hash = webCryptoHash,
) {
  const noted: string[] = [];
  const noteSecretUse = (id: string) => void noted.push(id);
  const presented = { clientId: client?.id ?? 'unknown', clientSecret };
  return { answer: await authenticate({ hash, noteSecretUse }, client, presented), noted };
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
    const noted = secretId === undefined ? [] : [secretId];

    expect(await present(client, secret)).toEqual({ answer: { ok: true, value: client }, noted });
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
    expect(await present(client, secret)).toMatchObject({ answer: { ok: false, reason }, noted: [] });
  },
);

const credentials = { ok: false, reason: 'invalid_client_credentials' };
const tooMany = { ok: false, reason: 'too_many_requests', detail: 'too many wrong secrets for this client' };
const notAccepted = { ok: false, reason: 'client_not_accepted', detail: 'the client is pending' };
const pending: ClientWithSecrets = { ...confidential, status: 'pending' };
const wrong = { kind: 'secret_wrong', hash: await hashClientSecret('lks_three', webCryptoHash) };

test.each([
  ['no secret', confidential, undefined, { ...credentials, cause: { kind: 'secret_missing' } }, true],
  ['a wrong one', confidential, 'lks_three', { ...credentials, cause: wrong }, true],
  [
    'the right one',
    pending,
    'lks_one',
    { ...notAccepted, cause: { kind: 'client_not_accepted', status: 'pending' } },
    false,
  ],
  [
    'none, where public clients may not',
    publicClient,
    undefined,
    { ...credentials, detail: 'a public client' },
    true,
  ],
] as const)(
  '%s: the cause says why, and whoever proves the client is told it in any flood (contract §4, security C41)',
  async (_, client, clientSecret, refusal, isCounted) => {
    const counted: string[] = [];
    const flooded = (isAllowed: boolean) => {
      const allows = (id: string) => counted.push(id) > 0 && isAllowed;
      const presented = { clientId: client.id, clientSecret };
      return authenticate({ hash: webCryptoHash, failures: { allows } }, client, presented, {
        mayBePublic: false,
      });
    };

    expect(await flooded(true)).toStrictEqual(refusal);
    expect(await flooded(false)).toStrictEqual(isCounted ? tooMany : refusal);
    expect(counted).toEqual(isCounted ? [client.id, client.id] : []);
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
    await present(client, secret, counting);
    work.push(hashed);
  }

  expect(work).toEqual(attempts.map(() => 1));
});

test('of the review statuses only accepted may be used (contract §2)', () => {
  expect(reviewStatuses.filter((status) => isUsable({ status }))).toEqual(['accepted']);
});
