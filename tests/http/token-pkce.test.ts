import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { sharedService } from '../support/service.ts';
import { issueCode, refusalOf } from '../support/tokens.ts';
import { addClient, createPkce, type Pkce, requestToken } from '../support/world.ts';

const service = await sharedService();

const required = [400, 'invalid_request', 'code_verifier is required'] as const;
const failed = [400, 'invalid_grant', 'pkce_verification_failed'] as const;

const pkceOf = (verifier: string): Pkce => ({
  verifier,
  challenge: createHash('sha256').update(verifier).digest('base64url'),
});

const right = createPkce();
const wrong = createPkce();

describe('no PKCE downgrade (RFC 9700 §4.8.2, security C8)', () => {
  test.each([
    ['confidential', 'a challenge', 'no verifier', right, undefined, required],
    ['confidential', 'a challenge', 'an empty verifier', right, '', required],
    ['confidential', 'a challenge', 'a wrong verifier', right, wrong.verifier, failed],
    ['confidential', 'a challenge', 'the challenge as verifier', right, right.challenge, failed],
    ['confidential', 'no challenge', 'a verifier', undefined, right.verifier, failed],
    ['public', 'a challenge', 'no verifier', right, undefined, required],
    ['public', 'a challenge', 'an empty verifier', right, '', required],
    ['public', 'a challenge', 'a wrong verifier', right, wrong.verifier, failed],
    ['public', 'a challenge', 'the challenge as verifier', right, right.challenge, failed],
  ] as const)(
    'a %s client with %s and %s is refused',
    async (type, _sent, _shown, pkce, verifier, refusal) => {
      const client = await addClient(service, { type });
      const { code_verifier: _right, ...request } = await issueCode(
        service,
        client,
        pkce === undefined ? {} : { pkce },
      );

      const answer = await requestToken(service, {
        ...request,
        ...(verifier === undefined ? {} : { code_verifier: verifier }),
      });

      expect(refusalOf(answer)).toEqual(refusal);
    },
  );

  test('a client that requires PKCE since its code was issued is refused without a verifier', async () => {
    const client = await addClient(service, { type: 'confidential' });
    const request = await issueCode(service, client, {});
    await service.database.db.update(clients).set({ requiresPkce: true }).where(eq(clients.id, client.id));

    expect(refusalOf(await requestToken(service, request))).toEqual(required);
  });

  test.each([
    ['confidential', 'a challenge', 'its verifier', right, right.verifier],
    ['confidential', 'no challenge', 'no verifier', undefined, undefined],
    ['confidential', 'no challenge', 'an empty verifier', undefined, ''],
    ['public', 'a challenge', 'its verifier', right, right.verifier],
  ] as const)('a %s client with %s and %s gets tokens', async (type, _sent, _shown, pkce, verifier) => {
    const client = await addClient(service, { type });
    const { code_verifier: _right, ...request } = await issueCode(
      service,
      client,
      pkce === undefined ? {} : { pkce },
    );

    const answer = await requestToken(service, {
      ...request,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
    });

    expect(answer.statusCode).toBe(200);
  });

  test('a public client without a verifier hears of that, whatever its code is (contract §4)', async () => {
    const client = await addClient(service, { type: 'public' });
    const { code_verifier: _right, ...request } = await issueCode(service, client);

    const answer = await requestToken(service, { ...request, code: 'unknown' });

    expect(refusalOf(answer)).toEqual(required);
  });
});

describe('a verifier of 43 to 128 unreserved characters (RFC 7636 §4.1, security C9)', () => {
  const unreserved = 'ABCXYZabcxyz0189-._~';

  test.each([
    ['43 characters', 'a'.repeat(43)],
    ['128 characters', 'a'.repeat(128)],
    ['every kind of them', unreserved.repeat(3)],
  ])('is taken: %s', async (_name, verifier) => {
    const client = await addClient(service, { type: 'public' });
    const request = await issueCode(service, client, { pkce: pkceOf(verifier) });

    const answer = await requestToken(service, request);

    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['a plus', `${'a'.repeat(42)}+`],
    ['an equals sign', `${'a'.repeat(42)}=`],
    ['a slash', `${'a'.repeat(42)}/`],
    ['a blank', `${'a'.repeat(42)} `],
    ['a line break at the end', `${'a'.repeat(43)}\n`],
    ['a letter with a dot above', `${'a'.repeat(43)}ż`],
  ])('is the only kind, even if its hash fits: not %s', async (_name, verifier) => {
    const client = await addClient(service, { type: 'public' });
    const request = await issueCode(service, client, { pkce: pkceOf(verifier) });

    const answer = await requestToken(service, request, { json: true });

    expect(refusalOf(answer)).toEqual(failed);
  });
});
