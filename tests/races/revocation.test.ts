import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { holdGrant } from '../support/held.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import {
  dead,
  grantIdOf,
  grantsOf,
  issueCode,
  revoke,
  rotate,
  type TokenFields,
  usable,
  use,
} from '../support/tokens.ts';
import { addClient, callMe, refresh, requestToken, type TestClient, type Tokens } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);

/**
 * A grant with a history: its code spent more than 10 s ago, its first refresh token older than its
 * last two.
 */
interface Scene {
  readonly client: TestClient;
  readonly request: TokenFields;
  readonly first: Tokens;
  readonly newest: Tokens;
}

async function play(type: 'confidential' | 'public'): Promise<Scene> {
  const client = await addClient(service, { type });
  const request = await issueCode(service, client);
  const first: Tokens = (await requestToken(service, request)).json();
  const newest = await rotate(service, client, await rotate(service, client, first));
  service.clock.advance(11);
  return { client, request, first, newest };
}

type Act = (at: TestService, scene: Scene) => Promise<LightMyRequestResponse>;

/**
 * What may happen to a grant, each with its answer when it comes first, and when it comes behind a
 * revocation.
 */
const acts = {
  refresh: {
    alone: 200,
    late: 400,
    ends: false,
    act: (at, { client, newest }) => refresh(at, client, newest.refresh_token),
  },
  revoke: {
    alone: 200,
    late: 200,
    ends: true,
    act: (at, { client, newest }) => revoke(at, client, newest.refresh_token),
  },
  'revoke by access token': {
    alone: 200,
    late: 200,
    ends: true,
    act: (at, { client, first }) => revoke(at, client, first.access_token),
  },
  replay: { alone: 400, late: 400, ends: true, act: (at, { request }) => requestToken(at, request) },
  theft: {
    alone: 400,
    late: 400,
    ends: true,
    act: (at, { client, first }) => refresh(at, client, first.refresh_token),
  },
} as const satisfies Record<string, { alone: number; late: number; ends: boolean; act: Act }>;

const pairs = Object.entries(acts).flatMap(([earlier, first]) =>
  Object.entries(acts).map(([later, second]) => ({ earlier, later, first, second })),
);

/** The tokens that answers brought; a revocation's 200 brings none. */
function issuedBy(answers: readonly LightMyRequestResponse[]): readonly Tokens[] {
  return answers
    .filter(({ statusCode, body }) => statusCode === 200 && body !== '')
    .map((answer): Tokens => answer.json());
}

/** A confidential client's spent token is refused: it ends and writes nothing (contract §4). */
const isReading = (act: { readonly act: Act }, type: 'confidential' | 'public'): boolean =>
  act === acts.theft && type === 'confidential';

/** Tries every token that there was before, and that the answers brought. */
async function expectAll(scene: Scene, answers: readonly LightMyRequestResponse[], expected: typeof dead) {
  const issued = issuedBy(answers);
  for (const tokens of [scene.first, scene.newest, ...issued])
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(expected.me);
  const [last = scene.newest] = issued.toReversed();
  expect(await use(service, scene.client, last)).toEqual(expected);
}

describe.each(['confidential', 'public'] as const)('at a grant of a %s client', (type) => {
  test.each(pairs)(
    '$earlier commits before $later, which had found the grant standing (contract §4, security C13)',
    async ({ first, second }) => {
      const scene = await play(type);
      const held = await holdGrant(service, grantIdOf(scene.newest));

      const writers = [first, second].map((act) => (isReading(act, type) ? 0 : 1));
      const ends = [first, second].map((act) => act.ends && !isReading(act, type));

      const sentFirst = first.act(service, scene);
      await held.untilWaiting(writers[0] ?? 0);
      const sentSecond = second.act(another, scene);
      await held.untilWaiting((writers[0] ?? 0) + (writers[1] ?? 0));
      await held.release();
      const answers = await Promise.all([sentFirst, sentSecond]);

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([
        first.alone,
        ends[0] ? second.late : second.alone,
      ]);
      await expectAll(scene, answers, ends.includes(true) ? dead : usable);
    },
  );
});

describe('after a revocation has answered 200 no token issued later works (contract §4, security C13)', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'refreshes and a revocation all at the same time, round %i',
    async () => {
      const scene = await play('confidential');
      const { client, newest } = scene;

      const answers = await Promise.all([
        ...Array.from({ length: 6 }, (_, index) =>
          refresh(index % 2 ? service : another, client, newest.refresh_token),
        ),
        revoke(another, client, newest.access_token),
        ...Array.from({ length: 6 }, (_, index) =>
          refresh(index % 2 ? service : another, client, newest.refresh_token),
        ),
      ]);

      expect(answers[6]?.statusCode).toBe(200);
      await expectAll(scene, answers, dead);
    },
  );

  test('an access token that was made before is refused by every instance immediately', async () => {
    const scene = await play('confidential');

    await revoke(service, scene.client, scene.newest.refresh_token);

    for (const instance of [service, another])
      expect((await callMe(instance, scene.newest.access_token)).statusCode).toBe(401);
    expect(await grantsOf(service, scene.client)).toMatchObject([{ revocationReason: 'client' }]);
  });
});
