import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { allowForGood, appsHome, exchangeCode, pressOf, rememberedOf, visit } from '../support/consent.ts';
import { digestTables } from '../support/database-content.ts';
import { addPerson } from '../support/groups.ts';
import { addressesOn, textOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { dead, usable, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  hiddenFieldsOf,
  postForm,
  refresh,
  startSession,
  type TestUser,
} from '../support/world.ts';

const service = await openTestService();
const disconnectAll = `${appsHome}/disconnect-all`;

async function readApps(cookie: string, url: string = appsHome): Promise<string> {
  const page = await service.app.inject({ url, headers: { cookie } });
  expect(page.statusCode).toBe(200);
  return page.body;
}

const appsOn = (html: string): number => html.split('<article').length - 1;
const inBerlin = new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Berlin', dateStyle: 'medium' });

test('an app stands there once, with each account that it acts for', { tags: 'parts' }, async () => {
  const { user, cookie } = await addPerson(service);
  const team = await addTeam(service, user, 'owner', 'Garden Club');
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE', 'SCHEDULE_READ'] });
  await connect(service, client, cookie, { scope: 'PROFILE_READ' });
  await connect(service, client, cookie, { scope: 'PROFILE_READ BOOKING_READ' });
  await connect(service, client, cookie, { scope: 'SCHEDULE_READ', team_slug: team.slug });

  const page = await readApps(cookie);

  const text = textOf(page);
  expect(page.split('aria-label="It can"')).toHaveLength(3);
  const [own, ofTeam] = [text.indexOf('Your account'), text.indexOf('Team Garden Club')];
  expect(appsOn(page)).toBe(1);
  expect(own).toBeGreaterThan(0);
  expect(ofTeam).toBeGreaterThan(own);
  expect(text.slice(own, ofTeam).match(/See your [a-z]+/g)).toEqual(['See your name', 'See your bookings']);
  expect(text.slice(own, ofTeam)).toContain('This includes the teams that you manage: Garden Club.');
  expect(text.slice(ofTeam).match(/See (?:your|the) [a-z ]+/g)).toEqual([
    'See the working hours of the members of the team',
  ]);
  expect(text).toContain('app.example');
});

test('the page says since when an app is connected, and when it was last active', async () => {
  const { user, cookie } = await addPerson(service);
  const client = await addClient(service);
  const tokens = await connect(service, client, cookie);
  const since = inBerlin.format(service.clock.now());
  service.clock.advance(3 * 24 * 3600);
  await refresh(service, client, tokens.refresh_token);

  const text = textOf(await readApps(await startSession(service, user)));

  expect(text).toContain(`Connected since ${since}, last active ${inBerlin.format(service.clock.now())}, `);
});

test('an app that is not accepted any more is told, and can be disconnected (contract §2)', async () => {
  const { cookie } = await addPerson(service);
  const client = await addClient(service);
  await connect(service, client, cookie);
  await setClientStatus(service.database.db, client.id, 'rejected');

  const page = await readApps(cookie);
  await pressOf(service, client, 'disconnect', cookie);

  expect(textOf(page)).toContain('This app isn’t currently approved by our reviewers.');
  expect(appsOn(await readApps(cookie))).toBe(0);
});

test('a team that the user has lost is told as one for which the app cannot act (contract §3)', async () => {
  const { user, cookie } = await addPerson(service);
  const team = await addTeam(service, user, 'admin');
  await connect(service, await addClient(service), cookie, { team_slug: team.slug });
  const { db } = service.database;
  await db.update(memberships).set({ role: 'member' }).where(eq(memberships.userId, user.id));

  const page = await readApps(cookie);

  expect(textOf(page)).toContain('You no longer manage this team, so the app can’t access it.');
  expect(page).not.toContain('aria-label="It can"');
});

test('a user without connected apps sees what the page is for', async () => {
  const { cookie } = await addPerson(service);

  const page = await readApps(cookie);

  expect(textOf(page)).toContain('No connected apps');
  expect(page).not.toContain(disconnectAll);
});

describe('an app that does not ask again', () => {
  test('stands there with that, and the account; "Ask me every time" ends it and nothing else', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addTeam(service, user, 'owner', 'Garden Club');
    const client = await addClient(service);
    const tokens = await connect(service, client, cookie);
    await allowForGood(service, client, cookie, {}, team.slug);

    const before = textOf(await readApps(cookie));
    const answer = await pressOf(service, client, 'ask-again', cookie);
    const after = textOf(await readApps(cookie));

    expect(before).toContain('It can connect to the team Garden Club without asking you.');
    expect(before).toContain('Ask me every time');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${appsHome}?done=asks`]);
    expect(after).not.toContain('you are not asked');
    expect(await use(service, client, tokens)).toEqual(usable);
  });

  test('stands there too when it is not connected at the moment', async () => {
    const { cookie } = await addPerson(service);
    const client = await addClient(service, { name: 'Remembered Only' });
    await allowForGood(service, client, cookie);

    const page = await readApps(cookie);
    await pressOf(service, client, 'ask-again', cookie);

    expect(textOf(page)).toContain('Remembered Only');
    expect(textOf(page)).toContain('Not connected at the moment.');
    expect(page).not.toContain(`/${client.id}/disconnect`);
    expect(appsOn(await readApps(cookie))).toBe(0);
  });

  test.each([
    ['disconnect', 303],
    ['ask-again', 303],
  ] as const)(
    '%s pressed a second time, and for another user or no app, is harmless',
    async (button, status) => {
      const [{ user, cookie }, other] = [await addPerson(service), await addPerson(service)];
      const client = await addClient(service);
      const tokens = await connect(service, client, cookie);
      await allowForGood(service, client, cookie);
      const before = await digestTables(service.database);

      await pressOf(service, client, button, other.cookie);
      await postOwnForm(service, `${appsHome}/nonsense/${button}`, {}, cookie);
      const log = service.logText();
      const untouched = await digestTables(service.database);
      const answers = [
        await pressOf(service, client, button, cookie),
        await pressOf(service, client, button, cookie),
      ];

      expect(log).not.toContain('nonsense');
      expect(untouched).toEqual(before);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status]);
      expect(await rememberedOf(service, user, client)).toBeUndefined();
      expect(await use(service, client, tokens)).toEqual(button === 'disconnect' ? dead : usable);
    },
  );
});

describe('Remove all access', () => {
  test('asks first, then ends every app of the user, remembered ones too, and of nobody else (contract §5)', async () => {
    const [{ user, cookie }, other] = [await addPerson(service), await addPerson(service)];
    const [first, second] = [await addClient(service), await addClient(service)];
    const tokens = [await connect(service, first, cookie), await connect(service, second, cookie)] as const;
    await allowForGood(service, second, cookie);
    const kept = await connect(service, first, other.cookie);

    const page = await readApps(cookie);
    const question = await readApps(cookie, disconnectAll);
    const answer = await postOwnForm(service, disconnectAll, {}, cookie);

    expect(addressesOn(page)).toContain(disconnectAll);
    expect(textOf(question)).toContain('2 apps have access to your account.');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${appsHome}?done=all_disconnected`]);
    expect(await use(service, first, tokens[0])).toEqual(dead);
    expect(await use(service, second, tokens[1])).toEqual(dead);
    expect(await rememberedOf(service, user, second)).toBeUndefined();
    expect((await visit(service, requestOf(second), cookie)).statusCode).toBe(200);
    expect(await use(service, first, kept)).toEqual(usable);
  });

  test('with nothing connected says so, and pressed a second time is harmless', async () => {
    const { cookie } = await addPerson(service);

    const question = await readApps(cookie, disconnectAll);
    const answer = await postOwnForm(service, disconnectAll, {}, cookie);

    expect(textOf(question)).toContain('No apps have access to your account.');
    expect(question).not.toContain(`action="${disconnectAll}"`);
    expect(answer.statusCode).toBe(303);
  });
});

describe('more than 50 apps', async () => {
  const { cookie } = await addPerson(service);
  for (let number = 1; number <= 51; number += 1) {
    const client = await addClient(service, { name: `App ${String(number).padStart(2, '0')}` });
    await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));
  }

  test('stand on pages of 50, by name, each app once', async () => {
    const [first, second] = [await readApps(cookie), await readApps(cookie, `${appsHome}?page=2`)];

    expect([appsOn(first), appsOn(second)]).toEqual([50, 1]);
    expect(textOf(first)).toMatch(/App 01.*App 50/s);
    expect(textOf(second)).toContain('App 51');
    expect(addressesOn(first)).toContain(`${appsHome}?page=2`);
    expect(addressesOn(first)).not.toContain(`${appsHome}?page=0`);
    expect(addressesOn(second)).toContain(`${appsHome}?page=1`);
    expect(addressesOn(second)).not.toContain(`${appsHome}?page=3`);
  });

  test('and a page behind the last leads to the first', async () => {
    const answer = await service.app.inject({ url: `${appsHome}?page=3`, headers: { cookie } });

    expect([answer.statusCode, answer.headers.location]).toEqual([303, appsHome]);
  });

  test.each(['0', '-1', '1.5', 'two', '', '2&page=2', '99999999999999999999', '%00', "1'--"])(
    'and the page "%s" is the first',
    async (number) => {
      const page = await readApps(cookie, `${appsHome}?page=${number}`);

      expect(appsOn(page)).toBe(50);
    },
  );
});

async function openConnections(cookie: string): Promise<string> {
  const page = await service.app.inject({ method: 'GET', url: '/settings/apps', headers: { cookie } });
  expect(page.statusCode).toBe(200);
  return page.body;
}

async function disconnect(user: TestUser, clientId: string) {
  const cookie = await startSession(service, user);
  const fields = hiddenFieldsOf(await openConnections(cookie));
  return postForm(service, `/settings/apps/${clientId}/disconnect`, fields, cookie);
}

test("disconnecting leaves the user's other apps and the app's other users alone (contract §4)", async () => {
  const [user, otherUser] = [await addUser(service), await addUser(service)];
  const [cookie, otherCookie] = [await startSession(service, user), await startSession(service, otherUser)];
  const [client, otherClient] = [await addClient(service), await addClient(service)];
  await connect(service, client, cookie);
  const kept = [await connect(service, otherClient, cookie), await connect(service, client, otherCookie)];

  await disconnect(user, client.id);

  for (const tokens of kept) expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
});

test('a permission that has run out is not shown any more (contract §1, REFRESH_IDLE_DAYS)', async () => {
  const user = await addUser(service);
  const cookie = await startSession(service, user);
  await connect(service, await addClient(service, { name: 'Forgotten App' }), cookie);

  service.clock.advance(30 * 24 * 3600);

  expect(await openConnections(await startSession(service, user))).not.toContain('Forgotten App');
});

test('NUL in a path is refused by every surface in its own language (security C35)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const form = hiddenFieldsOf(await openConnections(cookie));

  const page = await postForm(service, '/settings/apps/a%00b/disconnect', form, cookie);
  const api = await service.app.inject({ method: 'GET', url: '/v2/auth/oauth2/clients/a%00b' });

  expect([page.statusCode, page.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  expect([api.statusCode, api.json()]).toMatchObject([
    400,
    { status: 'error', error: { code: 'BadRequest' } },
  ]);
});
