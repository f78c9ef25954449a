import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '../../src/accounts/person.ts';
import { users } from '../../src/accounts/tables.ts';
import { reviewStatuses } from '../../src/oauth/core/client.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { signUpFields } from '../support/accounts.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { type ApiCall, type ApiMethod, bodyOf, callApi, represent } from '../support/api.ts';
import { countChanges } from '../support/audit.ts';
import { basic, basicOf } from '../support/basic.ts';
import { addTeamEventType } from '../support/booking.ts';
import { emptyOutbox, emptyTable } from '../support/empty-table.ts';
import { useUp } from '../support/guesser.ts';
import { askForReset, resetPathsTo } from '../support/password-reset.ts';
import {
  addOrganization,
  addPlatformClient,
  joinOrganization,
  makeManagedUser,
  usersPath,
} from '../support/platform.ts';
import { scopeNames } from '../support/scopes.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addClient, callMe, postForm, refresh, type TestClient } from '../support/world.ts';

const service = await openTestService({ REFRESH_IDLE_DAYS: '10', REFRESH_MAX_DAYS: '20' });
const { db } = service.database;
const client = await addPlatformClient(service);
const path = usersPath(client);

const call = (method: ApiMethod, url: string, options: ApiCall = {}, as = client) =>
  callApi(service, method, url, { ...options, headers: { authorization: basicOf(as), ...options.headers } });
const make = async (changes: object = {}, as = client) =>
  bodyOf(await makeManagedUser(service, as, changes), 201).data;
const noWebhooks = await openAnotherInstance(service, { PARTS: 'all,-webhooks' });
const as = (by: TestClient, method: ApiMethod, url: string) =>
  callApi(noWebhooks, method, url, {
    headers: { authorization: basicOf(by) },
    body: { email: 'poor@example.com', name: 'Poor' },
  });
const rowOf = async (id: number) => (await db.select().from(users).where(eq(users.id, id)))[0];
const grantsOf = (id: number) => db.select().from(grants).where(eq(grants.userId, id));

describe('a managed user (contract §8)', () => {
  test('keeps every value that it is made with', async () => {
    const values = { name: 'Bob', timeZone: 'Asia/Tokyo', weekStart: 'Sunday', timeFormat: 24 };

    expect((await make(values)).user).toMatchObject(values);
  });

  test('is an ordinary grant: one row, issued and redeemed immediately (architecture §2)', async () => {
    const { user } = await make();

    const now = service.clock.now();
    const times = { issuedAt: now, redeemedAt: now, rotatedAt: now };
    expect(await grantsOf(user.id)).toMatchObject([
      { clientId: client.id, generation: 1, revokedAt: null, scopes: scopeNames, teamId: null, ...times },
    ]);
  });

  test.each([
    ['another service’s, no more listed in SCOPES', ['notes:read']],
    ['of a part that is off', ['WEBHOOK_READ']],
    ['those that say nothing without openid', ['profile', 'email']],
  ])(
    'is neither created nor given tokens where its client is offered nothing: scopes are %s (security C362)',
    async (_which, scopes) => {
      const poor = await addPlatformClient(service, { scopes: [...scopes, 'PROFILE_READ'] });
      const { user, accessToken } = await make({}, poor);
      await db.update(clients).set({ scopes }).where(eq(clients.id, poor.id));
      const before = await db.$count(users);

      const created = await as(poor, 'POST', usersPath(poor));
      const reissued = await as(poor, 'POST', `${usersPath(poor)}/${user.id}/force-refresh`);

      for (const answer of [created, reissued]) {
        expect(answer.statusCode).toBe(403);
        expect(answer.body).toContain('offers none of the scopes');
      }
      expect(await db.$count(users)).toBe(before);
      expect(await grantsOf(user.id)).toMatchObject([{ revokedAt: null }]);
      expect(accessToken).toBeTypeOf('string');
    },
  );

  test('has no metadata here, also where nothing can be booked (contract §8)', async () => {
    const door = await openAnotherInstance(service, { PARTS: 'managed-users' });
    const metadata = { plan: 'free' };

    for (const instance of [service, door]) {
      const refused = await makeManagedUser(instance, client, { metadata });

      expect(bodyOf(refused, 400).error.details).toEqual({
        metadata: 'Not supported. No metadata is stored with users.',
      });
    }
  });

  test('is granted what the client is registered for, and no more (contract §6)', async () => {
    const scoped = await addPlatformClient(service, { scopes: ['PROFILE_READ'] });
    const { accessToken } = await make({}, scoped);

    expect(decodeJwt(accessToken)).toMatchObject({ scope: 'PROFILE_READ', client_id: scoped.id });
    expect((await callMe(service, accessToken)).statusCode).toBe(200);
    expect((await callApi(service, 'GET', '/schedules', { token: accessToken })).statusCode).toBe(403);
  });

  test('can be made once for an address by one client, and again by another', async () => {
    const { user } = await make({ email: 'twice@example.com' });
    const before = await db.$count(users);

    const again = await makeManagedUser(service, client, { email: 'TWICE@example.com' });

    expect(bodyOf(again, 409).error).toMatchObject({
      code: 'Conflict',
      details: { email: 'Use another email address.' },
    });
    expect(await db.$count(users)).toBe(before);
    const others = await make({ email: 'twice@example.com' }, await addPlatformClient(service));
    expect(others.user.email).not.toBe(user.email);
    expect(others.user.displayEmail).toBe(user.displayEmail);
  });

  test('of ten concurrent requests for one address is created once', async () => {
    const email = 'race@example.com';
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => makeManagedUser(service, client, { email })),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });
});

test('past 30,000 changes in a day a client makes no user, and can delete those it has (security C73)', async () => {
  const spent = await addPlatformClient(service);
  const { user } = await make({}, spent);
  await countChanges(service, { actorClientId: spent.id }, 60 * databaseLimits.changes.max);

  const refused = await makeManagedUser(service, spent);

  expect(refused.statusCode).toBe(429);
  expect(bodyOf(await call('GET', usersPath(spent), {}, spent)).data).toHaveLength(1);
  bodyOf(await call('DELETE', `${usersPath(spent)}/${user.id}`, {}, spent));
});

describe('the managed users of a client', () => {
  test('are listed in pages, without those of others', async () => {
    const other = await addPlatformClient(service);
    await make();
    const ids: number[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.push((await make({ name }, other)).user.id);

    for (const query of ['take=2&skip=1', 'limit=2&offset=1']) {
      const page = bodyOf(await call('GET', `${usersPath(other)}?${query}`, {}, other));

      expect(page.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(1));
      expect(page.pagination).toMatchObject({ totalItems: 3, returnedItems: 2, itemsPerPage: 2 });
    }
  });

  test('are shown and changed one by one; what is left out stays', async () => {
    const { user } = await make();
    const url = `${path}/${user.id}`;

    const changed = bodyOf(
      await call('PATCH', url, { body: { email: 'new@example.com', timeFormat: 24 } }),
    ).data;

    expect(changed).toEqual({
      ...user,
      email: expect.stringMatching(/^new\+[a-z0-9]{25}@example\.com$/),
      displayEmail: 'new@example.com',
      timeFormat: 24,
    });
    expect(bodyOf(await call('GET', url)).data).toEqual(changed);
    expect(bodyOf(await call('PATCH', url, { body: {} })).data).toEqual(changed);
    expect(bodyOf(await call('PATCH', url, { body: changed })).data).toEqual(changed);
  });

  test('cannot be changed to an address that is taken', async () => {
    await make({ email: 'mine@example.com' });
    const { user } = await make();

    const answer = await call('PATCH', `${path}/${user.id}`, { body: { email: 'mine@example.com' } });

    expect(answer.statusCode).toBe(409);
    expect((await rowOf(user.id))?.email).toBe(user.email);
  });

  test('show their default schedule', async () => {
    const { user, accessToken } = await make();
    const body = { name: 'Hours', timeZone: 'UTC', isDefault: true };
    const schedule = bodyOf(await callApi(service, 'POST', '/schedules', { token: accessToken, body }), 201);

    const shown = bodyOf(await call('GET', `${path}/${user.id}`)).data;

    expect(shown.defaultScheduleId).toBe(schedule.data.id);
  });

  test('are deleted with all that they have, and their tokens work no more', async () => {
    const { user, accessToken, refreshToken } = await make();

    expect(bodyOf(await call('DELETE', `${path}/${user.id}`)).data).toEqual(user);

    expect(await rowOf(user.id)).toMatchObject({ name: 'Deleted account', deletedAt: service.clock.now() });
    expect((await grantsOf(user.id)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    expect((await callMe(service, accessToken)).statusCode).toBe(401);
    expect((await refresh(service, client, refreshToken)).statusCode).toBe(400);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await call(method, `${path}/${user.id}`)).statusCode).toBe(404);
  });

  test('get new tokens by force, and the former ones end', async () => {
    const { user, accessToken, refreshToken } = await make();

    const fresh = bodyOf(await call('POST', `${path}/${user.id}/force-refresh`)).data;

    expect((await callMe(service, accessToken)).statusCode).toBe(401);
    expect((await refresh(service, client, refreshToken)).statusCode).toBe(400);
    expect((await callMe(service, fresh.accessToken)).statusCode).toBe(200);
    expect((await refresh(service, client, fresh.refreshToken)).statusCode).toBe(200);
    expect((await grantsOf(user.id)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  });

  test('have the tokens of one forced refresh alone, however many are concurrent', async () => {
    const { user } = await make();
    const forced = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', `${path}/${user.id}/force-refresh`)),
    );

    const tokens = forced.map((answer) => String(bodyOf(answer).data.accessToken));
    const uses = await Promise.all(tokens.map((token) => callMe(service, token)));
    expect(uses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  const operations: readonly [ApiMethod, string][] = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/force-refresh'],
  ];
  test.each(operations)(
    "%s %s finds nobody else's users, nor people with an account of their own",
    async (method, rest) => {
      const { user, accessToken } = await make({}, await addPlatformClient(service));
      const body = method === 'PATCH' ? { body: { name: 'Stolen' } } : {};

      for (const id of [user.id, client.ownerId, 2_000_000_000])
        expect((await call(method, `${path}/${id}${rest}`, body)).statusCode).toBe(404);

      expect((await rowOf(user.id))?.name).toBe('Managed Person');
      expect((await callMe(service, accessToken)).statusCode).toBe(200);
    },
  );
});

describe('the client of a managed user', () => {
  test('may name itself in the headers of Cal.com', async () => {
    const headers = { 'x-cal-client-id': client.id, 'x-cal-secret-key': client.secret ?? '' };

    const answer = await callApi(service, 'GET', path, { headers });

    expect(answer.statusCode).toBe(200);
  });

  test('is known by the secret alone, as Cal.com has it: the path names the client', async () => {
    const headers = { 'x-cal-secret-key': client.secret ?? '' };
    const other = await addPlatformClient(service);

    expect((await callApi(service, 'GET', path, { headers })).statusCode).toBe(200);
    expect((await callApi(service, 'GET', usersPath(other), { headers })).statusCode).toBe(401);
  });

  const own = { 'x-cal-client-id': client.id, 'x-cal-secret-key': client.secret ?? '' };

  test.each<[string, Readonly<Record<string, string>>, number?]>([
    ['nothing', {}],
    ['a wrong secret', { authorization: basic(client.id, 'lks_wrong') }],
    ['no secret', { authorization: basic(client.id, '') }],
    ['an unknown client', { authorization: basic('unknown', 'lks_wrong') }],
    ['Basic that cannot be read', { authorization: 'Basic %%%' }],
    ['a bearer token', { authorization: 'Bearer abc' }],
    ['an id without a secret', { 'x-cal-client-id': client.id }],
    ['a wrong secret alone', { 'x-cal-secret-key': 'lks_wrong' }],
    ['the secret of another client', { ...own, 'x-cal-client-id': 'unknown' }],
    ['a wrong secret in the header', { ...own, 'x-cal-secret-key': 'x' }],
    ['two ways together', { ...own, authorization: basicOf(client) }, 400],
  ])('with %s is refused, and nothing is made', async (_name, headers, status = 401) => {
    const before = await db.$count(users);

    const answer = await callApi(service, 'POST', path, {
      headers,
      body: { email: 'no@example.com', name: 'No' },
    });

    expect(bodyOf(answer, status).error.code).toBe(status === 401 ? 'Unauthorized' : 'BadRequest');
    expect(answer.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="Latchkey", charset="UTF-8"' : undefined,
    );
    expect(await db.$count(users)).toBe(before);
  });

  test('learns nothing of unknown clients: the answer is the same as to a wrong secret (security C26)', async () => {
    const errors = [];
    for (const id of [client.id, 'unknown'])
      errors.push(
        (await callApi(service, 'GET', path, { headers: { authorization: basic(id, 'x') } })).json().error,
      );

    expect(errors[0]).toEqual(errors[1]);
  });

  const refused = async (as: TestClient, on = as) => {
    const before = await db.$count(users);
    const answer = await call('POST', usersPath(on), { body: { email: 'no@example.com', name: 'No' } }, as);
    expect(await db.$count(users)).toBe(before);
    return bodyOf(answer, 403).error.code;
  };

  test('manages its own users alone', async () => {
    expect(await refused(client, await addPlatformClient(service))).toBe('Forbidden');
    expect(await refused(client, { ...client, id: 'unknown' })).toBe('Forbidden');
  });

  test.each(reviewStatuses.filter((status) => status !== 'accepted'))(
    'that is %s is refused (contract §2)',
    async (status) => {
      expect(await refused(await addPlatformClient(service, { status }))).toBe('Forbidden');
    },
  );

  test('that is public is refused, whatever secret it sends', async () => {
    const own = await addPlatformClient(service, { type: 'public' });

    expect(await refused({ ...own, secret: 'anything' })).toBe('Forbidden');
  });

  test.each(roles)('of a %s of a regular organization is refused', async (role) => {
    const own = await addClient(service);
    const organization = await addOrganization(service, { isPlatform: false });
    await joinOrganization(service, own.ownerId, organization.id, role);

    expect(await refused(own)).toBe('Forbidden');
  });

  test('of nobody’s organization is refused, and so is a mere member’s', async () => {
    const own = await addClient(service);
    expect(await refused(own)).toBe('Forbidden');

    await joinOrganization(service, own.ownerId, (await addOrganization(service)).id, 'member');
    expect(await refused(own)).toBe('Forbidden');
  });

  test('of an admin of a platform organization is let in', async () => {
    const own = await addClient(service);
    await joinOrganization(service, own.ownerId, (await addOrganization(service)).id, 'admin');

    expect((await makeManagedUser(service, own)).statusCode).toBe(201);
  });

  test('is slowed by a burst of wrong secrets, and the right one passes all the while (security C41)', async () => {
    const own = await addPlatformClient(service);
    const attempts = [];
    for (let count = 0; count < service.app.buckets.wrong_secrets.max + 2; count += 1)
      attempts.push(
        await call('GET', usersPath(own), { headers: { authorization: basic(own.id, 'wrong') } }, own),
      );

    const last = attempts.at(-1);
    expect(attempts[0]?.statusCode).toBe(401);
    expect(last?.json().error.code).toBe('TooManyRequests');
    // One more is allowed each second.
    expect(last?.headers['retry-after']).toBe('1');
    expect((await call('GET', usersPath(own), {}, own)).statusCode).toBe(200);
  });

  test('never finds its secret in an answer or in the log (security C25)', async () => {
    const wrongSecret = 'lks_canary_of_a_wrong_secret';
    const answers = [
      await callApi(service, 'POST', path, {
        headers: { authorization: basic(client.id, wrongSecret) },
        body: {},
      }),
      await callApi(service, 'POST', path, {
        headers: { 'x-cal-client-id': client.id, 'x-cal-secret-key': wrongSecret },
        body: {},
      }),
      await call('POST', path, { body: { email: 1, client_secret: client.secret } }),
    ];

    for (const { body } of answers) {
      expect(body).not.toContain(wrongSecret);
      expect(body).not.toContain(client.secret ?? 'none');
    }
    expect(service.logText()).not.toContain(wrongSecret);
    expect(service.logText()).not.toContain(client.secret ?? 'none');
  });
});

describe('input', () => {
  test.each<[string, object, string]>([
    ['no email address', { email: 'nobody' }, 'email'],
    ['an address too long for its suffix', { email: `a@${'b'.repeat(225)}.example` }, 'email'],
    ['NUL in the address', { email: 'a\0@example.com' }, 'email'],
    ['no name', { name: ' ' }, 'name'],
    ['NUL in the name', { name: 'A\0' }, 'name'],
    ['no time zone', { timeZone: 'Mars/Base' }, 'timeZone'],
    ['no day', { weekStart: 'Someday' }, 'weekStart'],
    ['no such clock', { timeFormat: 13 }, 'timeFormat'],
  ])('with %s is refused, and the field is named', async (_name, changes, field) => {
    const before = await db.$count(users);

    const answer = await makeManagedUser(service, client, changes);

    expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual([field]);
    expect(await db.$count(users)).toBe(before);
  });

  test.each(['0', 'x', '99999999999', '1.5'])('with the id %s finds nobody', async (id) => {
    expect([400, 404]).toContain((await call('GET', `${path}/${id}`)).statusCode);
  });
});

describe('nobody but the client acts for a managed user', () => {
  test.each(['', 'x', 'a password for tests only', '!'])(
    'no password opens the account: %j',
    async (password) => {
      const { user } = await make();

      const answer = await postForm(service, '/signin', { email: user.email, password });

      expect(answer.statusCode).toBe(password === '' ? 400 : 401);
      expect(answer.headers.location).toBeUndefined();
      expect(service.logText()).not.toContain('"level":50');
    },
  );

  test('the form for a forgotten password sends no email, to either address', async () => {
    const { user } = await make();

    for (const email of [user.email, user.displayEmail]) {
      expect((await askForReset(service, email)).statusCode).toBeLessThan(400);
      expect(await resetPathsTo(service, email)).toEqual([]);
    }
  });

  test('nor before it is made, though the suffix is of a client ID that anyone can read (security C147)', async () => {
    const { user } = await make();
    const email = user.email.replace(/^[^+]+/, 'wanted');

    const answer = await postForm(service, '/signup', { ...signUpFields(), email });

    expect(answer.statusCode).toBe(400);
    expect((await make({ email: 'wanted@example.com' })).user.email).toBe(email);
  });
});

describe('a managed user’s address, which nobody has verified (contract §8, security C128)', () => {
  const addHost = async (changes: object = {}) => {
    const made = await make({ timeZone: 'UTC' });
    const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 30, ...changes };
    const token: string = made.accessToken;
    const { data } = bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201);
    return { ...made, token, eventTypeId: Number(data.id) };
  };
  const attendee = { name: 'Bob', email: 'bob@example.com', timeZone: 'UTC' };
  const book = (eventTypeId: number, more: object = {}) => {
    const notes = 'Your account is locked. Sign in at https://evil.example/login';
    const start = '2035-01-08T10:00:00Z';
    const body = { eventTypeId, start, attendee, bookingFieldsResponses: { notes } };
    return callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress(), ...more });
  };
  const mailOf = async () => (await db.select().from(outbox)).map(({ recipient }) => recipient);
  beforeEach(async () => {
    for (const table of [outbox, rateLimits]) await emptyTable(db, table);
  });

  test('gets no email, whatever becomes of its bookings; attendees do, and the API shows both addresses', async () => {
    const { user, token, eventTypeId } = await addHost({ confirmationPolicy: { type: 'always' } });

    const { uid, bookingToken } = bodyOf(await book(eventTypeId), 201).data;
    bodyOf(await callApi(service, 'POST', `/bookings/${uid}/confirm`, { token }));
    const asAttendee = { headers: { 'x-booking-token': bookingToken } };
    const later = { body: { start: '2035-01-08T12:00:00Z' } };
    const moved = await callApi(service, 'POST', `/bookings/${uid}/reschedule`, { ...asAttendee, ...later });
    const seen = bodyOf(
      await callApi(service, 'GET', `/bookings/${bodyOf(moved, 201).data.uid}`, { token }),
    ).data;
    bodyOf(await callApi(service, 'POST', `/bookings/${seen.uid}/cancel`, { token }));

    expect(new Set(await mailOf())).toEqual(new Set([attendee.email]));
    expect(seen.hosts[0]).toMatchObject({ email: user.email, displayEmail: user.displayEmail });
  });

  test('gets none as host of a team either, where people with an account do', async () => {
    const ann = await represent(service);
    const team = await addTeam(service, ann.user);
    const { user } = await make();
    await joinTeam(service, team, { ...ann.user, ...user }, 'member');
    const { id } = await addTeamEventType(service, team, [ann.user, { ...ann.user, ...user }], 'collective');
    await emptyOutbox(db);

    bodyOf(await book(id), 201);

    expect((await mailOf()).toSorted()).toEqual([ann.user.email, attendee.email].toSorted());
  });

  test('of one client, all users together cause 6,000 emails an hour, and wait as one', async () => {
    const [first, second] = [await addHost(), await addHost()];
    await useUp(service, counted('emails', [`client ${client.id}`], 40), 1);

    const answers = [
      await book(first.eventTypeId, { token: first.token }),
      await book(second.eventTypeId, { token: second.token }),
      await book(second.eventTypeId),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 429, 201]);
    expect(Number(answers[1]?.headers['retry-after'])).toBeGreaterThan(3000);
    const causes = (await db.select().from(outbox)).map(({ cause }) => cause);
    expect(causes.toSorted()).toEqual([
      `email:client:${client.id}`,
      expect.stringMatching(/^email:network:/),
    ]);
  });
});
