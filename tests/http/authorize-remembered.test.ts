import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
import { revokeUserGrants } from '../../src/oauth/revocation/store.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { contextOf } from '../support/audit.ts';
import { codeOf, decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { allowForGood, exchangeCode, pressOf, rememberedOf, visit } from '../support/consent.ts';
import { digestTables } from '../support/database-content.ts';
import { addPerson } from '../support/groups.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, createPkce, openAuthorizePage, startSession } from '../support/world.ts';

const service = await openTestService();
const scopes = ['PROFILE_READ', 'BOOKING_READ'] as const;
const crossSite = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

describe('the choice not to be asked again', () => {
  test.each([
    ['confidential', true],
    ['public', false],
  ] as const)('is offered for a %s client: %s (contract §3)', async (type, isOffered) => {
    const { cookie } = await addPerson(service);

    const page = await openAuthorizePage(service, requestOf(await addClient(service, { type })), cookie);

    expect(page.statusCode).toBe(200);
    expect(page.body.includes('name="remember"')).toBe(isOffered);
    expect(page.body).not.toContain('checked');
  });

  test('sent for a public client is not believed (contract §3, RFC 8252 §8.6)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service, { type: 'public' });

    const allowed = await allowForGood(service, client, cookie);
    const again = await visit(service, requestOf(client), cookie);

    expect(codeOf(allowed)).toBeDefined();
    expect(await rememberedOf(service, user, client)).toBeUndefined();
    expect(again.statusCode).toBe(200);
  });

  test('is kept with the account, what was shown, and when (contract §3)', { tags: 'parts' }, async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user);
    const client = await addClient(service, { scopes });

    await allowForGood(service, client, cookie, { scope: 'BOOKING_READ' }, team.slug);

    expect(await rememberedOf(service, user, client)).toMatchObject({
      teamId: team.id,
      scopes: ['BOOKING_READ'],
      rememberedAt: service.clock.now(),
    });
  });

  test.each(['', 'no', 'YES', 'on'])('is not made by the value %j', async (remember) => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await decide(service, { ...form, remember }, 'allow', cookie);

    expect(codeOf(answer)).toBeDefined();
    expect(await rememberedOf(service, user, client)).toBeUndefined();
  });

  test('is not made by Deny (contract §3)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);

    await decide(service, { ...form, remember: 'yes' }, 'deny', cookie);

    expect(await rememberedOf(service, user, client)).toBeUndefined();
  });
});

describe('a remembered yes', () => {
  test('answers with a code immediately, by a 303 with state and iss (contract §3, RFC 9207)', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await allowForGood(service, client, cookie);

    const answer = await visit(service, requestOf(client, { state: 'a state' }), cookie);

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual({
      address: client.redirectUri,
      parameters: [
        ['code', expect.stringMatching(/^lkc_/)],
        ['state', 'a state'],
        ['iss', service.appUrl],
      ],
    });
    expect(await grantsOf(service, client)).toMatchObject([{ userId: user.id }, { userId: user.id }]);
    expect((await exchangeCode(service, client, codeOf(answer))).statusCode).toBe(200);
  });

  test('makes a grant of its own each time, for what is asked and no more (contract §6)', {
    tags: 'parts',
  }, async () => {
    const { cookie } = await addPerson(service);
    const client = await addClient(service, { scopes });
    const { challenge } = createPkce();
    await allowForGood(service, client, cookie);

    const codes: (string | undefined)[] = [];
    for (const changes of [{ scope: 'BOOKING_READ' }, { code_challenge: challenge }]) {
      service.clock.advance(1);
      codes.push(codeOf(await visit(service, requestOf(client, changes), cookie)));
    }

    expect(new Set(codes).size).toBe(2);
    const [, second, third] = await grantsOf(service, client);
    expect([second, third]).toMatchObject([
      { scopes: ['BOOKING_READ'], codeChallenge: null },
      { scopes: [...scopes], codeChallenge: challenge },
    ]);
  });

  test.each([
    ['names no team', false],
    ['names that team', true],
  ] as const)('for a team answers a request that %s, for the team', async (_name, isNamed) => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user);
    const client = await addClient(service);
    await allowForGood(service, client, cookie, {}, team.slug);

    const answer = await visit(service, requestOf(client, isNamed ? { team_slug: team.slug } : {}), cookie);

    expect(codeOf(answer)).toBeDefined();
    expect(await grantsOf(service, client)).toMatchObject([{ teamId: team.id }, { teamId: team.id }]);
  });

  test('is not the consent of another user, nor to another client', async () => {
    const [{ cookie }, other] = [await addPerson(service), await addPerson(service)];
    const [client, twin] = [await addClient(service), await addClient(service)];
    await allowForGood(service, client, cookie);

    const answers = [
      await visit(service, requestOf(client), other.cookie),
      await visit(service, requestOf(twin), cookie),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(await grantsOf(service, client)).toHaveLength(1);
    expect(await grantsOf(service, twin)).toEqual([]);
  });

  test.each([
    ['an address that is not registered', { redirect_uri: 'https://app.example/other' }, 400, undefined],
    ['a broken challenge', { code_challenge: 'short' }, 303, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 303, 'unsupported_response_type'],
    ['a scope that is not registered', { scope: 'SCHEDULE_READ' }, 303, 'invalid_scope'],
    ['a team of others', { team_slug: 'strangers' }, 303, 'access_denied'],
  ] as const)('does not answer %s: every other check stays', async (_name, changes, status, error) => {
    const { cookie } = await addPerson(service);
    const client = await addClient(service, { scopes });
    await allowForGood(service, client, cookie);

    const answer = await visit(service, requestOf(client, changes), cookie);

    expect(answer.statusCode).toBe(status);
    expect(codeOf(answer)).toBeUndefined();
    expect(redirectOf(answer).parameters.find(([name]) => name === 'error')?.[1]).toBe(error);
    expect(await grantsOf(service, client)).toHaveLength(1);
  });
});

describe('the page is shown again', () => {
  async function remember(options: Parameters<typeof addClient>[1] = { scopes }) {
    const person = await addPerson(service);
    const client = await addClient(service, options);
    await allowForGood(service, client, person.cookie);
    return { ...person, client };
  }

  test('when another account is asked for than the remembered one (contract §3)', async () => {
    const { user, cookie, client } = await remember();
    const team = await addTeam(service, user);

    const answer = await visit(service, requestOf(client, { team_slug: team.slug }), cookie);

    expect(answer.statusCode).toBe(200);
    expect(await grantsOf(service, client)).toHaveLength(1);
  });

  test.each([
    ['more scopes', [...scopes, 'PROFILE_WRITE'] as const],
    ['full access', null],
  ] as const)('when the client has got %s since, with an empty box (contract §6)', async (_name, wider) => {
    const { cookie, client } = await remember();
    const changed = { scopes: wider === null ? null : [...wider] };
    await service.database.db.update(clients).set(changed).where(eq(clients.id, client.id));

    const answer = await visit(service, requestOf(client), cookie);

    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain('checked');
    expect(await grantsOf(service, client)).toHaveLength(1);
  });

  test('when the answer would go to another address of the app than the one on the page (RFC 6749 §10.6)', async () => {
    const elsewhere = 'http://localhost:1337/dev';
    const redirectUris = ['https://app.example/callback', elsewhere] as const;
    const { user, cookie, client } = await remember({ redirectUris });
    const fromOtherSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

    const answer = await visit(
      service,
      requestOf(client, { redirect_uri: elsewhere }),
      cookie,
      fromOtherSite,
    );

    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.body).toContain('localhost');
    expect(answer.body).not.toContain('checked');
    expect(await grantsOf(service, client)).toHaveLength(1);
    expect(await rememberedOf(service, user, client)).toMatchObject({ redirectUri: redirectUris[0] });
    expect((await visit(service, requestOf(client), cookie)).statusCode).toBe(303);
  });

  test('when the user does not manage the remembered team any more (contract §3)', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user);
    const client = await addClient(service);
    await allowForGood(service, client, cookie, {}, team.slug);
    const { db } = service.database;
    await db.update(memberships).set({ role: 'member' }).where(eq(memberships.userId, user.id));

    const answer = await visit(service, requestOf(client), cookie);

    expect(answer.statusCode).toBe(200);
    expect(await grantsOf(service, client)).toHaveLength(1);
  });

  test('after Allow without the tick (contract §3)', async () => {
    const { user, cookie, client } = await remember({});
    const team = await addTeam(service, user);
    const form = await openDecision(service, requestOf(client, { team_slug: team.slug }), cookie);

    await decide(service, form, 'allow', cookie);

    expect(await rememberedOf(service, user, client)).toBeUndefined();
    expect((await visit(service, requestOf(client), cookie)).statusCode).toBe(200);
  });

  test('after a No, which is never followed by a silent yes', async () => {
    const { user, cookie, client } = await remember({});
    const team = await addTeam(service, user);
    const form = await openDecision(service, requestOf(client, { team_slug: team.slug }), cookie);

    await decide(service, form, 'deny', cookie);

    expect(await rememberedOf(service, user, client)).toBeUndefined();
    expect((await visit(service, requestOf(client), cookie)).statusCode).toBe(200);
  });

  test.each(['disconnect', 'ask-again'] as const)('after %s', async (button) => {
    const { user, cookie, client } = await remember();

    await pressOf(service, client, button, cookie);

    expect(await rememberedOf(service, user, client)).toBeUndefined();
    expect((await visit(service, requestOf(client), cookie)).statusCode).toBe(200);
  });

  test('when everything that the user had allowed was ended (contract §1, ADMIN_EMAIL)', async () => {
    const { user, cookie, client } = await remember();
    const other = await remember();

    await revokeUserGrants(service.database.db, service.app.parts, user.id, 'admin', contextOf(service));

    expect((await visit(service, requestOf(client), cookie)).statusCode).toBe(200);
    expect((await visit(service, requestOf(other.client), other.cookie)).statusCode).toBe(303);
  });

  test('when five codes wait unused, until they have run out: nobody piles them up', async () => {
    const { cookie, client } = await remember();
    await exchangeCode(service, client, codeOf(await visit(service, requestOf(client), cookie)));
    const statuses = [];
    for (let visits = 0; visits < 5; visits += 1)
      statuses.push((await visit(service, requestOf(client), cookie)).statusCode);
    service.clock.advance(60);

    const later = await visit(service, requestOf(client), cookie);

    expect(statuses).toEqual([303, 303, 303, 303, 200]);
    expect(later.statusCode).toBe(303);
    expect(await service.database.db.$count(grants, eq(grants.clientId, client.id))).toBe(7);
  });
});

test('a client that is suspended meanwhile gets no code, remembered or not (contract §2, security C44)', async () => {
  const { cookie } = await addPerson(service);
  const client = await addClient(service);
  await allowForGood(service, client, cookie);
  await setClientStatus(service.database.db, client.id, 'rejected');

  const answer = await visit(service, requestOf(client), cookie);

  expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  expect(await grantsOf(service, client)).toHaveLength(1);
});

describe('only a visit is answered from what is remembered; everything else is shown the page and writes nothing', async () => {
  const { cookie } = await addPerson(service);
  const client = await addClient(service);
  await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));
  const document = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  test.each<[string, Record<string, string>]>([
    ['a prefetch', { ...document, 'sec-purpose': 'prefetch' }],
    ['a prefetch of older browsers', { purpose: 'prefetch' }],
    ['a prefetch of Firefox before', { 'x-moz': 'prefetch' }],
    ['a preview', { 'x-purpose': 'preview' }],
    ['a frame', { ...document, 'sec-fetch-dest': 'iframe' }],
    ['a picture', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['fetch()', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['fetch() of an older browser', { 'sec-fetch-mode': 'cors' }],
  ])('%s', async (_name, headers) => {
    const before = await digestTables(service.database);

    const answer = await visit(service, requestOf(client), cookie, headers);

    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.headers['x-frame-options']).toBe('DENY');
    expect(await digestTables(service.database)).toEqual(before);
    // A user who sees this page after all has chosen before, and keeps the choice by pressing Allow.
    expect(answer.body).toContain('name="remember" value="yes" checked');
  });

  test('HEAD', async () => {
    const before = await digestTables(service.database);

    const answer = await visit(service, requestOf(client), cookie, {}, 'HEAD');

    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each<[string, Record<string, string>]>([
    ['a navigation', document],
    ['a navigation from another site', { ...document, 'sec-fetch-site': 'cross-site' }],
    ['a browser that does not say', {}],
  ])('%s is answered', async (_name, headers) => {
    expect((await visit(service, requestOf(client), cookie, headers)).statusCode).toBe(303);
  });
});

describe('a request that asks for the page, by OpenID Connect’s parameters', () => {
  test.each<[string, Record<string, string>, number]>([
    ['prompt=consent', { prompt: 'consent' }, 200],
    ['prompt=login', { prompt: 'login' }, 200],
    ['prompt=select_account', { prompt: 'select_account' }, 200],
    ['prompt=consent login', { prompt: 'consent login' }, 200],
    ['an unknown prompt', { prompt: 'create' }, 200],
    ['max_age', { max_age: '0' }, 200],
    ['max_age and prompt=login', { max_age: '3600', prompt: 'login' }, 200],
    ['prompt=none', { prompt: 'none' }, 303],
    ['max_age and prompt=none', { max_age: '3600', prompt: 'none' }, 303],
    ['an empty prompt', { prompt: '' }, 303],
  ])('%s, where consent is remembered (contract §3)', async (_name, asked, status) => {
    const { cookie } = await addPerson(service);
    const client = await addClient(service);
    await allowForGood(service, client, cookie);

    const answer = await visit(service, { ...requestOf(client), ...asked }, cookie, crossSite);

    expect([answer.statusCode, codeOf(answer) !== undefined]).toEqual([status, status === 303]);
    expect(await grantsOf(service, client)).toHaveLength(status === 303 ? 2 : 1);
  });

  test('is still one after sign-in', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await allowForGood(service, client, cookie);
    const asked = await visit(service, requestOf(client, { prompt: 'login', max_age: '9' }), '');
    const [, back = ''] = String(asked.headers.location).split('?return_to=');

    const headers = { cookie: await startSession(service, user) };
    const page = await service.app.inject({ url: decodeURIComponent(back), headers });

    expect([page.statusCode, codeOf(page)]).toEqual([200, undefined]);
  });
});
