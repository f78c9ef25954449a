import { describe, expect, test } from 'vitest';
import { openTestService, sharedService } from '../support/service.ts';
import { dead, grantsOf, issueCode, refusalOf, type TokenFields, usable, use } from '../support/tokens.ts';
import { addClient, clientFields, createPkce, requestToken, type Tokens } from '../support/world.ts';

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
