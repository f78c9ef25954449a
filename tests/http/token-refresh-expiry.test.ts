import { describe, expect, test } from 'vitest';
import { openTestService, type TestService } from '../support/service.ts';
import { grantsOf, issueTokens, refusalOf, rotate, usable, use } from '../support/tokens.ts';
import { addClient, refresh, type TestClient, type Tokens } from '../support/world.ts';

const refused = [400, 'invalid_grant', 'invalid_refresh_token'] as const;
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

  test('later with every use (contract §1)', async () => {
    const tuned = await openTestService({ REFRESH_IDLE_DAYS: '2' });
    const client = await addClient(tuned);

    const tokens = await live(tuned, client, 10);

    expect(await use(tuned, client, tokens)).toEqual(usable);
  });

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
