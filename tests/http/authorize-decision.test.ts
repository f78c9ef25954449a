import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
import { clients } from '../../src/oauth/tables.ts';
import {
  type AuthorizationFields,
  codeOf,
  decide,
  openDecision,
  redirectOf,
  requestOf,
} from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { exchangeCode, pressOf } from '../support/consent.ts';
import { addressesOn, textOf, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { dead, grantsOf, usable, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  connect,
  createPkce,
  openAuthorizePage,
  postForm,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await startSession(service, user);
const owned = await addTeam(service, user, 'owner', 'Owned team');
const managed = await addTeam(service, user, 'admin', 'Managed team');
const joined = await addTeam(service, user, 'member', 'Joined team');
const foreign = await addTeam(service, await addUser(service), 'owner', 'Foreign team');

/** Nothing was decided: the page says so, offers to look again, and sends nobody anywhere. */
function expectOutdated(answer: LightMyRequestResponse): void {
  expect(answer.statusCode).toBe(400);
  expect(answer.headers).not.toHaveProperty('location');
  expect(titleOf(answer)).toBe('This page has expired');
  expect(addressesOn(answer.body).some((address) => address.startsWith(`${authorizePath}?`))).toBe(true);
}

test('the page offers the teams that one owns or administers, and no other (contract §3)', async () => {
  const client = await addClient(service);

  const page = await openAuthorizePage(service, requestOf(client), cookie);

  const [choice = ''] = /<select id="account".*?<\/select>/s.exec(page.body) ?? [];
  const options = [...choice.matchAll(/<option value="([^"]*)"( selected)?/g)];
  expect(options.map(([, slug, selected]) => [slug, selected])).toEqual([
    ['', ' selected'],
    [managed.slug, undefined],
    [owned.slug, undefined],
  ]);
});

test('who manages no team is offered no choice (contract §3)', async () => {
  const client = await addClient(service);

  const page = await openAuthorizePage(
    service,
    requestOf(client),
    await startSession(service, await addUser(service)),
  );

  expect(page.statusCode).toBe(200);
  expect(page.body).not.toContain('name="account"');
});

test.each([
  ['oneself', '', null],
  ['an owned team', owned.slug, owned.id],
  ['an administered team', managed.slug, managed.id],
] as const)('Allow for %s makes a grant for it (contract §3)', async (_name, account, teamId) => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);

  const answer = await decide(service, { ...form, account }, 'allow', cookie);

  expect(codeOf(answer)).toBeDefined();
  expect(await grantsOf(service, client)).toMatchObject([{ userId: user.id, teamId }]);
});

describe.each([
  ['a team of which one is a mere member', joined.slug],
  ["another user's team", foreign.slug],
  ['an unknown team', 'unknown'],
] as const)('%s', (_name, slug) => {
  test('chosen in the form is refused, and nothing is stored (contract §3, security C28)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client, { state: 'x' }), cookie);

    const answer = await decide(service, { ...form, account: slug }, 'allow', cookie);

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual({
      address: client.redirectUri,
      parameters: [
        ['error', 'access_denied'],
        ['error_description', 'team_not_found_or_no_access'],
        ['state', 'x'],
        ['iss', service.appUrl],
      ],
    });
    expect(await grantsOf(service, client)).toEqual([]);
  });
});

test('team_slug fixes the team: the page names it and leaves no choice (contract §3)', async () => {
  const client = await addClient(service);

  const page = await openAuthorizePage(service, requestOf(client, { team_slug: owned.slug }), cookie);

  expect(textOf(page.body)).toContain('It gets access to the team Owned team.');
  expect(page.body).not.toContain('name="account"');
});

test('a choice in the form does not change the team that team_slug fixed (contract §3)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client, { team_slug: owned.slug }), cookie);

  await decide(service, { ...form, account: managed.slug }, 'allow', cookie);

  expect(await grantsOf(service, client)).toMatchObject([{ teamId: owned.id }]);
});

test('who is no longer an admin when allowing is refused (contract §3)', async () => {
  const leaver = await addUser(service);
  const team = await addTeam(service, leaver, 'admin');
  const leaverCookie = await startSession(service, leaver);
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), leaverCookie);
  await demote(leaver.id);

  const answer = await decide(service, { ...form, account: team.slug }, 'allow', leaverCookie);

  expect(redirectOf(answer).parameters).toContainEqual(['error_description', 'team_not_found_or_no_access']);
  expect(await grantsOf(service, client)).toEqual([]);
});

async function demote(userId: number): Promise<void> {
  await service.database.db.update(memberships).set({ role: 'member' }).where(eq(memberships.userId, userId));
}

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

const { challenge } = createPkce();
const redirectUris = ['https://app.example/a', 'https://app.example/b'] as const;
const scopes = ['PROFILE_READ', 'BOOKING_READ'] as const;

describe('a decision is bound to the request that was shown (contract §3, security C28)', async () => {
  const client = await addClient(service, { redirectUris: [...redirectUris], scopes });
  const twin = await addClient(service, { redirectUris: [...redirectUris], scopes });
  const shown = requestOf(client, {
    state: 'shown',
    scope: 'PROFILE_READ',
    code_challenge: challenge,
    team_slug: owned.slug,
  });

  test.each<[string, AuthorizationFields]>([
    ['a wider scope', { scope: 'PROFILE_READ PROFILE_WRITE' }],
    ['another scope', { scope: 'PROFILE_WRITE' }],
    ['no scope', { scope: '' }],
    ['another redirect_uri', { redirect_uri: redirectUris[1] }],
    ['another client_id', { client_id: twin.id }],
    ['another state', { state: 'other' }],
    ['no state', { state: '' }],
    ['another code_challenge', { code_challenge: createPkce().challenge }],
    ['no code_challenge', { code_challenge: '' }],
    ['a code_challenge_method', { code_challenge_method: 'S256' }],
    ['a response_type', { response_type: 'code' }],
    ['another team_slug', { team_slug: managed.slug }],
    ['no team_slug', { team_slug: '' }],
  ])('%s is refused', async (_name, changes) => {
    const form = await openDecision(service, shown, cookie);

    const answer = await decide(service, { ...form, ...changes }, 'allow', cookie);

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
    expect(await grantsOf(service, twin)).toEqual([]);
  });
});

test('a registration that has become wider does not widen what was shown (contract §6, security C28)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ'] });
  const form = await openDecision(service, requestOf(client), cookie);
  await service.database.db
    .update(clients)
    .set({ scopes: ['PROFILE_READ', 'PROFILE_WRITE'] })
    .where(eq(clients.id, client.id));

  const answer = await decide(service, form, 'allow', cookie);

  expectOutdated(answer);
  expect(await grantsOf(service, client)).toEqual([]);
});

describe('a decision is bound to the session (contract §3, security C28)', () => {
  test.each<[string, () => Promise<string>]>([
    ["another user's session", async () => startSession(service, await addUser(service))],
    ['another session of the same user', () => startSession(service, user)],
  ])('%s is refused', async (_name, openSession) => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await decide(service, form, 'allow', await openSession());

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
  });
});

test.each(['', 'approve', 'ALLOW', 'allow deny'])(
  'the action "%s" decides nothing (contract §3)',
  async (action) => {
    const client = await addClient(service, { scopes });
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await postForm(service, authorizePath, { ...form, action }, cookie);

    expectOutdated(answer);
    expect(await grantsOf(service, client)).toEqual([]);
  },
);

const { db } = service.database;

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
    const status = (await exchangeCode(service, client, codeOf(await decide(service, form, 'allow', cookie))))
      .statusCode;

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
    await exchangeCode(service, client, codeOf(await decide(service, form, 'allow', own)));
    const changed = await change(client);

    const again = await decide(service, form, 'allow', typeof changed === 'string' ? changed : own);

    expect(again.statusCode).toBe(400);
    expect(textOf(again.body)).toContain('Your click changed nothing.');
    expect(again.body).not.toContain('Nothing was shared');
  });
});
