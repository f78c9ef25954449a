import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { clients, formerFullAccess, grants, rememberedConsents } from '../../src/oauth/tables.ts';
import { codeOf, decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { allowForGood, asksForMore, exchangeCode, visit } from '../support/consent.ts';
import { addPerson } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { grantsOf, introspectionPath, postBody, refusalOf } from '../support/tokens.ts';
import {
  addClient,
  clientFields,
  connect,
  openAuthorizePage,
  refresh,
  startSession,
} from '../support/world.ts';

const notes = 'notes:read=Read your notes,notes:write=Change your notes';
const RESOURCES = 'https://notes.example Meeting notes';
const all = await openTestService({ RESOURCES, SCOPES: notes });
/** The same installation with less, as an operator who restarts it makes it. */
const some = await openAnotherInstance(all, { PARTS: 'all,-webhooks,-openid' });
const door = await openAnotherInstance(all, { PARTS: 'door' });
const mixed = ['PROFILE_READ', 'WEBHOOK_WRITE', 'openid', 'email', 'notes:write'];

const scopeOf = (token: string) => decodeJwt(token)['scope'];

test('an approval gives what its page named, also after more is offered again (security C300)', async () => {
  const client = await addClient(all, { scopes: mixed });
  const { user, cookie } = await addPerson(all);
  all.clock.advance(3 * 3600);

  const page = textOf((await openAuthorizePage(some, requestOf(client), cookie)).body);
  const tokens = await connect(some, client, cookie);
  const later = (await refresh(all, client, tokens.refresh_token)).json();

  expect(page).not.toMatch(/webhooks, which|sign you in|notes/);
  expect((await grantsOf(all, client)).map(({ scopes }) => scopes)).toEqual([['PROFILE_READ']]);
  expect([later.scope, scopeOf(later.access_token)]).toEqual(['PROFILE_READ', 'PROFILE_READ']);
  const body = new URLSearchParams({ ...clientFields(client), token: later.refresh_token }).toString();
  expect((await postBody(all, body, {}, introspectionPath)).json()).toMatchObject({ scope: 'PROFILE_READ' });
  // The rest takes a recent sign-in, a page and an email of its own.
  const asked = await openAuthorizePage(all, requestOf(client), cookie);
  expect(asked.headers.location).toMatch(/^\/signin\/confirm/);
  all.clock.advance(1);
  await connect(all, client, await startSession(all, user));
  expect((await mailTo(all, user.email)).map(({ text }) => /webhooks/.test(text))).toEqual([false, true]);
});

describe('full access', () => {
  test('means what it meant on the page (security C300)', async () => {
    const client = await addClient(all);
    const { cookie } = await addPerson(all);

    const tokens = await connect(door, client, cookie);
    const later = (await refresh(all, client, tokens.refresh_token)).json();

    expect((await grantsOf(all, client)).map(({ scopes }) => scopes)).toEqual([
      ['PROFILE_READ', 'PROFILE_WRITE'],
    ]);
    expect(tokens).not.toHaveProperty('scope');
    expect([later.scope, scopeOf(later.access_token)]).toEqual(Array(2).fill('PROFILE_READ PROFILE_WRITE'));
  });

  test('is asked for again where it has come to mean more, although consent is remembered (contract §3)', async () => {
    const client = await addClient(all);
    const { user, cookie } = await addPerson(all);
    await exchangeCode(door, client, codeOf(await allowForGood(door, client, cookie)));

    const same = await visit(door, requestOf(client), cookie);
    const more = await visit(all, requestOf(client), await startSession(all, user));

    expect(codeOf(same)).toBeDefined();
    expect([more.statusCode, codeOf(more)]).toEqual([200, undefined]);
    expect(textOf(more.body)).toContain(asksForMore);
  });

  test('of rows that earlier versions wrote is all of the API that they knew (contract §6)', async () => {
    const client = await addClient(all);
    const { user, cookie } = await addPerson(all);
    const { db } = all.database;
    await db.update(clients).set({ acceptedScopes: null }).where(eq(clients.id, client.id));
    const tokens = await connect(all, client, cookie);
    await db.update(grants).set({ scopes: null }).where(eq(grants.clientId, client.id));
    const former = { userId: user.id, clientId: client.id, redirectUri: client.redirectUri };
    await db.insert(rememberedConsents).values({ ...former, scopes: null, rememberedAt: all.clock.now() });

    const again = await visit(all, requestOf(client), cookie);
    const refreshed = (await refresh(all, client, tokens.refresh_token)).json();

    expect(codeOf(again)).toBeDefined();
    expect(scopeOf(refreshed.access_token)).toBe(formerFullAccess.join(' '));
    expect(refreshed).not.toHaveProperty('scope');
  });
});

test('a page that was opened while more was offered decides nothing later (security C300)', async () => {
  const client = await addClient(all, { scopes: mixed });
  const { cookie } = await addPerson(all);
  const form = await openDecision(some, requestOf(client), cookie);

  const answer = await decide(all, form, 'allow', cookie);

  expect(answer.statusCode).toBe(400);
  expect(await grantsOf(all, client)).toEqual([]);
});

describe('a request of which nothing is left to allow is invalid_scope (contract §3, security C305)', () => {
  test.each([
    ['an app of OpenID Connect, with that off', ['openid', 'email'], '', 'some'],
    ['openid, with that off', ['openid', 'email'], 'openid email', 'some'],
    ['an app of a part that is off', ['WEBHOOK_READ'], '', 'some'],
    ['a scope of a part that is off', mixed, 'WEBHOOK_WRITE', 'some'],
    ['an app of scopes that SCOPES lists no more', ['notes:read'], '', 'some'],
    [
      'profile and email without openid',
      ['openid', 'profile', 'email', 'PROFILE_READ'],
      'profile email',
      'all',
    ],
    ['an app of profile and email alone', ['profile', 'email'], '', 'all'],
  ])('%s', async (_, scopes, scope, where) => {
    const client = await addClient(all, { scopes });
    const { cookie } = await addPerson(all);

    const answer = await openAuthorizePage(
      where === 'all' ? all : some,
      requestOf(client, { scope, state: 's' }),
      cookie,
    );

    expect([answer.statusCode, Object.fromEntries(redirectOf(answer).parameters)]).toMatchObject([
      303,
      { error: 'invalid_scope', state: 's' },
    ]);
  });

  test('profile and email are given with openid alone, and not beside other scopes (OpenID Connect Core, section 5.4)', async () => {
    const client = await addClient(all, { scopes: ['openid', 'email', 'PROFILE_READ'] });
    const { cookie } = await addPerson(all);

    const tokens = await connect(all, client, cookie, { scope: 'PROFILE_READ email' });

    expect([tokens.scope, scopeOf(tokens.access_token)]).toEqual(['PROFILE_READ', 'PROFILE_READ']);
  });

  test.each([
    ['a grant, as earlier versions stored it,', grants],
    ['the registration', clients],
  ] as const)('a refresh where %s has email left alone is refused', async (_, table) => {
    const client = await addClient(all, { scopes: ['openid', 'email', 'PROFILE_READ'] });
    const { refresh_token: token } = await connect(all, client, (await addPerson(all)).cookie);
    const isIts = table === grants ? eq(grants.clientId, client.id) : eq(clients.id, client.id);
    const { db } = all.database;
    await db
      .update(table)
      .set({ scopes: ['email'] })
      .where(isIts);

    const refused = await refresh(all, client, token);

    expect(refusalOf(refused)).toEqual([400, 'invalid_scope', 'scope_exceeds_grant']);
  });

  test.each(['exchange', 'refresh', 'refresh for less'])(
    'an %s of nothing that is left is refused, and spends nothing (contract §4)',
    async (which) => {
      const client = await addClient(all, { scopes: ['openid', 'email', 'WEBHOOK_READ'] });
      const { cookie } = await addPerson(all);
      const form = await openDecision(all, requestOf(client), cookie);
      const code = codeOf(await decide(all, form, 'allow', cookie));
      if (which === 'exchange') {
        expect(refusalOf(await exchangeCode(some, client, code))).toEqual([
          ...[400, 'invalid_scope', 'scope_exceeds_grant'],
        ]);
        expect((await exchangeCode(all, client, code)).statusCode).toBe(200);
        return;
      }
      const { refresh_token: token } = (await exchangeCode(all, client, code)).json();
      const isNarrowing = which !== 'refresh';
      const fields = { ...clientFields(client), grant_type: 'refresh_token', refresh_token: token };
      const asked = new URLSearchParams({ ...fields, ...(isNarrowing && { scope: 'email' }) }).toString();

      const refused = await postBody(isNarrowing ? all : some, asked, {}, '/v2/auth/oauth2/token');

      expect(refusalOf(refused)).toEqual([400, 'invalid_scope', 'scope_exceeds_grant']);
      expect((await refresh(all, client, token)).json()).toMatchObject({
        scope: 'openid email WEBHOOK_READ',
      });
    },
  );
});
