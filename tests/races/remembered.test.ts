import { describe, expect, test } from 'vitest';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, pressOf, rememberedOf, visit } from '../support/consent.ts';
import { holdPermissions } from '../support/held.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, connect, startSession } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);

async function remember() {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const client = await addClient(service);
  await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));
  return { user, cookie, client };
}

test.each([1, 2, 3, 4])(
  'a remembered yes that is used while its user disconnects the app leaves nothing that works, round %i (contract §4, security C13)',
  async () => {
    const { user, cookie, client } = await remember();

    const [disconnected, ...visits] = await Promise.all([
      pressOf(another, client, 'disconnect', cookie),
      ...Array.from({ length: 4 }, () => visit(service, requestOf(client), cookie)),
    ]);

    expect(disconnected.statusCode).toBe(303);
    for (const code of visits.flatMap((answer) => codeOf(answer) ?? []))
      expect((await exchangeCode(service, client, code)).statusCode).toBe(400);
    for (const { revocationReason } of await grantsOf(service, client)) expect(revocationReason).toBe('user');
    expect(await rememberedOf(service, user, client)).toBeUndefined();
  },
);

describe('what was looked at before a change and is carried out after it', () => {
  test('a remembered yes asks when the app was disconnected in between (security C13)', async () => {
    const { user, cookie, client } = await remember();
    const held = await holdPermissions(service, user);

    const disconnecting = pressOf(another, client, 'disconnect', cookie);
    await held.untilWaiting(1);
    const visiting = visit(service, requestOf(client), cookie);
    await held.untilWaiting(2);
    await held.release();
    const [, visited] = await Promise.all([disconnecting, visiting]);

    expect(visited.statusCode).toBe(200);
    expect(await grantsOf(service, client)).toHaveLength(1);
  });

  test('Deny ends the code of an Allow that was on its way before it (contract §3)', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const client = await addClient(service);
    const form = { ...(await openDecision(service, requestOf(client), cookie)), remember: 'yes' };
    const held = await holdPermissions(service, user);

    const allowing = decide(service, form, 'allow', cookie);
    await held.untilWaiting(1);
    const denying = decide(another, form, 'deny', cookie);
    await held.untilWaiting(2);
    await held.release();
    const [allowed] = await Promise.all([allowing, denying]);

    expect((await exchangeCode(service, client, codeOf(allowed))).statusCode).toBe(400);
    expect(await rememberedOf(service, user, client)).toBeUndefined();
  });
});

test('two instances that are allowed the same new app at the same time write one email (security C28)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  const client = await addClient(service);

  await Promise.all([connect(service, client, cookie), connect(another, client, cookie)]);

  expect(await grantsOf(service, client)).toHaveLength(2);
  expect(await mailTo(service, user.email)).toHaveLength(1);
});
