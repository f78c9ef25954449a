import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { clients, grants } from '../../src/oauth/tables.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { eventsOf } from '../support/audit.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { basicOf } from '../support/basic.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { readFailedRequests } from '../support/failed-requests.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { dead, grantsOf, rotate, usable, use } from '../support/tokens.ts';
import { addClient, addUser, connect, obtainCode, startSession, type TestClient } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service, { DATABASE_GROUPING: 'off' });
const { clock } = service;
const { db } = service.database;
const day = 86_400;
beforeEach(() => clock.advance(60));

/** So many more grants of the user and the client, like the one that there is, but for what is given. */
async function addGrants(
  client: TestClient,
  count: number,
  changes: Partial<typeof grants.$inferInsert> = {},
): Promise<void> {
  const [one] = await grantsOf(service, client);
  if (one === undefined) throw new Error('there is no grant');
  const rows = Array.from({ length: count }, () => ({ ...one, ...changes, id: randomUUID() }));
  await db.insert(grants).values(rows);
}

const liveOf = async (client: TestClient) =>
  (await grantsOf(service, client)).filter((one) => one.revokedAt === null && one.generation > 0);

async function addConnection() {
  const [user, client] = [await addUser(service), await addClient(service)];
  const cookie = await startSession(service, user);
  return { user, client, cookie, tokens: await connect(service, client, cookie) };
}

describe('of more than a hundred grants of a user and an app (security C206)', () => {
  test('a code ends none, by Allow or by remembered consent', async () => {
    const { user, client, cookie, tokens } = await addConnection();
    await addGrants(client, 98);
    const code = codeOf(await allowForGood(service, client, cookie));
    expect((await exchangeCode(service, client, code)).statusCode).toBe(200);

    for (let times = 0; times < 5; times += 1)
      expect(codeOf(await visit(service, requestOf(client), cookie))).toBeDefined();
    for (let times = 0; times < 3; times += 1) await obtainCode(service, cookie, client);

    expect(await liveOf(client)).toHaveLength(100);
    expect(await use(service, client, tokens)).toEqual(usable);
    expect((await eventsOf(service, user)).map(({ action }) => action)).not.toContain('grant.revoked');
  });

  test.each(['on', 'off'])(
    'an exchange ends the one that was unused for longest, not the one begun first, with DATABASE_GROUPING=%s',
    async (grouping) => {
      const { client, cookie, tokens } = await addConnection();
      await addGrants(client, 98);
      clock.advance(1);
      await addGrants(client, 1, {
        rotatedAt: new Date(clock.now().getTime() - 2000),
        issuedAt: clock.now(),
      });
      const busy = await rotate(service, client, tokens);
      const idle = (await grantsOf(service, client)).find(
        ({ rotatedAt }) => rotatedAt?.getTime() === clock.now().getTime() - 2000,
      );
      clock.advance(1);
      const instance = grouping === 'on' ? service : another;

      const fresh = await connect(instance, client, cookie);

      const ended = (await grantsOf(service, client)).filter(({ revokedAt }) => revokedAt !== null);
      expect(ended.map(({ id, revocationReason }) => [id, revocationReason])).toEqual([
        [idle?.id, 'too_many'],
      ]);
      expect(await liveOf(client)).toHaveLength(100);
      expect(await use(service, client, busy)).toEqual(usable);
      expect(await use(service, client, fresh)).toEqual(usable);
    },
  );

  test.each<[string, (now: Date) => Partial<typeof grants.$inferInsert>]>([
    ['were removed', (now) => ({ revokedAt: now, revocationReason: 'user' })],
    ['have expired', (now) => ({ rotatedAt: new Date(now.getTime() - 30 * day * 1000) })],
    [
      'were never exchanged',
      (now) => ({
        ...{ generation: 0, redeemedAt: null, rotatedAt: null },
        issuedAt: new Date(now.getTime() - 61_000),
      }),
    ],
  ])('those that %s take no room, and are deleted first', async (_name, changesAt) => {
    const { client, cookie, tokens } = await addConnection();
    await addGrants(client, 150, { issuedAt: clock.now(), ...changesAt(clock.now()) });
    clock.advance(1);

    const fresh = await connect(service, client, cookie);

    expect(await grantsOf(service, client)).toHaveLength(100);
    expect(await use(service, client, tokens)).toEqual(usable);
    expect(await use(service, client, fresh)).toEqual(usable);
  });

  test('however often it is connected, there are a hundred, and as many that say why they ended', async () => {
    const { client, cookie } = await addConnection();
    await addGrants(client, 99);
    const old = { revokedAt: clock.now(), revocationReason: 'too_many' } as const;
    await addGrants(client, 120, old);

    for (let times = 0; times < 3; times += 1) {
      clock.advance(1);
      await connect(service, client, cookie);
    }

    expect(await liveOf(client)).toHaveLength(100);
    expect((await grantsOf(service, client)).length).toBeLessThanOrEqual(202);
  });

  test('an exchange succeeds where no room can be made for it, and the next one makes it', async () => {
    const { client, cookie } = await addConnection();
    await addGrants(client, 99);
    await db.execute(sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no room is made'; end $$`);
    await db.execute(sql`create trigger no_room before update on ${grants} for each row
      when (new.revocation_reason = 'too_many') execute function refuse()`);
    await connect(service, client, cookie);
    expect(await liveOf(client)).toHaveLength(101);
    expect(service.logText()).toContain('grants past the limit were not ended');
    await db.execute(sql`drop trigger no_room on ${grants}`);

    await connect(service, client, cookie);

    expect(await liveOf(client)).toHaveLength(100);
  });

  test('an exchange makes room after a deadlock, too', async () => {
    const { client, cookie } = await addConnection();
    await addGrants(client, 99);
    await db.execute(sql`create sequence deadlocks`);
    await db.execute(sql`create function lock_dead() returns trigger language plpgsql as
      $$ begin if nextval('deadlocks') = 1 then raise exception using errcode = '40P01'; end if; return new; end $$`);
    await db.execute(sql`create trigger deadlock before update on ${grants} for each row
      when (new.revocation_reason = 'too_many') execute function lock_dead()`);

    await connect(service, client, cookie);
    await db.execute(sql`drop trigger deadlock on ${grants}`);

    expect(await liveOf(client)).toHaveLength(100);
  });

  test('what ends is told: to the app, in the activity, and in its failed requests', {
    tags: 'parts',
  }, async () => {
    const subscriber = await startSubscriber();
    const { user, client, cookie, tokens } = await addConnection();
    const owner = await addUser(service);
    await db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, client.id));
    const headers = { authorization: basicOf(client) };
    const body = { subscriberUrl: subscriber.address('/access'), triggers: ['ACCESS_REMOVED'] };
    bodyOf(await callApi(service, 'POST', `/oauth-clients/${client.id}/webhooks`, { headers, body }), 201);
    clock.advance(1);
    await addGrants(client, 99, { rotatedAt: clock.now() });
    clock.advance(1);

    await connect(service, client, cookie);
    clock.advance(5);

    expect(await use(service, client, tokens)).toEqual(dead);
    const ofOwner = { client, cookie: await startSession(service, owner) };
    const [failed] = await readFailedRequests(service, ofOwner);
    expect(failed?.sentence).toContain(
      'Access was revoked 5 seconds earlier, because the user connected your app more than 100 times, and this access was unused for longest.',
    );
    expect((await eventsOf(service, user)).at(-1)).toMatchObject({
      ...{ action: 'grant.revoked', clientId: client.id },
    });
    await expect.poll(() => subscriber.events.length).toBe(1);
    expect(subscriber.events[0]).toMatchObject({
      triggerEvent: 'ACCESS_REMOVED',
      payload: { userId: user.id, reason: 'too_many' },
    });
  });
});
