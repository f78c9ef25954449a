import { describe, expect, test } from 'vitest';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { holdGrant, holdRow } from '../support/held.ts';
import { reviewDecisions } from '../support/registration.ts';
import { changePending, replaceEdit, resubmit, stateOf, submitEdit } from '../support/review.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { dead, grantIdOf, grantsOf, issueCode, issueTokens, use } from '../support/tokens.ts';
import { addClient, addUser, callMe, refresh, startSession, type Tokens } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const cookie = await startSession(service, await addUser(service, { isAdmin: true }));
const otherCookie = await startSession(service, await addUser(service, { isAdmin: true }));

test.each([1, 2, 3, 4])(
  'an app that refreshes while it is suspended keeps no token that works, round %i (contract §4, security C13)',
  async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);

    const [suspended, ...refreshed] = await Promise.all([
      reviewDecisions.suspend(another, client.id, cookie),
      ...Array.from({ length: 6 }, () => refresh(service, client, tokens.refresh_token)),
    ]);

    const issued = refreshed
      .filter(({ statusCode }) => statusCode === 200)
      .map((answer): Tokens => answer.json());
    expect(suspended.statusCode).toBe(303);
    for (const pair of [tokens, ...issued]) {
      expect((await callMe(service, pair.access_token)).statusCode).toBe(401);
      expect((await refresh(service, client, pair.refresh_token)).statusCode).toBe(401);
    }
  },
);

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
  const held = await holdGrant(service, grantIdOf(tokens));
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

  test('an owner who changes a client at the same time with its acceptance: never are values accepted that nobody saw', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await addClient(service, { name: 'Seen', status: 'pending' });

      const [answer] = await Promise.all([
        reviewDecisions.accept(service, id, cookie, undefined, 1),
        changePending(another, id, { purpose: 'Changed' }),
      ]);

      const { client } = await stateOf(service, id);
      expect([answer.statusCode, client?.status, client?.purpose]).toEqual(
        answer.statusCode === 303 ? [303, 'accepted', 'Testing'] : [409, 'pending', 'Changed'],
      );
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
