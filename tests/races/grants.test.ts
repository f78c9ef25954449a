import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { holdRow } from '../support/held.ts';
import { developerHome, findClientRow, postOwnForm, reviewDecisions } from '../support/registration.ts';
import { changePending, replaceEdit, resubmit, stateOf, submitEdit } from '../support/review.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import {
  dead,
  grantIdOf,
  grantsOf,
  issueCode,
  issueTokens,
  refusalOf,
  revoke,
  rotate,
  type TokenFields,
  usable,
  use,
} from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  hiddenFieldsOf,
  postForm,
  refresh,
  requestToken,
  startSession,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const cookie = await startSession(service, await addUser(service, { isAdmin: true }));
const otherCookie = await startSession(service, await addUser(service, { isAdmin: true }));

test.each(['a refresh', 'an exchange'] as const)(
  '%s that had found all well before the suspension, and commits after it, gets nothing (security C13)',
  async (name) => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    await issueCode(service, client);
    const issued = (await grantsOf(service, client)).find(({ generation }) => generation === 0);
    const store = tokenStore(service.database.db);
    const id = name === 'a refresh' ? grantIdOf(tokens) : String(issued?.id);
    const { grant } = await store.find(client.id, id);
    if (grant === undefined) throw new Error('there is no grant');

    await reviewDecisions.suspend(another, client.id, cookie);
    const now = service.clock.now();
    const hasMoved = await (name === 'a refresh' ? store.advance(grant, 2, now) : store.redeem(grant, now));

    expect(hasMoved).toBe(false);
  },
);

test('a refresh whose statement began before the suspension ends with tokens that are dead (security C13)', async () => {
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  const held = await holdRow(service, 'grants', grantIdOf(tokens));
  const refreshing = refresh(service, client, tokens.refresh_token);
  await held.untilWaiting(1);

  const suspended = await reviewDecisions.suspend(another, client.id, cookie);
  await held.release();
  const issued: Tokens = (await refreshing).json();
  await resubmit(service, client.id);
  await reviewDecisions.accept(another, client.id, cookie);

  expect(suspended.statusCode).toBe(303);
  expect(await use(service, client, issued)).toEqual(dead);
});

describe('decisions at the same time about an accepted client with changes (contract §2)', () => {
  test.each([
    ['accept', 'reject'],
    ['accept', 'suspend'],
    ['reject', 'suspend'],
    ['suspend', 'suspend'],
  ] as const)('%s and %s: one outcome after the other at most, each with its line', async (one, other) => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await addClient(service, { name: 'Live' });
      await submitEdit(service, id, { name: 'Waiting' });

      const answers = await Promise.all([
        reviewDecisions[one](service, id, cookie, 'No', 2),
        reviewDecisions[other](another, id, otherCookie, 'No', 2),
      ]);

      const { client, edit, events } = await stateOf(service, id);
      const outcomes = events.map(({ kind }) => kind).slice(2);
      const settled = answers.filter(({ statusCode }) => statusCode === 303);
      expect(answers.every(({ statusCode }) => statusCode === 303 || statusCode === 409)).toBe(true);
      expect(outcomes).toHaveLength(settled.length);
      expect(client?.status).toBe(outcomes.includes('suspended') ? 'rejected' : 'accepted');
      expect(client?.name).toBe(outcomes.includes('edit_accepted') ? 'Waiting' : 'Live');
      if (outcomes.includes('suspended') || outcomes.includes('edit_accepted')) expect(edit).toBeUndefined();
      if (other === 'suspend' && one === 'suspend') expect(outcomes).toEqual(['suspended']);
      if (other === 'reject') expect(outcomes).toHaveLength(1);
    }
  });

  test('an owner whose change waits first: the acceptance that was about former values isn’t made', async () => {
    const { id } = await addClient(service, { name: 'Seen', status: 'pending' });
    const held = await holdRow(service, 'clients', id);

    const changing = changePending(another, id, { purpose: 'Changed' });
    await held.untilWaiting(1);
    const accepting = reviewDecisions.accept(service, id, cookie, undefined, 1);
    await held.untilWaiting(2);
    await held.release();
    await changing;

    expect((await accepting).statusCode).toBe(409);
    expect((await stateOf(service, id)).client).toMatchObject({ status: 'pending', purpose: 'Changed' });
  });

  test('an owner whose new changes wait first: the acceptance of the former ones isn’t made', async () => {
    const { id } = await addClient(service, { name: 'Live' });
    await submitEdit(service, id, { name: 'Seen' });
    const held = await holdRow(service, 'clients', id);

    const changing = replaceEdit(another, id, { name: 'Changed' });
    await held.untilWaiting(1);
    const accepting = reviewDecisions.accept(service, id, cookie, undefined, 2);
    await held.untilWaiting(2);
    await held.release();
    await changing;

    const { client, edit } = await stateOf(service, id);
    expect((await accepting).statusCode).toBe(409);
    expect([client?.name, edit?.name, edit?.status]).toEqual(['Live', 'Changed', 'pending']);
  });
});

async function addOwned() {
  const client = await addClient(service);
  const owner = await addUser(service);
  await service.database.db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, client.id));
  const cookie = await startSession(service, owner);
  const remove = () =>
    postOwnForm(another, `${developerHome}/${client.id}/delete`, { name: 'Test app' }, cookie);
  return { client, remove };
}

test.each([0, 1])(
  'a request that had found a grant of generation %i, and commits after the deletion, gets nothing (contract §2, §4)',
  async (generation) => {
    const { client, remove } = await addOwned();
    const request = await issueCode(service, client);
    if (generation === 1) await requestToken(service, request);
    const [issued] = await grantsOf(service, client);
    const store = tokenStore(service.database.db);
    const { grant } = await store.find(client.id, issued?.id);
    if (grant === undefined) throw new Error('there is no grant');

    await remove();
    const now = service.clock.now();
    const hasMoved = await (generation === 0 ? store.redeem(grant, now) : store.advance(grant, 2, now));

    expect([grant.generation, hasMoved]).toEqual([generation, false]);
    expect(await findClientRow(service, client.id)).toBeUndefined();
  },
);

test('a refresh whose statement began first is answered, and its tokens are dead when the deletion has answered', async () => {
  const { client, remove } = await addOwned();
  const tokens = await connect(service, client, await startSession(service, await addUser(service)));
  const held = await holdRow(service, 'grants', grantIdOf(tokens));

  const refreshing = refresh(service, client, tokens.refresh_token);
  await held.untilWaiting(1);
  const removed = await remove();
  await held.release();
  const refreshed = await refreshing;

  const issued: Tokens = refreshed.json();
  expect([removed.statusCode, refreshed.statusCode]).toEqual([303, 200]);
  expect((await callMe(service, issued.access_token)).statusCode).toBe(401);
  expect((await refresh(service, client, issued.refresh_token)).statusCode).toBe(401);
});

test.each([1, 2, 3])(
  'exchanges, refreshes and a deletion all at the same time end with tokens or with invalid_client or invalid_grant, never a fault, round %i',
  async () => {
    const { client, remove } = await addOwned();
    const tokens = await connect(service, client, await startSession(service, await addUser(service)));
    const codes = [await issueCode(service, client), await issueCode(service, client)];

    const [removed, ...answers] = await Promise.all([
      remove(),
      ...codes.map((request) => requestToken(service, request)),
      ...Array.from({ length: 4 }, () => refresh(another, client, tokens.refresh_token)),
      ...codes.map((request) => requestToken(another, request)),
    ]);

    const ends = answers.map((answer) => (answer.statusCode === 200 ? 'tokens' : refusalOf(answer)[1]));
    const issued = answers
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer): Tokens => answer.json());
    expect(removed.statusCode).toBe(303);
    expect(ends.filter((end) => !['tokens', 'invalid_client', 'invalid_grant'].includes(end))).toEqual([]);
    for (const { access_token } of [tokens, ...issued])
      expect((await callMe(service, access_token)).statusCode).toBe(401);
  },
);

test.each([1, 2, 3, 4])(
  'an app that refreshes while its user disconnects it keeps no token that works, round %i (contract §4, security C13)',
  async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    const cookie = await startSession(service, user);
    const tokens = await connect(service, client, cookie);
    const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
    const form = hiddenFieldsOf(page.body);

    const [disconnected, ...refreshed] = await Promise.all([
      postForm(another, `/settings/apps/${client.id}/disconnect`, form, cookie),
      ...Array.from({ length: 6 }, () => refresh(service, client, tokens.refresh_token)),
    ]);

    expect(disconnected.statusCode).toBe(303);
    const issued = refreshed
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer): Tokens => answer.json());
    for (const pair of [tokens, ...issued]) expect(await use(service, client, pair)).toEqual(dead);
  },
);

test('an app that exchanges a code while its user disconnects it gets nothing, though it had found the code good (security C13)', async () => {
  const user = await addUser(service);
  const client = await addClient(service);
  const cookie = await startSession(service, user);
  await connect(service, client, cookie);
  const request = await issueCode(service, client, { user });
  const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  const issued = (await grantsOf(service, client)).find(({ generation }) => generation === 0);
  const held = await holdRow(service, 'grants', String(issued?.id));

  const disconnecting = postForm(
    another,
    `/settings/apps/${client.id}/disconnect`,
    hiddenFieldsOf(page.body),
    cookie,
  );
  await held.untilWaiting(1);
  const exchanging = requestToken(service, request);
  await held.untilWaiting(2);
  await held.release();
  const [disconnected, exchanged] = await Promise.all([disconnecting, exchanging]);

  expect([disconnected.statusCode, refusalOf(exchanged)]).toEqual([
    303,
    [400, 'invalid_grant', 'code_invalid_or_expired'],
  ]);
  for (const { revocationReason } of await grantsOf(service, client)) expect(revocationReason).toBe('user');
});

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
      const held = await holdRow(service, 'grants', grantIdOf(scene.newest));

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
  test('an access token that was made before is refused by every instance immediately', async () => {
    const scene = await play('confidential');

    await revoke(service, scene.client, scene.newest.refresh_token);

    for (const instance of [service, another])
      expect((await callMe(instance, scene.newest.access_token)).statusCode).toBe(401);
    expect(await grantsOf(service, scene.client)).toMatchObject([{ revocationReason: 'client' }]);
  });
});
