import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { openTestService, sharedService, type TestService } from '../support/service.ts';
import {
  dead,
  grantsOf,
  issueTokens,
  refreshFields,
  refusalOf,
  rotate,
  usable,
  use,
} from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  clientFields,
  connect,
  refresh,
  requestToken,
  startSession,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();
const refused = [400, 'invalid_grant', 'invalid_refresh_token'] as const;
const retryWindowSeconds = { confidential: 24 * 3600, public: 60 } as const;

/** What a spent token does: a confidential client's comes with its secret, and proves nothing. */
const afterSpentToken = {
  confidential: { words: 'is refused and ends nothing', reason: null, use: usable },
  public: { words: 'is theft and ends the grant', reason: 'refresh_token_theft', use: dead },
} as const;

async function rotatedTwice(client: TestClient): Promise<readonly [Tokens, Tokens, Tokens]> {
  const first = await issueTokens(service, client);
  const second = await rotate(service, client, first);
  return [first, second, await rotate(service, client, second)];
}

describe.each(['confidential', 'public'] as const)('a refresh token of a %s client', (type) => {
  const windowSeconds = retryWindowSeconds[type];
  const afterSpent = afterSpentToken[type];

  test('gives the same successor and a new access token when it is presented again (contract §4, security C12)', async () => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    const second = await rotate(service, client, first);
    service.clock.advance(windowSeconds);

    const again = await rotate(service, client, first);

    expect(again.refresh_token).toBe(second.refresh_token);
    expect(again.access_token).not.toBe(second.access_token);
    expect(await use(service, client, again)).toEqual(usable);
  });

  test(`that is presented after its window ${afterSpent.words} (RFC 9700 §4.14.2, security C11)`, async () => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    const second = await rotate(service, client, first);
    service.clock.advance(windowSeconds + 1);

    const spent = await refresh(service, client, first.refresh_token);

    expect(refusalOf(spent)).toEqual(refused);
    expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: afterSpent.reason }]);
    expect((await refresh(service, client, second.refresh_token)).statusCode).toBe(afterSpent.use.refresh);
  });

  test(`that is presented after its successor was used ${afterSpent.words}, immediately (contract §4, security C11)`, async () => {
    const client = await addClient(service, { type });
    const [first, , third] = await rotatedTwice(client);

    const spent = await refresh(service, client, first.refresh_token);

    expect(refusalOf(spent)).toEqual(refused);
    expect(await use(service, client, third)).toEqual(afterSpent.use);
  });

  test("of another grant, the same user's or the same client's, outlives a theft (contract §4, security C11)", async () => {
    const [client, neighbour] = [await addClient(service, { type }), await addClient(service, { type })];
    const cookie = await startSession(service, await addUser(service));
    const stolen = await connect(service, client, cookie);
    const others: readonly (readonly [TestClient, Tokens])[] = [
      [client, await connect(service, client, cookie)],
      [neighbour, await connect(service, neighbour, cookie)],
      [client, await issueTokens(service, client)],
    ];
    await rotate(service, client, await rotate(service, client, stolen));

    await refresh(service, client, stolen.refresh_token);

    expect((await callMe(service, stolen.access_token)).statusCode).toBe(afterSpent.use.me);
    for (const [owner, tokens] of others) expect(await use(service, owner, tokens)).toEqual(usable);
  });

  test('of another client is refused and not revoked, new, spent or old (contract §4, security C10)', async () => {
    const client = await addClient(service, { type });
    const thief = await addClient(service, { type });
    const [first, second, third] = await rotatedTwice(client);

    const answers = [];
    for (const { refresh_token: token } of [third, second, first])
      answers.push(await requestToken(service, { ...refreshFields(client, token), ...clientFields(thief) }));

    expect(answers.map(refusalOf)).toEqual([refused, refused, refused]);
    expect(await use(service, client, third)).toEqual(usable);
  });

  test.each([
    ['a random text', () => 'never-issued'],
    ['an access token', (tokens: Tokens) => tokens.access_token],
    ['a code', (tokens: Tokens) => tokens.refresh_token.replace('lkr_', 'lkc_')],
    ['another generation', (tokens: Tokens) => withGeneration(tokens.refresh_token, 2)],
    ['generation 0', (tokens: Tokens) => withGeneration(tokens.refresh_token, 0)],
    ['half a surrogate pair', (tokens: Tokens) => `${tokens.refresh_token}\uD800`],
  ])('is nothing that was not issued: %s (contract §4)', async (_name, change) => {
    const client = await addClient(service, { type });
    const tokens = await issueTokens(service, client);

    const answer = await requestToken(service, refreshFields(client, change(tokens)), { json: true });

    expect(refusalOf(answer)).toEqual(refused);
    expect(await use(service, client, tokens)).toEqual(usable);
  });
});

/** The token with its generation overwritten, its MAC left as it was. */
function withGeneration(token: string, generation: number): string {
  const bytes = Buffer.from(token.slice('lkr_'.length), 'base64url');
  bytes.writeUInt32BE(generation, 16);
  return `lkr_${bytes.toString('base64url')}`;
}

const daySeconds = 24 * 3600;

describe('a refresh token expires', () => {
  async function live(tuned: TestService, client: TestClient, days: number): Promise<Tokens> {
    let tokens = await issueTokens(tuned, client);
    for (let day = 0; day < days; day += 1) {
      tuned.clock.advance(daySeconds);
      tokens = await rotate(tuned, client, tokens);
    }
    return tokens;
  }

  test.each([
    [{}, 30],
    [{ REFRESH_IDLE_DAYS: '2' }, 2],
  ] as const)(
    'unused, with %o after %i days, and nothing is revoked (contract §1, security C10)',
    async (environment, days) => {
      const tuned = await openTestService(environment);
      const client = await addClient(tuned);
      const [early, late] = [await issueTokens(tuned, client), await issueTokens(tuned, client)];

      tuned.clock.advance(days * daySeconds - 1);
      const inTime = await refresh(tuned, client, early.refresh_token);
      tuned.clock.advance(1);
      const tooLate = await refresh(tuned, client, late.refresh_token);

      expect(inTime.statusCode).toBe(200);
      expect(refusalOf(tooLate)).toEqual(refused);
      expect((await grantsOf(tuned, client)).map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
    },
  );

  test('for good after REFRESH_MAX_DAYS, however busy (contract §1, security C10)', async () => {
    const tuned = await openTestService({ REFRESH_MAX_DAYS: '5' });
    const client = await addClient(tuned);
    const tokens = await live(tuned, client, 4);

    tuned.clock.advance(daySeconds - 1);
    const last = await rotate(tuned, client, tokens);
    tuned.clock.advance(1);
    const tooLate = await refresh(tuned, client, last.refresh_token);

    expect(refusalOf(tooLate)).toEqual(refused);
  });
});

const scoped = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });

describe('scope (contract §4, §6)', () => {
  test.each([
    ['BOOKING_WRITE', 'BOOKING_WRITE'],
    ['', 'PROFILE_READ BOOKING_WRITE'],
    ['PROFILE_READ SCHEDULE_READ UNKNOWN', 'PROFILE_READ'],
  ])('%j at refresh narrows the access token (RFC 6749 §6)', { tags: 'parts' }, async (scope, narrowed) => {
    const tokens = await issueTokens(service, scoped);

    const answer = await requestToken(service, { ...refreshFields(scoped, tokens.refresh_token), scope });

    expect(answer.json()).toMatchObject({ scope: narrowed });
    expect(decodeJwt(answer.json().access_token)['scope']).toBe(narrowed);
  });
});
