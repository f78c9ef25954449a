import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashId } from '../../src/accounts/browsers.ts';
import { sessions } from '../../src/accounts/tables.ts';
import { openSurfaceWorld } from '../fuzz/surface-world.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { holdTable } from '../support/held.ts';
import { titleOf } from '../support/page-content.ts';
import { listRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';
import { fillAccount } from './full-account.ts';

const connections = new Set<Socket>();
subscribe('net.client.socket', (message) => {
  const isSocket = typeof message === 'object' && message !== null && 'socket' in message;
  if (isSocket && message.socket instanceof Socket) connections.add(message.socket);
});
/** From the database: nothing else is connected to. */
const bytesRead = (): number => [...connections].reduce((sum, { bytesRead: bytes }) => sum + bytes, 0);

const service = await openTestService({}, undefined, undefined, { connections: 10 });
beforeEach(() => service.clock.advance(120));

const open = (cookie: string, url: string) => service.app.inject({ url, headers: { cookie } });

test('no answer at the limits reads more than 200 KB for each request that it counts as, on pages and in the API (security C217, C218)', async () => {
  const world = await openSurfaceWorld(service);
  const full = await fillAccount(service, world.person, Number(world.ids.teamId));
  const idsFor = (path: string): Readonly<Record<string, string>> => ({
    ...{ ...world.ids, groupId: world.ids.teamId, username: String(world.person.username) },
    ...(path.startsWith('/settings/developer') ? { clientId: full.clientId } : {}),
    webhookId: path.includes('/teams/') ? world.webhookIds.team : world.webhookIds.own,
    id: String(path.includes('event-types') ? full.eventTypeId : full.scheduleId),
    eventTypeSlug: 'talk-0',
  });
  const found: (readonly [url: string, bytes: number, counted: number, status: number])[] = [];
  for (const { method, path } of listRoutes(service.app)) {
    if (method !== 'GET' || path === '/readyz') continue;
    const ids = idsFor(path);
    const url = path
      .replaceAll(/\(.*?\$\)/g, '')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'none'));
    const isOfApi = path.startsWith('/v2');
    const isLong = isOfApi && /(bookings|event-types|schedules|memberships)$/.test(path);
    // Room for the largest answers, before the token expires.
    service.clock.advance(isLong ? 120 : 1);
    const headers = isOfApi ? { authorization: `Bearer ${world.token}` } : { cookie: world.cookie };
    const ask = () => service.app.inject({ url: isLong ? `${url}?take=250` : url, headers });
    const leftAfter = (answer: LightMyRequestResponse): number =>
      isOfApi ? Number(answer.headers['ratelimit-remaining']) : leftOf(world.cookie);
    const left = leftAfter(await ask());
    const before = bytesRead();
    const second = await ask();
    const bytes = bytesRead() - before;
    const counted = left - leftAfter(second);
    found.push([url, bytes, counted, second.statusCode]);
  }

  const shown = found.filter(([, , , status]) => status === 200).map(([url]) => url);
  expect(shown).toEqual(
    expect.arrayContaining([
      '/settings/availability',
      '/settings/event-types',
      '/settings/developer/oauth',
      '/bookings',
    ]),
  );
  expect(shown).toContain('/v2/schedules');
  expect(shown).toContain(`/v2/teams/${world.ids.teamId}/schedules`);
  const tooCheap = found.filter(([, bytes, counted]) => bytes > 0 && !(bytes / counted <= 200_000));
  expect(tooCheap).toEqual([]);
}, 120_000);

/** Pages don't tell how many are left. */
function leftOf(cookie: string): number {
  const [, id = ''] = cookie.split('=');
  return service.app.buckets.requests.take([[`session ${hashId(id)}`, 1]], 0).remaining;
}

describe('who asks for too much waits for nobody but themselves (security C217)', () => {
  test('a session has its pages of a minute, and all sessions of a person four times as many; past that a page says so', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const [session] = await service.database.db.select().from(sessions).where(eq(sessions.userId, user.id));
    const other = await signIn(service, user);
    const third = await signIn(service, user);
    const { requests } = service.app.buckets;
    const statusOf = async (of: string) => (await open(of, '/settings/password')).statusCode;
    const ofPerson = [[`person ${user.id}`, 4]] as const;
    requests.take([[`session ${session?.idHash}`, 1], ...ofPerson], requests.max - 1);

    expect(await statusOf(cookie)).toBe(200);
    const refused = await open(cookie, '/settings/availability');
    expect(await statusOf(other)).toBe(200);
    requests.take(ofPerson, 3 * requests.max - 2);
    expect([await statusOf(other), await statusOf(third)]).toEqual([200, 429]);

    expect(refused.statusCode).toBe(429);
    expect(titleOf(refused)).toBe('Too many requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    service.takeStatements();
    await open(cookie, '/settings/availability');
    expect(service.takeStatements()).toHaveLength(1);
  });

  test('two requests of a session and four of a person at the same time, with 100 of a session waiting', async () => {
    const { user } = await represent(service);
    const { token: bens } = await represent(service);
    const cookies = [await signIn(service, user), await signIn(service, user), await signIn(service, user)];
    const held = await holdTable(service, 'bookings');
    const [first = '', second = '', third = ''] = cookies;
    const asked = Array.from({ length: 103 }, () => open(first, '/bookings/nothing'));
    const tooMany = await Promise.race(asked);
    const others = [second, second, second, third].map((cookie) => open(cookie, '/bookings/nothing'));
    await held.untilWaiting(4);
    const me = await callApi(service, 'GET', '/me', { token: bens });
    const waiting = held.untilWaiting(5).then(
      () => 'five',
      () => 'four',
    );
    const isFour = Promise.race([waiting, new Promise((resolve) => setTimeout(() => resolve('four'), 300))]);

    expect(await isFour).toBe('four');
    await held.release();
    expect(me.statusCode).toBe(200);
    expect([tooMany.statusCode, titleOf(tooMany)]).toEqual([429, 'Too many requests']);
    const statuses = (await Promise.all([...asked, ...others])).map(({ statusCode }) => statusCode);
    expect(statuses.sort()).toEqual([...Array(106).fill(404), 429]);
    await waiting;
  });

  test('an answer that is longer than it was counted for counts before the next one that waited is read (security C218)', async () => {
    const { user, token } = await represent(service);
    const cookie = await signIn(service, user);
    const overrides = Array.from({ length: 400 }, (_, index) => ({
      date: new Date(Date.UTC(2027, 5, 1 + index)).toISOString().slice(0, 10),
      ...{ startTime: '00:00', endTime: '00:00' },
    }));
    const body = { name: 'Hours', timeZone: 'UTC', isDefault: false, overrides };
    for (let made = 0; made < 40; made += 1)
      bodyOf(await callApi(service, 'POST', '/schedules', { token, body }), 201);
    service.clock.advance(120);

    const asked = await Promise.all(
      Array.from({ length: 60 }, () => callApi(service, 'GET', '/schedules', { token })),
    );
    const one = asked.find(({ statusCode }) => statusCode === 200)?.body.length ?? 0;
    const read = asked.filter(({ statusCode }) => statusCode === 200).length;

    expect(read).toBeLessThanOrEqual(Math.ceil(600 / Math.ceil(one / 32_768)) + 2);
    expect(read).toBeGreaterThan(2);
    expect((await callApi(service, 'GET', '/schedules', { token })).statusCode).toBe(429);
    expect((await open(cookie, '/settings/availability')).statusCode).toBe(200);
  });
});
