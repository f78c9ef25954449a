import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/scheduling/tables.ts';
import { type ApiMethod, askOf, bodyOf, callApi, represent } from '../support/api.ts';
import { addOrganization, joinOrganization, moveTeam } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { trustingMail } from '../support/verification.ts';

const service = await openTestService({ ...trustingMail, ORG_HOST: 'cal.example' });
const ask = askOf(service);
const { db } = service.database;
const ann = await represent(service);
const ben = await represent(service);
const owner = await represent(service);
const member = await represent(service);
const team = await addTeam(service, owner.user);
await joinTeam(service, team, member.user, 'member');

const hours = { name: 'Hours', timeZone: 'UTC', isDefault: false };
const ofBen = bodyOf(await ask('POST', '/schedules', ben.token, hours), 201);

let made = 0;
function newEventType(changes: object = {}) {
  made += 1;
  return { title: 'Half an hour', slug: `half-an-hour-${made}`, lengthInMinutes: 30, ...changes };
}

async function create(changes: object = {}, token = ann.token) {
  return bodyOf(await ask('POST', '/event-types', token, newEventType(changes)), 201).data;
}

describe('an event type', () => {
  test('is made with sensible defaults, and shown as it was made (contract §8)', async () => {
    const created = await create({ slug: '30min' });

    expect(created).toEqual({
      id: expect.any(Number),
      ownerId: ann.user.id,
      teamId: null,
      title: 'Half an hour',
      slug: '30min',
      description: '',
      lengthInMinutes: 30,
      hidden: false,
      locations: [],
      bookingFields: [],
      disableGuests: false,
      bookingUrl: `http://localhost:3000/${ann.user.username}/30min`,
      scheduleId: null,
      beforeEventBuffer: 0,
      afterEventBuffer: 0,
      minimumBookingNotice: 120,
      slotInterval: null,
      bookingLimitsCount: { disabled: true },
      bookingWindow: { disabled: true },
      confirmationPolicy: { disabled: true },
      schedulingType: null,
      users: [
        {
          ...{ id: ann.user.id, name: `Test ${ann.user.username}`, username: ann.user.username },
          ...{ weekStart: 'Monday', avatarUrl: null, brandColor: null, darkBrandColor: null, metadata: {} },
        },
      ],
      hosts: [],
      team: null,
      // Cal.com's types require these.
      ...{ recurrence: null, metadata: {}, price: 0, currency: 'usd', isInstantEvent: false },
      ...{ lockTimeZoneToggleOnBookingPage: false, successRedirectUrl: null },
      ...{ forwardParamsSuccessRedirect: false, bookingRequiresAuthentication: false },
      createdAt: service.clock.now().toISOString(),
    });
    const { data } = bodyOf(await ask('GET', `/event-types/${created.id}`, ann.token));
    expect(data).toEqual(created);
  });

  test('keeps every value that it is made with', async () => {
    const values = {
      description: 'Talk\nto me',
      hidden: true,
      beforeEventBuffer: 5,
      afterEventBuffer: 10,
      minimumBookingNotice: 0,
      slotInterval: 15,
      bookingLimitsCount: { day: 3 },
      bookingWindow: { type: 'calendarDays', value: 30 },
      confirmationPolicy: { type: 'always', blockUnconfirmedBookingsInBooker: true },
    };

    expect(await create(values)).toMatchObject(values);
  });

  test('is changed in what is sent, and stays as it is in all else', async () => {
    const before = await create({ beforeEventBuffer: 5, bookingWindow: { type: 'calendarDays', value: 7 } });

    const answer = await ask('PATCH', `/event-types/${before.id}`, ann.token, {
      title: 'An hour',
      lengthInMinutes: 60,
      bookingWindow: { disabled: true },
    });

    const expected = { title: 'An hour', lengthInMinutes: 60, bookingWindow: { disabled: true } };
    expect(bodyOf(answer).data).toEqual({ ...before, ...expected });
  });

  test('is deleted, and gone', async () => {
    const { id } = await create();

    bodyOf(await ask('DELETE', `/event-types/${id}`, ann.token));

    for (const method of ['GET', 'DELETE'] as const)
      expect((await ask(method, `/event-types/${id}`, ann.token)).statusCode).toBe(404);
  });

  test('has a slug that no other of its owner has; another owner may', async () => {
    await create({ slug: 'taken' });

    const again = await ask('POST', '/event-types', ann.token, newEventType({ slug: 'taken' }));
    const others = await create({ slug: 'taken' }, ben.token);

    expect(bodyOf(again, 409).error).toMatchObject({
      code: 'Conflict',
      details: { slug: 'Choose another slug.' },
    });
    expect(others.slug).toBe('taken');
  });

  test('cannot be changed to a slug that is taken', async () => {
    await create({ slug: 'mine' });
    const { id } = await create();

    const answer = await ask('PATCH', `/event-types/${id}`, ann.token, { slug: 'mine' });

    expect(answer.statusCode).toBe(409);
  });

  test.each(['GET', 'PATCH', 'DELETE'] as const)(
    'of another user is not there: %s',
    async (method: ApiMethod) => {
      const { id } = await create();
      const body = method === 'PATCH' ? { body: { title: 'Mine now' } } : {};

      const answer = await callApi(service, method, `/event-types/${id}`, { token: ben.token, ...body });

      expect(bodyOf(answer, 404).error.code).toBe('NotFound');
      const [row] = await db.select().from(eventTypes).where(eq(eventTypes.id, id));
      expect(row?.title).toBe('Half an hour');
    },
  );
});

describe('input that is not right is a 400 that names the field, and makes nothing (contract §5)', () => {
  test.each<[string, object, string]>([
    ['a control character in the title', { title: 'a\u0007b' }, 'title'],
    ['slug with a slash', { slug: 'a/b' }, 'slug'],
    ['slug with two dashes', { slug: 'a--b' }, 'slug'],
    ['a negative buffer', { beforeEventBuffer: -1 }, 'beforeEventBuffer'],
    ['a negative notice', { minimumBookingNotice: -1 }, 'minimumBookingNotice'],
    ['an interval of zero', { slotInterval: 0 }, 'slotInterval'],
    ['no bookings a day', { bookingLimitsCount: { day: 0 } }, 'bookingLimitsCount'],
    ['a limit a week', { bookingLimitsCount: { day: 1, week: 3 } }, 'bookingLimitsCount.week'],
    ['NUL in the description', { description: 'a\0b' }, 'description'],
    ['an odd window', { bookingWindow: { type: 'range' } }, 'bookingWindow'],
    ['a schedule that is none of the user’s', { scheduleId: ofBen.data.id }, 'scheduleId'],
    ['an id too large for a row', { scheduleId: 2_147_483_648 }, 'scheduleId'],
  ])('%s', async (_words, changes, field) => {
    const before = await db.$count(eventTypes);

    const answer = await ask('POST', '/event-types', ann.token, newEventType(changes));

    const { error } = bodyOf(answer, 400);
    expect(error.code).toBe('BadRequest');
    expect(Object.keys(error.details).join()).toContain(field);
    expect(await db.$count(eventTypes)).toBe(before);
  });

  test('one’s own below a team', async () => {
    const { id } = await create({}, owner.token);
    const path = `/teams/${team.id}/event-types/${id}`;

    expect((await ask('GET', path, owner.token)).statusCode).toBe(404);
  });

  test.each(['0', '-1', 'x', '1.5', '2147483648', '%00', '0x1', '1e0', '+1', '%201', 'true'])(
    'the id %s',
    async (id) => {
      const answer = await ask('GET', `/event-types/${id}`, ann.token);

      expect(answer.statusCode).toBe(400);
    },
  );
});

describe('the list', () => {
  test('of a user by name shows the public ones to anybody (contract §8)', async () => {
    const { user, token } = await represent(service);
    await create({ slug: 'open' }, token);
    await create({ slug: 'hidden', hidden: true }, token);

    const { data } = bodyOf(await ask('GET', `/event-types?username=${user.username.toUpperCase()}`));

    expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(['open']);
  });

  test('of the token’s user shows hidden ones too', async () => {
    const { token } = await represent(service);
    await create({ slug: 'hidden', hidden: true }, token);

    const { data } = bodyOf(await ask('GET', '/event-types', token));

    expect(data).toMatchObject([{ slug: 'hidden' }]);
  });

  test('can be asked for one of them by its slug, as Cal.com’s (contract §8)', async () => {
    const { user, token } = await represent(service);
    await create({ slug: 'other' }, token);
    await create({ slug: 'wanted' }, token);
    await create({ slug: 'hidden', hidden: true }, token);
    const list = async (query: string, as?: string) => bodyOf(await ask('GET', `/event-types?${query}`, as));

    const found = await list(`username=${user.username}&eventSlug=wanted`);

    expect(found.data).toMatchObject([{ slug: 'wanted' }]);
    expect(found.pagination.totalItems).toBe(1);
    expect((await list(`username=${user.username}&eventSlug=hidden`)).data).toEqual([]);
    expect((await list(`username=${user.username}&eventSlug=none`)).data).toEqual([]);
    expect((await list('eventSlug=hidden', token)).data).toMatchObject([{ slug: 'hidden' }]);
  });

  test('of nobody is empty', async () => {
    expect(bodyOf(await ask('GET', '/event-types?username=nobody')).data).toEqual([]);
  });

  test('without a user and without a token wants one of them (contract §8)', async () => {
    const answer = await ask('GET', '/event-types');

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer scope="EVENT_TYPE_READ", resource_metadata=/);
    expect(answer.json().error.message).toBe(
      'Send an access token: Authorization: Bearer <token>. Public event types need none: send username or usernames.',
    );
  });

  test.each([
    ['asc', ['first', 'second', 'third']],
    ['desc', ['third', 'second', 'first']],
  ])('is sorted by sortCreatedAt=%s (contract §8)', async (order, expected) => {
    const { token } = await represent(service);
    // Made in another order than their ids, so that only the instant counts.
    for (const [slug, age] of [
      ['second', 2],
      ['third', 1],
      ['first', 3],
    ] as const) {
      const { id } = await create({ slug }, token);
      const createdAt = new Date(service.clock.now().getTime() - age * 60_000);
      await db.update(eventTypes).set({ createdAt }).where(eq(eventTypes.id, id));
    }

    const { data } = bodyOf(await ask('GET', `/event-types?sortCreatedAt=${order}`, token));

    expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(expected);
  });

  test.each(['ASC', '', 'random', 'asc&sortCreatedAt=desc'])(
    'refuses sortCreatedAt=%s (contract §8)',
    async (order) => {
      const answer = await ask('GET', `/event-types?sortCreatedAt=${order}`, ann.token);

      expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual(['sortCreatedAt']);
    },
  );

  test('goes on page by page; what is added meanwhile neither repeats nor hides any', async () => {
    const { token } = await represent(service);
    for (let index = 0; index < 7; index += 1) await create({ slug: `no-${index}` }, token);
    const seen: string[] = [];
    for (let skip = 0; skip < 7; skip += 3) {
      const page = bodyOf(await ask('GET', `/event-types?take=3&skip=${skip}`, token));
      seen.push(...page.data.map(({ slug }: { slug: string }) => slug));
      expect(page.pagination.returnedItems).toBe(page.data.length);
      if (skip < 6) await create({ slug: `later-${skip}` }, token);
    }

    expect(seen.filter((slug) => slug.startsWith('no-'))).toEqual(
      Array.from({ length: 7 }, (_, index) => `no-${index}`),
    );
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('says where a page stands', async () => {
    const { token } = await represent(service);
    for (let index = 0; index < 5; index += 1) await create({}, token);

    const { pagination } = bodyOf(await ask('GET', '/event-types?take=2&skip=2', token));

    expect(pagination).toEqual({
      totalItems: 5,
      returnedItems: 2,
      itemsPerPage: 2,
      currentPage: 2,
      totalPages: 3,
      remainingItems: 1,
      hasNextPage: true,
      hasPreviousPage: true,
    });
  });

  test.each(['take=0', 'take=251', 'take=x', 'skip=-1', 'take=1&take=2'])('refuses %s', async (query) => {
    expect((await ask('GET', `/event-types?${query}`, ann.token)).statusCode).toBe(400);
  });
});

describe('a team’s event types', () => {
  const path = `/teams/${team.id}/event-types`;
  const hosts = [{ userId: owner.user.id }, { userId: member.user.id }];
  const body = () => newEventType({ schedulingType: 'roundRobin', hosts });

  test('are made by its owner, with hosts, and shown to its members', async () => {
    const created = bodyOf(await ask('POST', path, owner.token, body()), 201).data;

    expect(created).toMatchObject({
      ownerId: null,
      teamId: team.id,
      schedulingType: 'roundRobin',
      bookingUrl: `http://localhost:3000/team/${team.slug}/${created.slug}`,
      hosts: [{ userId: owner.user.id }, { userId: member.user.id }],
    });
    const { data } = bodyOf(await ask('GET', path, member.token));
    expect(data).toMatchObject([{ id: created.id }]);
  });

  test('change their hosts', async () => {
    const { id } = bodyOf(await ask('POST', path, owner.token, body()), 201).data;

    const answer = await ask('PATCH', `/event-types/${id}`, owner.token, {
      hosts: [{ userId: member.user.id }],
      schedulingType: 'collective',
    });

    expect(bodyOf(answer).data).toMatchObject({
      schedulingType: 'collective',
      hosts: [{ userId: member.user.id }],
    });
  });

  test('have no hosts from outside of the team', async () => {
    const answer = await ask('POST', path, owner.token, { ...body(), hosts: [{ userId: ann.user.id }] });

    expect(bodyOf(answer, 400).error.details).toEqual({ hosts: 'Use only members of the team.' });
  });

  test.each<[string, () => string, number]>([
    ['a member may not make one', () => member.token, 403],
    ['for a stranger there is no such team', () => ann.token, 404],
  ])('%s', async (_words, token, status) => {
    const answer = await ask('POST', path, token(), body());

    expect(answer.statusCode).toBe(status);
  });

  test.each<ApiMethod>(['PATCH', 'DELETE'])(
    'may be looked at by a member, but %s is for those who manage the team',
    async (method) => {
      const { id } = bodyOf(await ask('POST', path, owner.token, body()), 201).data;
      const change = (token: string) =>
        callApi(service, method, `/event-types/${id}`, {
          token,
          ...(method === 'PATCH' ? { body: { title: 'Mine' } } : {}),
        });

      expect((await change(member.token)).statusCode).toBe(403);
      expect((await change(ann.token)).statusCode).toBe(404);
      const after = bodyOf(await ask('GET', `/event-types/${id}`, member.token)).data;
      expect(after.title).toBe(body().title);
    },
  );

  test('are not there for strangers', async () => {
    expect((await ask('GET', path, ann.token)).statusCode).toBe(404);
  });

  test('are what a permission for the team opens, and all that it opens (contract §3)', async () => {
    const forTeam = await represent(service, { user: owner.user, teamSlug: team.slug });
    const own = await create({}, owner.token);

    const list = bodyOf(await ask('GET', '/event-types', forTeam.token));
    const answers = [
      await ask('GET', `/event-types/${own.id}`, forTeam.token),
      await ask('POST', '/event-types', forTeam.token, newEventType()),
    ];

    expect(list.data.every(({ teamId }: { teamId: number }) => teamId === team.id)).toBe(true);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 403]);
  });

  test('of an organization are listed for its members, hidden ones for those who manage it', async () => {
    const { id: organizationId } = await addOrganization(service, { isPlatform: false, slug: 'acme' });
    await moveTeam(service, team.id, organizationId);
    await joinOrganization(service, owner.user.id, organizationId, 'owner');
    await joinOrganization(service, member.user.id, organizationId, 'member');
    await ask('POST', path, owner.token, { ...body(), slug: 'secret', hidden: true });
    const list = (token: string) =>
      ask('GET', `/organizations/${organizationId}/teams/event-types?sortCreatedAt=asc`, token);
    const slugs = ({ data }: { data: { slug: string }[] }) => data.map(({ slug }) => slug);

    expect(slugs(bodyOf(await list(owner.token)))).toContain('secret');
    const forMember = bodyOf(await list(member.token));
    expect(slugs(forMember)).not.toContain('secret');
    expect(forMember.data[0].bookingUrl).toMatch(
      new RegExp(`^http://acme\\.cal\\.example/team/${team.slug}/`),
    );
    expect((await list(ann.token)).statusCode).toBe(404);
    const { token } = await represent(service, { user: owner.user, teamSlug: team.slug });
    expect((await list(token)).statusCode).toBe(404);
  });
});
