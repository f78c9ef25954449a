import { describe, expect, test } from 'vitest';
import { codeOf, decide, expectOutdated, openDecision, requestOf } from '../support/authorization.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, clientFields, requestToken, signIn, type TestClient } from '../support/world.ts';

const service = await openTestService();
const user = await addUser(service);
const cookie = await signIn(service, user);

async function exchange(client: TestClient, code: string | undefined): Promise<number> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  return (await requestToken(service, { ...clientFields(client), ...fields })).statusCode;
}

test('two tabs at the same time both work (contract §3, security C28)', async () => {
  const client = await addClient(service);
  const forms = [
    await openDecision(service, requestOf(client, { state: 'one' }), cookie),
    await openDecision(service, requestOf(client, { state: 'two' }), cookie),
  ];

  const answers = await Promise.all(forms.map((form) => decide(service, form, 'allow', cookie)));

  const codes = answers.map(codeOf);
  expect(new Set(codes).size).toBe(2);
  expect(await Promise.all(codes.map((code) => exchange(client, code)))).toEqual([200, 200]);
});

describe('a decision that is sent again', () => {
  test('gives the same code while it is unspent: one Allow, one grant (contract §3)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => decide(service, form, 'allow', cookie)),
    );

    expect(new Set(answers.map(codeOf)).size).toBe(1);
    expect(codeOf(await decide(service, form, 'allow', cookie))).toBe(answers.map(codeOf)[0]);
    expect(await grantsOf(service, client)).toHaveLength(1);
  });

  test('is refused once its code is spent (contract §3)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    const status = await exchange(client, codeOf(await decide(service, form, 'allow', cookie)));

    const again = await decide(service, form, 'allow', cookie);

    expect(status).toBe(200);
    expectOutdated(again);
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 1, revokedAt: null }]);
  });

  test('is refused once its code has expired (contract §3)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    await decide(service, form, 'allow', cookie);
    service.clock.advance(60);

    const again = await decide(service, form, 'allow', cookie);

    expectOutdated(again);
  });

  test('cannot move its code to a team (contract §3, security C28)', async () => {
    const client = await addClient(service);
    const team = await addTeam(service, user);
    const form = await openDecision(service, requestOf(client), cookie);
    await decide(service, { ...form, account: '' }, 'allow', cookie);

    const again = await decide(service, { ...form, account: team.slug }, 'allow', cookie);

    expectOutdated(again);
    expect(await grantsOf(service, client)).toMatchObject([{ teamId: null }]);
  });
});
