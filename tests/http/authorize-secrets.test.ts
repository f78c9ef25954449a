import { expect, test } from 'vitest';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { readTables } from '../support/database-content.ts';
import { openTestService } from '../support/service.ts';
import {
  addClient,
  addUser,
  clientFields,
  createPkce,
  openAuthorizePage,
  refresh,
  requestToken,
  startSession,
} from '../support/world.ts';

const service = await openTestService();

test('nothing that opens a door reaches the log on the whole way (contract §4, security C25)', async () => {
  const user = await addUser(service);
  const client = await addClient(service);
  const pkce = createPkce();
  const state = 'state-canary';
  const cookie = await startSession(service, user);
  await openAuthorizePage(service, requestOf(client, { state }));
  const form = await openDecision(
    service,
    requestOf(client, { state, code_challenge: pkce.challenge }),
    cookie,
  );
  const code = codeOf(await decide(service, form, 'allow', cookie)) ?? '';
  await decide(service, { ...form, decision: `${form['decision']}AAAA` }, 'allow', cookie);
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  const exchange = { ...clientFields(client), ...fields, code_verifier: pkce.verifier };
  const tokens = (await requestToken(service, exchange)).json();
  await requestToken(service, exchange);
  await refresh(service, client, tokens.refresh_token);

  const log = service.logText();

  expect(log).toContain('grant.approved');
  const secrets = {
    password: user.password,
    session: cookie.split('=')[1],
    decision: form['decision'],
    clientSecret: client.secret,
    verifier: pkce.verifier,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    code,
    state,
  };
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret?.length, name).toBeGreaterThan(8);
    expect(log.includes(secret), name).toBe(false);
  }
});

test('a stolen database opens nothing: neither session nor code is stored (architecture §2, security C25)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  const code = codeOf(await decide(service, form, 'allow', cookie)) ?? '';

  const { decision = '' } = form;

  const content = JSON.stringify(await readTables(service.database));

  expect(content).toContain(client.id);
  for (const secret of [code, cookie.split('=')[1] ?? '', client.secret ?? '', decision]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(content.includes(secret)).toBe(false);
  }
});
