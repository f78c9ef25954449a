import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
import { codeOf, decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, callMe, connect, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await startSession(service, user);
const owned = await addTeam(service, user, 'owner', 'Owned team');
const managed = await addTeam(service, user, 'admin', 'Managed team');
const joined = await addTeam(service, user, 'member', 'Joined team');
const foreign = await addTeam(service, await addUser(service), 'owner', 'Foreign team');

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

test('the tokens act for the team (contract §5)', async () => {
  const client = await addClient(service);

  const tokens = await connect(service, client, cookie, { team_slug: owned.slug });

  const me = await callMe(service, tokens.access_token);
  expect(me.json()).toMatchObject({ data: { id: user.id, team: { id: owned.id, slug: owned.slug } } });
});
