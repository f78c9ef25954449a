import { expect, test } from 'vitest';
import { codeOf, decide, expectOutdated, openDecision, requestOf } from '../support/authorization.ts';
import { exchangeCode } from '../support/consent.ts';
import { sharedService } from '../support/service.ts';
import { dead, grantsOf, usable, use } from '../support/tokens.ts';
import { addClient, addUser, connect, startSession } from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));

test('Deny after Allow on the same page ends the code that Allow issued (contract §3)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  const code = codeOf(await decide(service, form, 'allow', cookie));

  const denied = await decide(service, form, 'deny', cookie);
  const exchanged = await exchangeCode(service, client, code);

  expect(denied.headers.location).toContain('user_denied');
  expect(exchanged.json()).toMatchObject({ error_description: 'code_invalid_or_expired' });
  expect(await grantsOf(service, client)).toMatchObject([{ generation: 0, revocationReason: 'user' }]);
});

test('Deny on another page of the same request leaves that code alone: two tabs are two answers', async () => {
  const client = await addClient(service);
  const forms = [
    await openDecision(service, requestOf(client), cookie),
    await openDecision(service, requestOf(client), cookie),
  ] as const;
  const code = codeOf(await decide(service, forms[0], 'allow', cookie));

  await decide(service, forms[1], 'deny', cookie);

  expect((await exchangeCode(service, client, code)).statusCode).toBe(200);
});

test('Deny on the same page after the exchange ends what Allow gave, and nothing else (security C224)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  const other = await connect(service, client, cookie);
  const exchanged = await exchangeCode(service, client, codeOf(await decide(service, form, 'allow', cookie)));

  const denied = await decide(service, form, 'deny', cookie);

  expect(denied.headers.location).toContain('user_denied');
  expect(await use(service, client, exchanged.json())).toEqual(dead);
  expect(await use(service, client, other)).toEqual(usable);
});

test('Allow after Deny works; after Allow, Deny and Allow again the page is used up (contract §3)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);

  await decide(service, form, 'deny', cookie);
  const allowed = await decide(service, form, 'allow', cookie);
  await decide(service, form, 'deny', cookie);
  const again = await decide(service, form, 'allow', cookie);

  expect(codeOf(allowed)).toBeDefined();
  expectOutdated(again);
});

test('Deny with a decision that is not bound to the session ends nothing (security C28)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  const code = codeOf(await decide(service, form, 'allow', cookie));

  expectOutdated(await decide(service, form, 'deny', await startSession(service, await addUser(service))));

  expect((await exchangeCode(service, client, code)).statusCode).toBe(200);
});
