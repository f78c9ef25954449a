import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { issueRemembered } from '../../src/oauth/authorize/store.ts';
import { clients, grants, rememberedConsents } from '../../src/oauth/tables.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import { contextOf } from '../support/audit.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, pressOf, visit } from '../support/consent.ts';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { dead, grantIdOf, grantsOf, revoke, rotate, usable, use } from '../support/tokens.ts';
import { addClient, addUser, startSession, type TestClient, type Tokens } from '../support/world.ts';

const daySeconds = 86_400;

async function remember(service: TestService) {
  const user = await addUser(service);
  const client = await addClient(service);
  const cookie = await startSession(service, user);
  const code = codeOf(await allowForGood(service, client, cookie));
  const tokens: Tokens = (await exchangeCode(service, client, code)).json();
  return { user, client, tokens };
}

/** What the authorization page does without being asked; each time in a new session. */
async function comeBack(service: TestService, { user, client }: Awaited<ReturnType<typeof remember>>) {
  const answer = await visit(service, requestOf(client), await startSession(service, user));
  const code = codeOf(answer);
  if (code === undefined) return { status: answer.statusCode, tokens: undefined };
  const tokens: Tokens = (await exchangeCode(service, client, code)).json();
  return { status: answer.statusCode, tokens };
}

test('a remembered yes that was given again meanwhile repeats nothing of the former one (security C215)', async () => {
  const service = await openTestService();
  const { user, client } = await remember(service);
  const { db } = service.database;
  const [row] = await db.select().from(rememberedConsents).where(eq(rememberedConsents.userId, user.id));
  if (row === undefined) throw new Error('nothing is remembered');
  const { redirectUri, teamId, rememberedAt } = row;
  const scopes = row.scopes ?? [];
  const repeat = (at: Date) =>
    issueRemembered(
      service.app,
      {
        ...{ id: newUuid(service.clock), clientId: client.id, userId: user.id },
        ...{ redirectUri, teamId, scopes, resources: null, codeChallenge: null, dpopJkt: null },
      },
      { appName: 'App', rememberedAt: at, keepRequest: async () => {} },
      contextOf(service),
    );

  expect(await repeat(new Date(rememberedAt.getTime() - 1))).toBe(false);
  expect(await repeat(rememberedAt)).toBe(true);
});

describe('a remembered yes ends with the access that it rested on (contract §3, security C215)', async () => {
  const service = await openTestService();
  const { db } = service.database;
  const ofApp = ({ id }: TestClient) => eq(grants.clientId, id);

  test.each<[string, (of: Awaited<ReturnType<typeof remember>>) => Promise<unknown>]>([
    ['the app revokes it', ({ client, tokens }) => revoke(service, client, tokens.refresh_token)],
    ['it expires', async () => service.clock.advance(30 * daySeconds)],
    [
      'the app changes what people agreed to',
      ({ client }) =>
        db.update(clients).set({ consentsEndedAt: service.clock.now() }).where(eq(clients.id, client.id)),
    ],
    ['its row is deleted', ({ client }) => db.delete(grants).where(ofApp(client))],
    [
      'what is left gives less',
      ({ client }) =>
        db
          .update(grants)
          .set({ scopes: ['BOOKING_READ'] })
          .where(ofApp(client)),
    ],
    [
      'what is left is for another resource',
      ({ client }) =>
        db
          .update(grants)
          .set({ resources: ['https://notes.example/'] })
          .where(ofApp(client)),
    ],
  ])('when %s, the page asks again and writes nothing', async (_name, end) => {
    const remembered = await remember(service);
    const { user, client } = remembered;
    const before = await comeBack(service, remembered);
    if (before.tokens) await db.delete(grants).where(eq(grants.id, grantIdOf(before.tokens)));

    await end(remembered);
    const count = (await grantsOf(service, client)).length;
    const after = await comeBack(service, remembered);
    const apps = textOf((await openAs(service, '/settings/apps', await startSession(service, user))).body);

    expect([before.status, after.status]).toEqual([303, 200]);
    expect(await grantsOf(service, client)).toHaveLength(count);
    expect(apps).not.toContain('without asking you');
  });

  test('and not while one of its renewals stands', async () => {
    const remembered = await remember(service);
    service.clock.advance(20 * daySeconds);
    await comeBack(service, remembered);
    service.clock.advance(20 * daySeconds);

    expect((await comeBack(service, remembered)).status).toBe(303);
  });
});

describe.each(['on', 'off'])(
  'a remembered yes lasts REFRESH_MAX_DAYS from the click, with DATABASE_GROUPING=%s',
  async (grouping) => {
    const service = await openTestService({
      DATABASE_GROUPING: grouping,
      REFRESH_IDLE_DAYS: '2',
      REFRESH_MAX_DAYS: '5',
    });

    test('and so does all that it has given, however often it was renewed (contract §3, security C215)', async () => {
      const remembered = await remember(service);
      const { client } = remembered;
      let tokens: Tokens | undefined = remembered.tokens;
      for (let day = 1; day < 5; day += 1) {
        service.clock.advance(daySeconds);
        tokens = (await comeBack(service, remembered)).tokens;
      }
      if (tokens === undefined) throw new Error('it asked too early');
      service.clock.advance(daySeconds - 1);
      const last = await rotate(service, client, tokens);
      expect(await use(service, client, last)).toEqual(usable);

      service.clock.advance(1);
      const { status } = await comeBack(service, remembered);

      expect(status).toBe(200);
      expect(await use(service, client, last)).toEqual(dead);
    });

    test('and with the code of the click, where nobody ever exchanged one (security C215)', async () => {
      const [user, client] = [await addUser(service), await addClient(service)];
      await allowForGood(service, client, await startSession(service, user));
      const open = async () =>
        (await visit(service, requestOf(client), await startSession(service, user))).statusCode;

      service.clock.advance(59);
      const before = await open();
      service.clock.advance(1);

      expect([before, await open()]).toEqual([303, 200]);
    });

    test('also where access that lasts longer has come from elsewhere', async () => {
      const remembered = await remember(service);
      const { client } = remembered;
      service.clock.advance(4 * daySeconds);
      const now = service.clock.now();
      const given = { approvedAt: now, redeemedAt: now, rotatedAt: now };
      await service.database.db.update(grants).set(given).where(eq(grants.clientId, client.id));

      service.clock.advance(daySeconds - 1);
      const before = await comeBack(service, remembered);
      service.clock.advance(1);

      expect([before.status, (await comeBack(service, remembered)).status]).toEqual([303, 200]);
    });

    test('and begins anew with the next click', async () => {
      const remembered = await remember(service);
      const { user, client } = remembered;
      service.clock.advance(daySeconds);
      const cookie = await startSession(service, user);
      await pressOf(service, client, 'ask-again', cookie);
      await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));
      for (let day = 1; day < 5; day += 1) {
        service.clock.advance(daySeconds);
        expect((await comeBack(service, remembered)).status).toBe(303);
      }
    });
  },
);
