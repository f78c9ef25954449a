import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { holdGrant } from '../support/held.ts';
import { developerHome, findClientRow, postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { grantIdOf, grantsOf, issueCode, refusalOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  refresh,
  requestToken,
  startSession,
  type Tokens,
} from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);

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
  const held = await holdGrant(service, grantIdOf(tokens));

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

test.each([1, 2, 3, 4, 5, 6])(
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
