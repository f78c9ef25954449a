import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
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
  signIn,
  type Tokens,
} from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);

async function addOwned() {
  const client = await addClient(service);
  const owner = await addUser(service);
  await service.database.db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, client.id));
  const cookie = await signIn(service, owner);
  const remove = () =>
    postOwnForm(another, `${developerHome}/${client.id}/delete`, { name: 'Test app' }, cookie);
  return { client, remove };
}

describe('a deletion that commits first, when the other had found everything good (contract §2, §4)', () => {
  test('lets a code exchange end with invalid_grant', async () => {
    const { client, remove } = await addOwned();
    const request = await issueCode(service, client);
    const [grant] = await grantsOf(service, client);
    const held = await holdGrant(service, String(grant?.id));

    const removing = remove();
    await held.untilWaiting(1);
    const exchanging = requestToken(service, request);
    await held.untilWaiting(2);
    await held.release();
    const [removed, exchanged] = await Promise.all([removing, exchanging]);

    expect(removed.statusCode).toBe(303);
    expect(refusalOf(exchanged)).toEqual([400, 'invalid_grant', 'code_invalid_or_expired']);
    expect(await findClientRow(service, client.id)).toBeUndefined();
  });

  test('lets a refresh end with invalid_grant', async () => {
    const { client, remove } = await addOwned();
    const tokens = await connect(service, client, await signIn(service, await addUser(service)));
    const held = await holdGrant(service, grantIdOf(tokens));

    const removing = remove();
    await held.untilWaiting(1);
    const refreshing = refresh(service, client, tokens.refresh_token);
    await held.untilWaiting(2);
    await held.release();
    const [removed, refreshed] = await Promise.all([removing, refreshing]);

    expect(removed.statusCode).toBe(303);
    expect(refusalOf(refreshed)).toEqual([400, 'invalid_grant', 'invalid_refresh_token']);
  });
});

test('a refresh that commits first is answered, and its tokens are dead when the deletion has answered', async () => {
  const { client, remove } = await addOwned();
  const tokens = await connect(service, client, await signIn(service, await addUser(service)));
  const held = await holdGrant(service, grantIdOf(tokens));

  const refreshing = refresh(service, client, tokens.refresh_token);
  await held.untilWaiting(1);
  const removing = remove();
  await held.untilWaiting(2);
  await held.release();
  const [removed, refreshed] = await Promise.all([removing, refreshing]);

  const issued: Tokens = refreshed.json();
  expect([removed.statusCode, refreshed.statusCode]).toEqual([303, 200]);
  expect((await callMe(service, issued.access_token)).statusCode).toBe(401);
  expect((await refresh(service, client, issued.refresh_token)).statusCode).toBe(401);
});

test.each([1, 2, 3, 4, 5, 6])(
  'exchanges, refreshes and a deletion all at the same time end with tokens or with invalid_client or invalid_grant, never a fault, round %i',
  async () => {
    const { client, remove } = await addOwned();
    const tokens = await connect(service, client, await signIn(service, await addUser(service)));
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
    expect(await grantsOf(service, client)).toEqual([]);
  },
);
