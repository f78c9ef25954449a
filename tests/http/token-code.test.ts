import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { openTestService, sharedService } from '../support/service.ts';
import { dead, grantsOf, issueCode, refusalOf, type TokenFields, usable, use } from '../support/tokens.ts';
import {
  addClient,
  clientFields,
  createPkce,
  type Pkce,
  requestToken,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();
const codeRefused = [400, 'invalid_grant', 'code_invalid_or_expired'] as const;
const doubleSubmitSeconds = 10;

async function exchange(fields: TokenFields): Promise<Tokens> {
  const answer = await requestToken(service, fields);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

describe.each(['confidential', 'public'] as const)('a code of a %s client', (type) => {
  const start = async () => {
    const client = await addClient(service, { type });
    const request = await issueCode(service, client, { pkce: createPkce() });
    return { client, request };
  };

  test('is good for one exchange, and a double submit changes nothing (contract §4, security C5)', async () => {
    const { client, request } = await start();
    const tokens = await exchange(request);
    service.clock.advance(doubleSubmitSeconds);

    const again = await requestToken(service, request);

    expect(refusalOf(again)).toEqual(codeRefused);
    expect(await use(service, client, tokens)).toEqual(usable);
  });

  test('that is used again after 10 s with everything right ends the grant (RFC 6749 §4.1.2, security C5)', async () => {
    const { client, request } = await start();
    const tokens = await exchange(request);
    service.clock.advance(doubleSubmitSeconds + 1);

    const replayed = await requestToken(service, request);

    expect(refusalOf(replayed)).toEqual(codeRefused);
    expect(await use(service, client, tokens)).toEqual(dead);
    expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: 'code_replay' }]);
  });

  test.each([
    ['another code_verifier', () => ({ code_verifier: createPkce().verifier })],
    ['another redirect_uri', () => ({ redirect_uri: 'https://app.example/elsewhere' })],
    ['another client', async () => clientFields(await addClient(service, { type }))],
    ['an unknown client', () => ({ client_id: 'unknown' })],
  ] as const)('that is replayed by %s ends nothing (contract §4, security C5)', async (_name, spoil) => {
    const { client, request } = await start();
    const tokens = await exchange(request);
    service.clock.advance(doubleSubmitSeconds + 1);

    const replayed = await requestToken(service, { ...request, ...(await spoil()) });

    expect(replayed.statusCode).toBeGreaterThanOrEqual(400);
    expect(await use(service, client, tokens)).toEqual(usable);
  });

  test.each([
    ['another code_verifier', () => ({ code_verifier: createPkce().verifier })],
    ['no code_verifier', () => ({ code_verifier: '' })],
    ['another redirect_uri', () => ({ redirect_uri: 'https://app.example/elsewhere' })],
    ['another client', async () => clientFields(await addClient(service, { type }))],
    ['an unknown client', () => ({ client_id: 'unknown' })],
    ['another grant_type', () => ({ grant_type: 'password' })],
  ] as const)('is not spent by a failed exchange with %s (contract §4)', async (_name, spoil) => {
    const { client, request } = await start();

    const failed = await requestToken(service, { ...request, ...(await spoil()) });
    const tokens = await requestToken(service, request);

    expect(failed.statusCode).toBeGreaterThanOrEqual(400);
    expect(tokens.statusCode).toBe(200);
    expect(await use(service, client, tokens.json())).toEqual(usable);
  });
});

describe('a code without a challenge', () => {
  const start = async () => {
    const client = await addClient(service);
    return { client, request: await issueCode(service, client) };
  };

  test.each([0, 1, doubleSubmitSeconds])(
    'that is used again %i s later with the right secret ends the grant: nothing else tells a thief apart (RFC 6749 §4.1.2, security C5)',
    async (seconds) => {
      const { client, request } = await start();
      const tokens = await exchange(request);
      service.clock.advance(seconds);

      const replayed = await requestToken(service, request);

      expect(refusalOf(replayed)).toEqual(codeRefused);
      expect(await use(service, client, tokens)).toEqual(dead);
      expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: 'code_replay' }]);
    },
  );
});

describe('a code lives', () => {
  test.each([
    [undefined, 60],
    ['1', 1],
    ['600', 600],
  ])('with CODE_TTL_SECONDS %s for %i seconds and not longer (contract §1)', async (variable, seconds) => {
    const tuned = await openTestService(variable === undefined ? {} : { CODE_TTL_SECONDS: variable });
    const client = await addClient(tuned);
    const early = await issueCode(tuned, client);
    const late = await issueCode(tuned, client);

    tuned.clock.advance(seconds - 0.001);
    const inTime = await requestToken(tuned, early);
    tuned.clock.advance(0.001);
    const tooLate = await requestToken(tuned, late);

    expect(inTime.statusCode).toBe(200);
    expect(refusalOf(tooLate)).toEqual(codeRefused);
  });
});

const failed = [400, 'invalid_grant', 'pkce_verification_failed'] as const;

const pkceOf = (verifier: string): Pkce => ({
  verifier,
  challenge: createHash('sha256').update(verifier).digest('base64url'),
});

test('a client that requires PKCE since its code was issued is refused without a verifier (RFC 9700 §4.8.2, security C8)', async () => {
  const client = await addClient(service, { type: 'confidential' });
  const request = await issueCode(service, client, {});
  await service.database.db.update(clients).set({ requiresPkce: true }).where(eq(clients.id, client.id));

  const answer = await requestToken(service, request);

  expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'code_verifier is required']);
});

describe('a verifier of 43 to 128 unreserved characters (RFC 7636 §4.1, security C9)', () => {
  test.each([
    ['42 characters', 'a'.repeat(42)],
    ['a line break at the end', `${'a'.repeat(43)}\n`],
  ])('is the only kind, even if its hash fits: not %s', async (_name, verifier) => {
    const client = await addClient(service, { type: 'public' });
    const request = await issueCode(service, client, { pkce: pkceOf(verifier) });

    const answer = await requestToken(service, request, { json: true });

    expect(refusalOf(answer)).toEqual(failed);
  });
});
