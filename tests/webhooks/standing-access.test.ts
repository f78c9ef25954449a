import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countConnectedUsers, listConnectedClients } from '../../src/oauth/connected-apps/store.ts';
import { momentOf } from '../../src/oauth/standing.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { findChoosingApp } from '../../src/scheduling/calendars/store.ts';
import { calendars } from '../../src/scheduling/tables.ts';
import { findPrincipal } from '../../src/v2/principals/store.ts';
import { findListeners, findSources } from '../../src/webhooks/events/store.ts';
import { webhooks } from '../../src/webhooks/tables.ts';
import { callApi } from '../support/api.ts';
import { openTestService } from '../support/service.ts';
import { introspectionPath, postBody, rotate } from '../support/tokens.ts';
import { addClient, addUser, callMe, clientFields, connect, signIn } from '../support/world.ts';

const service = await openTestService();
const { app, clock } = service;
const { db } = service.database;
const { lifetimes } = app.config;
const daySeconds = 86_400;
const bytes = new Uint8Array([1]);

/** A user, and what an app made for them: a webhook of its own, one of theirs, and a calendar to write to. */
async function addParty() {
  const [user, client] = [await addUser(service), await addClient(service)];
  const hook = { triggers: ['BOOKING_CREATED' as const], encryptedSecret: bytes, createdAt: clock.now() };
  const address = { subscriberUrl: 'https://app.example/hook' };
  const [own, ofUser] = [randomUUID(), randomUUID()];
  await db.insert(webhooks).values([
    { id: own, clientId: client.id, ...hook, ...address },
    { id: ofUser, userId: user.id, makerId: user.id, appId: client.id, ...hook, ...address },
  ]);
  const access = { kind: 'caldav', name: 'Work', encryptedAccess: bytes, createdAt: clock.now() } as const;
  await db.insert(calendars).values({ userId: user.id, destinationAppId: client.id, ...access });
  return { user, client, hookIds: [own, ofUser].toSorted() };
}

/** Ages in seconds. */
interface State {
  /** Null: its code was never exchanged. */
  readonly redeemed: number | null;
  readonly rotated: number;
  readonly isRevoked: boolean;
  readonly isSuspended: boolean;
}

const soon = [0, 29 * daySeconds, 30 * daySeconds - 1, 30 * daySeconds, 31 * daySeconds] as const;
const late = [364 * daySeconds, 365 * daySeconds - 1, 365 * daySeconds, 400 * daySeconds] as const;
const rarely = fc.constantFrom(false, false, false, true);
const states = fc.record({
  redeemed: fc.constantFrom(...soon, ...late, null),
  rotated: fc.constantFrom(...soon, ...late),
  isRevoked: rarely,
  isSuspended: rarely,
});

function isStanding({ redeemed, rotated, isRevoked, isSuspended }: State): boolean {
  const isExchanged = redeemed !== null && redeemed < 365 * daySeconds && rotated < 30 * daySeconds;
  return isExchanged && !isRevoked && !isSuspended;
}

test('whatever became of its grants, an app that Connected apps doesn’t list can do nothing, hears nothing and writes nowhere; one that it lists can (contract §5, security C202)', async () => {
  const { user, client, hookIds } = await addParty();
  const { id: clientId } = client;
  const now = clock.now();
  const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
  const moment = momentOf(lifetimes, now);
  const suspendedAt = ago(500 * daySeconds);
  await db.update(clients).set({ grantsEndedAt: suspendedAt }).where(eq(clients.id, clientId));

  await fc.assert(
    fc.asyncProperty(fc.array(states, { maxLength: 3 }), async (all) => {
      await db.delete(grants).where(eq(grants.clientId, clientId));
      const rows = all.map(({ redeemed, rotated, isRevoked, isSuspended }) => ({
        ...{ id: randomUUID(), clientId, userId: user.id, redirectUri: client.redirectUri },
        issuedAt: isSuspended ? suspendedAt : ago(499 * daySeconds),
        generation: redeemed === null ? 0 : 1,
        redeemedAt: redeemed === null ? null : ago(redeemed),
        rotatedAt: redeemed === null ? null : ago(rotated),
        revokedAt: isRevoked ? now : null,
      }));
      if (rows.length > 0) await db.insert(grants).values(rows);

      const heard = { hostIds: [user.id], teamId: null, eventTypeId: null };
      const acts = await Promise.all(rows.map(({ id }) => findPrincipal(app, { grantId: id, clientId })));
      const listeners = await findListeners(db, ['BOOKING_CREATED'], heard, lifetimes, now);
      const sources = await findSources(
        db,
        hookIds.map((id) => ({ id })),
        moment,
      );
      const listed = await listConnectedClients(app, user.id, { limit: 10, offset: 0 });
      const chooser = await findChoosingApp(db, user.id, moment);

      const expected = all.some(isStanding);
      expect({
        listed: listed.length,
        counted: (await countConnectedUsers(app, clientId)).users,
        acts: acts.map((one) => one !== undefined),
        hears: listeners.map(({ id }) => id).toSorted(),
        saysThatItHears: hookIds.map((id) => sources.get(id)?.isHeard).includes(false),
        writes: chooser?.isHeard,
      }).toEqual({
        listed: expected ? 1 : 0,
        counted: expected ? 1 : 0,
        acts: all.map(isStanding),
        hears: expected ? hookIds : [],
        saysThatItHears: !expected,
        writes: expected,
      });
    }),
    { numRuns: 60 },
  );
});

describe('access that nobody removed ends with its refresh token (contract §5, security C202)', () => {
  test('its last access token too: REFRESH_MAX_DAYS is the end, at our API and in introspection (contract §1)', async () => {
    const brief = await openTestService({ REFRESH_MAX_DAYS: '2' });
    const client = await addClient(brief);
    let tokens = await connect(brief, client, await signIn(brief, await addUser(brief)));
    brief.clock.advance(daySeconds);
    tokens = await rotate(brief, client, tokens);
    brief.clock.advance(daySeconds - 600);
    tokens = await rotate(brief, client, tokens);
    const introspect = async (): Promise<unknown> => {
      const fields = new URLSearchParams({ ...clientFields(client), token: tokens.access_token });
      return (await postBody(brief, fields.toString(), {}, introspectionPath)).json().active;
    };

    brief.clock.advance(599);
    const before = [(await callMe(brief, tokens.access_token)).statusCode, await introspect()];
    brief.clock.advance(1);
    const after = [(await callMe(brief, tokens.access_token)).statusCode, await introspect()];
    const path = `/auth/oauth2/clients/${client.id}`;
    const lookUp = await callApi(brief, 'GET', path, { token: tokens.access_token });

    expect(before).toEqual([200, true]);
    expect(after).toEqual([401, false]);
    expect(lookUp.statusCode).toBe(401);
  });
});
