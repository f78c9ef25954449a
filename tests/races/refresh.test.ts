import { describe, expect, test } from 'vitest';
import { holdRow } from '../support/held.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { grantIdOf, grantsOf, issueTokens, rotate, usable, use } from '../support/tokens.ts';
import { addClient, callMe, refresh, type TestClient, type Tokens } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const instances = [service, another] as const;

/**
 * Refreshes one token many times at the same time, at two instances in turn; every answer must hold tokens.
 */
async function refreshAtOnce(
  client: TestClient,
  { refresh_token: token }: Tokens,
  times: number,
): Promise<Tokens[]> {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) => refresh(instances[index % 2] ?? service, client, token)),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  return answers.map((answer) => answer.json());
}

describe.each(['confidential', 'public'] as const)('a refresh token of a %s client', (type) => {
  test.each([2, 12, 50])(
    'that is presented %i times at the same time gives one successor, and access tokens that all work (contract §4, security C12)',
    async (times) => {
      const client = await addClient(service, { type });
      const first = await issueTokens(service, client);

      const pairs = await refreshAtOnce(client, first, times);

      expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1);
      expect(new Set(pairs.map((pair) => pair.access_token)).size).toBe(times);
      for (const pair of pairs) expect((await callMe(service, pair.access_token)).statusCode).toBe(200);
      expect(await grantsOf(service, client)).toMatchObject([{ generation: 2, revokedAt: null }]);
    },
  );

  test('that all have found unspent gives them one successor (security C12)', async () => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    const held = await holdRow(service, 'grants', grantIdOf(first));

    const sent = refreshAtOnce(client, first, 8);
    await held.untilWaiting(8);
    await held.release();
    const pairs = await sent;

    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(1);
    expect(await use(service, client, pairs[7] ?? first)).toEqual(usable);
  });

  test('whose retry is overtaken by the use of its successor is not taken for theft (contract §4)', async () => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    const second = await rotate(service, client, first);
    const held = await holdRow(service, 'grants', grantIdOf(first));

    const using = refresh(service, client, second.refresh_token);
    await held.untilWaiting(1);
    const retrying = refresh(another, client, first.refresh_token);
    await held.untilWaiting(2);
    await held.release();
    const [used, overtaken] = await Promise.all([using, retrying]);

    expect([used.statusCode, overtaken.statusCode]).toEqual([200, 400]);
    expect(await use(service, client, used.json())).toEqual(usable);
  });

  test('keeps the time of its first rotation when it is presented again, many times at the same time (contract §4)', async () => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    await refreshAtOnce(client, first, 8);
    const [before] = await grantsOf(service, client);
    service.clock.advance(30);

    await refreshAtOnce(client, first, 8);

    expect(await grantsOf(service, client)).toEqual([before]);
  });
});
