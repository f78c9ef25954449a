import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients, grants } from '../../src/oauth/tables.ts';
import { webhooks } from '../../src/webhooks/tables.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { addClient, connect, startSession, type TestClient } from '../support/world.ts';

const { service, db, ann, team, addTeamEventType, booked } = await openBookingsApi();
const subscriber = await startSubscriber();
const { id: eventTypeId } = await addTeamEventType('collective', [ann]);

let paths = 0;
const countSentTo = (path: string) => subscriber.events.filter((event) => event.path === path).length;

async function addWebhook(token: string, at = '') {
  paths += 1;
  const path = `/${paths}`;
  const body = { subscriberUrl: subscriber.address(path), triggers: ['BOOKING_CREATED'] };
  bodyOf(await callApi(service, 'POST', `${at}/webhooks`, { token, body }), 201);
  return path;
}

/** A webhook that an app made for Ann, whose access has ended since. */
async function addEnded(at?: string) {
  const cookie = await startSession(service, ann.user);
  const client = await addClient(service, { scopes: ['WEBHOOK_WRITE', 'PROFILE_READ'] });
  const path = await addWebhook((await connect(service, client, cookie)).access_token, at);
  await db.update(grants).set({ revokedAt: service.clock.now() }).where(eq(grants.clientId, client.id));
  const again = (parameters: Record<string, string>) => connect(service, client, cookie, parameters);
  return { client, path, again };
}

async function idOfWebhook({ id }: Pick<TestClient, 'id'>): Promise<string> {
  const [found] = await db.select().from(webhooks).where(eq(webhooks.appId, id));
  return found?.id ?? 'none';
}

/** Books with Ann for the team, of which another app hears; then, which of these webhooks have. */
async function book(...webhooks: string[]): Promise<() => readonly string[]> {
  const other = await addWebhook(ann.token);
  await booked(eventTypeId);
  await expect.poll(() => countSentTo(other)).toBe(1);
  return () => webhooks.filter((path) => countSentTo(path) > 0);
}

describe('a webhook of an app that was removed (security C135)', () => {
  const atTeam = `/teams/${team.id}`;

  test('hears nothing where the app is connected again without webhooks', async () => {
    const [own, ofTeam] = [await addEnded(), await addEnded(atTeam)];
    await own.again({ scope: 'PROFILE_READ' });
    await ofTeam.again({ scope: 'PROFILE_READ' });

    expect((await book(own.path, ofTeam.path))()).toEqual([]);
  });

  test('hears nothing where the app is no longer registered for webhooks', async () => {
    const { client, path, again } = await addEnded();
    await again({});
    const isApp = eq(clients.id, client.id);
    await db
      .update(clients)
      .set({ scopes: ['PROFILE_READ'] })
      .where(isApp);

    expect((await book(path))()).toEqual([]);
  });

  test('hears nothing of a person where the app is connected again for a team', async () => {
    const [own, ofTeam] = [await addEnded(), await addEnded(atTeam)];
    await own.again({ team_slug: team.slug });
    await ofTeam.again({ team_slug: team.slug });

    await expect.poll(await book(own.path, ofTeam.path)).toEqual([ofTeam.path]);
  });

  test('is shown as the app’s own, with what is wrong (contract §8)', async () => {
    const cookie = await startSession(service, ann.user);
    const shownAt = async (page: string) => textOf((await openAs(service, page, cookie)).body);
    const own = '/settings/webhooks';
    const ofTeam = `/settings/teams/${team.id}/webhooks`;
    const silent =
      'Created by Test app. It gets no events, because that app no longer has access to webhooks here.';
    const { client, again } = await addEnded();
    await addEnded(atTeam);

    expect(await shownAt(own)).toContain(silent);
    expect(await shownAt(ofTeam)).toContain(silent);
    expect(await shownAt(own)).toContain('On, but gets no events');
    const id = await idOfWebhook(client);
    expect(await shownAt(`${own}/${id}`)).toContain(silent);
    await again({ scope: 'WEBHOOK_READ' });
    expect(await shownAt(`${own}/${id}`)).toContain('Created by Test app.');
    expect(await shownAt(`${own}/${id}`)).not.toContain('no events');
  });

  test('hears again where the app is connected again for webhooks', async () => {
    const [own, ofTeam] = [await addEnded(), await addEnded(atTeam)];
    await own.again({ scope: 'WEBHOOK_READ' });
    await ofTeam.again({ scope: 'WEBHOOK_READ' });

    await expect.poll(await book(own.path, ofTeam.path)).toEqual([own.path, ofTeam.path]);
  });
});
