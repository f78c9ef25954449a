import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { holdRow } from '../support/held.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { grantsOf, issueCode, refusalOf, type TokenFields, usable, use } from '../support/tokens.ts';
import { addClient, createPkce, requestToken } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);

const atOnce = 50;
const refused = [400, 'invalid_grant', 'code_invalid_or_expired'] as const;

/** The same exchange many times at the same time, dealt out among the instances. */
async function exchangeAtOnce(
  instances: readonly TestService[],
  request: TokenFields,
  times = atOnce,
): Promise<readonly LightMyRequestResponse[]> {
  const sent = Array.from({ length: times }, (_, index) => instances[index % instances.length] ?? service);
  return Promise.all(sent.map((instance) => requestToken(instance, request)));
}

describe.each([
  ['one instance', [service]],
  ['two instances on one database', [service, another]],
])('of fifty exchanges of one code at the same time, at %s', (_name, instances) => {
  test.each(
    [1, 2, 3, 4, 5].flatMap((round) => [['confidential', round] as const, ['public', round] as const]),
  )('exactly one succeeds: %s client, round %i (RFC 6749 §4.1.2, security C4)', async (type, _round) => {
    const client = await addClient(service, { type });
    const request = await issueCode(service, client, { pkce: createPkce() });

    const answers = await exchangeAtOnce(instances, request);

    const won = answers.filter(({ statusCode }) => statusCode === 200);
    const lost = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(won).toHaveLength(1);
    expect(lost.map(refusalOf)).toEqual(Array.from({ length: atOnce - 1 }, () => refused));
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 1, revokedAt: null }]);
    for (const answer of won) expect(await use(service, client, answer.json())).toEqual(usable);
  });
});

test.each([
  ['with a challenge', { pkce: createPkce() }, null],
  ['without one, where the others are replays and end the grant', {}, 'code_replay'],
] as const)(
  'of exchanges that have all found the code unspent, still exactly one succeeds, %s (security C4, security C5)',
  async (_name, options, revocationReason) => {
    const client = await addClient(service);
    const request = await issueCode(service, client, options);
    const [grant] = await grantsOf(service, client);
    const held = await holdRow(service, 'grants', String(grant?.id));

    const sent = exchangeAtOnce([service, another], request, 8);
    await held.untilWaiting(8);
    await held.release();
    const answers = await sent;

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(7).fill(400)]);
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 1, revocationReason }]);
  },
);

test('right and wrong exchanges at the same time: the right one gets tokens, and nobody else (contract §4)', async () => {
  const client = await addClient(service);
  const request = await issueCode(service, client, { pkce: createPkce() });
  const wrong = [
    { ...request, code_verifier: createPkce().verifier },
    { ...request, redirect_uri: 'https://app.example/elsewhere' },
    { ...request, client_secret: 'wrong' },
  ];

  const [right, ...others] = await Promise.all([
    requestToken(service, request),
    ...Array.from({ length: 15 }, (_, index) =>
      requestToken(another, wrong[index % wrong.length] ?? request),
    ),
  ]);

  expect(right.statusCode).toBe(200);
  for (const { statusCode } of others) expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(await use(service, client, right.json())).toEqual(usable);
});
