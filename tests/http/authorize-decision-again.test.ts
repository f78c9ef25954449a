import { describe, expect, test } from 'vitest';
import { codeOf, decide, expectOutdated, openDecision, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { pressOf } from '../support/consent.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const user = await addUser(service);
const cookie = await startSession(service, user);

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

  test('says once its code is spent that it was allowed, and how to go on (contract §3, security C224)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    const status = await exchange(client, codeOf(await decide(service, form, 'allow', cookie)));

    const again = await decide(service, form, 'allow', cookie);

    expect(status).toBe(200);
    expect([again.statusCode, titleOf(again)]).toEqual([400, 'You’ve already allowed this']);
    expect(again.headers).not.toHaveProperty('location');
    expect(textOf(again.body)).toContain('Go back to the app.');
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

  test.each([
    [
      'after its access was removed',
      async (client: TestClient) => pressOf(service, client, 'disconnect', cookie),
    ],
    ['after an hour', async () => service.clock.advance(3601)],
    ['of another session', async () => startSession(service, user)],
    ['of an app that was suspended', async ({ id }: TestClient) => setClientStatus(db, id, 'rejected')],
  ] as const)('%s is refused, and the refusal speaks of this click alone', async (_name, change) => {
    const client = await addClient(service);
    const own = await startSession(service, user);
    const form = await openDecision(service, requestOf(client), own);
    await exchange(client, codeOf(await decide(service, form, 'allow', own)));
    const changed = await change(client);

    const again = await decide(service, form, 'allow', typeof changed === 'string' ? changed : own);

    expect(again.statusCode).toBe(400);
    expect(textOf(again.body)).toContain('Your click changed nothing.');
    expect(again.body).not.toContain('Nothing was shared');
  });
});
