import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { addMember } from '../../src/accounts/groups/store.ts';
import { groups, invitations } from '../../src/accounts/tables.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { bookings, slotReservations } from '../../src/scheduling/tables.ts';
import { anyAddress, openWith, send } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { addEventType, addTeamEventType, dana } from '../support/booking.ts';
import { attendee } from '../support/bookings-api.ts';
import { allowForGood, visit } from '../support/consent.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addGroup, invite, newAddress, type TestPerson } from '../support/groups.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { developerHome, newRegistrationKey, postOwnForm, register } from '../support/registration.ts';
import { openAnotherInstance, type TestService } from '../support/service.ts';
import { joinTeam } from '../support/teams.ts';
import { openVerifyingService } from '../support/verification.ts';
import { addClient, addUser, callMe, connect, openAuthorizePage, signIn } from '../support/world.ts';

const required = await openVerifyingService();
/** The same accounts and sessions, where nobody has to verify anything. */
const off = await openAnotherInstance(required);
const { db } = required.database;

async function addPerson(isVerified: boolean): Promise<TestPerson> {
  const user = await addUser(required, { isVerified });
  return { user, cookie: await signIn(required, user) };
}

const firstTitle = 'Verify your email to continue';
const client = await addClient(required);
const tokensHome = '/settings/tokens';
let names = 0;
const newGroupFields = () => {
  names += 1;
  return { name: 'Garden Club', slug: `garden-${names}`, kind: 'regular' };
};
const get = (on: TestService, url: string, { cookie }: TestPerson) =>
  on.app.inject({ url, headers: { cookie } });
const free = () => inBerlin(nextDate(), '10:00');
const days = { start: '2031-06-02', end: '2031-06-03', timeZone: 'Europe/Berlin' };
const book = (on: TestService, body: object) =>
  callApi(on, 'POST', '/bookings', { body: { attendee, ...body }, remoteAddress: anyAddress() });

/** What a person may do, and the answer where the address is verified, or needn't be. */
type Act = (on: TestService, person: TestPerson) => Promise<LightMyRequestResponse>;

const see =
  (url: string): Act =>
  (on, person) =>
    get(on, url, person);
const submit =
  (url: string, fields: () => Readonly<Record<string, string>>): Act =>
  (on, { cookie }) =>
    postOwnForm(on, url, fields(), cookie);

const newToken = () => ({ form_key: newRegistrationKey(), name: 'Script', days: '90', access: 'full' });
const newHook = () => ({ subscriberUrl: 'https://app.example/hook', triggers: 'BOOKING_CREATED' });

/** On the page from before, which was opened where nobody has to verify anything. */
const approve: Act = async (on, { cookie }) =>
  decide(on, await openDecision(off, requestOf(client), cookie), 'allow', cookie);

const comeBack: Act = async (on, { cookie }) => {
  const own = await addClient(on);
  await allowForGood(off, own, cookie);
  return visit(on, requestOf(own), cookie);
};

const giveRole: Act = async (on, { user, cookie }) => {
  const team = await addGroup(on, 'team', user);
  const member = await addPerson(true);
  await addMember(db, team, member.user.id, 'member');
  return postOwnForm(on, `${team.path}/members/${member.user.id}/role`, { role: 'owner' }, cookie);
};

const openBookingPage: Act = async (on, person) => {
  await addEventType(on, person.user);
  return get(on, '/bookings/page', person);
};

describe.each<[name: string, status: number, act: Act]>([
  ['see the consent page', 200, (on, { cookie }) => openAuthorizePage(on, requestOf(client), cookie)],
  ['approve an app, with a page from before', 303, approve],
  ['come back to an app by remembered consent', 303, comeBack],
  ['see their event types', 200, see('/settings/event-types')],
  ['see their availability', 200, see('/settings/availability')],
  ['connect a calendar', 400, submit('/settings/calendars/ics', () => ({ url: 'x' }))],
  ['open the form for an app', 200, see(`${developerHome}/new`)],
  ['register an app', 303, (on, { cookie }) => register(on, cookie)],
  ['open the form for a personal token', 200, see(`${tokensHome}/new`)],
  ['create a personal token', 303, submit(`${tokensHome}/new`, newToken)],
  ['see their webhooks', 200, see('/settings/webhooks')],
  ['create a webhook', 303, submit('/settings/webhooks/new', newHook)],
  ['open the form for a team', 200, see('/settings/teams/new')],
  ['create a team', 303, submit('/settings/teams/new', newGroupFields)],
  ['open the form for an organization', 200, see('/settings/organization/new')],
  ['create an organization', 303, submit('/settings/organization/new', newGroupFields)],
  [
    'invite someone',
    303,
    async (on, { user, cookie }) => invite(on, await addGroup(on, 'team', user), cookie, newAddress()),
  ],
  ['give a member another role', 303, giveRole],
  ['open their booking page', 303, openBookingPage],
])('who wants to %s', (_name, status, act) => {
  test('is asked to verify first (security C57)', async () => {
    const person = await addPerson(false);

    const answer = await act(required, person);

    expect(answer.statusCode).toBe(403);
    expect(titleOf(answer)).toBe(firstTitle);
    expect(answer.headers).not.toHaveProperty('location');
    expect(textOf(answer.body)).toContain(person.user.email);
    expect(answer.body).toContain('action="/verify/resend"');
  });

  test('may, with a verified address, or where none is required', async () => {
    const answers = [await act(required, await addPerson(true)), await act(off, await addPerson(false))];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status]);
  });
});

test('a refused registration, group and invitation leave no row', async () => {
  const { user, cookie } = await addPerson(false);
  const team = await addGroup(required, 'team', user);
  const count = () => Promise.all([clients, groups, invitations, grants].map((table) => db.$count(table)));
  const before = await count();

  await register(required, cookie);
  await postOwnForm(required, '/settings/teams/new', newGroupFields(), cookie);
  await invite(required, team, cookie, newAddress());
  const form = await openDecision(off, requestOf(client), cookie);
  await decide(required, form, 'allow', cookie);

  expect(await count()).toEqual(before);
});

test.each([
  ['/auth/oauth2/authorize', (path: string) => path],
  [`${developerHome}/new`, () => `${developerHome}/new`],
])('the page leads back to %s, and the same request', async (path, expected) => {
  const { cookie } = await addPerson(false);
  const query = new URLSearchParams(requestOf(client, { state: 'a b+c/ü' }))
    .toString()
    .replaceAll('+', '%20');
  const url = path === '/auth/oauth2/authorize' ? `${path}?${query}` : path;

  const { body } = await required.app.inject({ url, headers: { cookie } });

  const [, value = ''] = /name="return_to" value="([^"]*)"/.exec(body) ?? [];
  const returnTo = value.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
  const parse = (text: string) => [...new URL(text, 'http://x').searchParams];
  expect(parse(returnTo)).toEqual(parse(expected(url)));
});

test.each(['/settings/profile', '/settings/password', '/settings/sessions', '/settings/apps', '/'])(
  'an unverified person can see %s',
  async (url) => {
    expect((await get(required, url, await addPerson(false))).statusCode).toBe(200);
  },
);

describe('who can be booked', () => {
  type Question = (on: TestService, names: Names) => Promise<LightMyRequestResponse>;
  interface Names {
    readonly username: string;
    readonly slug: string;
    readonly id: number;
  }
  const slotsOf = (on: TestService, of: Record<string, string>) =>
    callApi(on, 'GET', `/slots?${new URLSearchParams({ ...days, ...of })}`);
  const fill: Question = (on, { username, slug }) =>
    send(on, `/${username}/${slug}`, { ...dana, slot: free(), timeZone: 'Europe/Berlin' });
  const reserve: Question = (on, { id }) =>
    callApi(on, 'POST', '/slots/reservations', {
      body: { eventTypeId: id, slotStart: free() },
      remoteAddress: anyAddress(),
    });
  const questions: readonly (readonly [string, Question])[] = [
    ['the list of event types', (on, { username }) => openWith(on, `/${username}`)],
    ['a booking page', (on, { username, slug }) => openWith(on, `/${username}/${slug}`)],
    ['the form of a booking page', fill],
    [
      'event types by username',
      (on, { username: name }) => callApi(on, 'GET', `/event-types?username=${name}`),
    ],
    ['slots by username', (on, { username, slug }) => slotsOf(on, { username, eventTypeSlug: slug })],
    ['slots by number', (on, { id }) => slotsOf(on, { eventTypeId: String(id) })],
    [
      'a booking by username',
      (on, { username, slug }) => book(on, { start: free(), username, eventTypeSlug: slug }),
    ],
    ['a booking by number', (on, { id }) => book(on, { start: free(), eventTypeId: id })],
    ['a reservation', reserve],
  ];

  test.each(questions)('%s: an unverified host is as one who does not exist', async (_name, ask) => {
    const { user } = await addPerson(false);
    const { id, slug } = await addEventType(required, user);
    const nobody = { username: 'nobody-here', slug: 'nothing', id: 2_000_000_000 };
    const counts = () => Promise.all([bookings, slotReservations].map((table) => db.$count(table)));
    const before = await counts();

    const [answer, none] = [
      await ask(required, { username: user.username, slug, id }),
      await ask(required, nobody),
    ];

    const seen = ({ statusCode, body }: LightMyRequestResponse) => ({
      statusCode,
      body: body
        .replaceAll(user.username, nobody.username)
        .replaceAll(slug, nobody.slug)
        .replaceAll(/"timestamp":"[^"]*"/g, ''),
    });
    expect(seen(answer)).toEqual(seen(none));
    expect(await counts()).toEqual(before);
  });

  test.each(questions)('%s: a verified host answers, and any where none is required', async (_name, ask) => {
    const [verified, unverified] = [await addPerson(true), await addPerson(false)];
    const names = async ({ user }: TestPerson) => ({
      ...(await addEventType(required, user)),
      username: user.username,
    });

    const answers = [await ask(required, await names(verified)), await ask(off, await names(unverified))];

    for (const { statusCode, body } of answers) {
      expect([200, 201, 303], body).toContain(statusCode);
    }
    expect(answers[0]?.body).not.toContain('"data":[]');
  });

  test('an unverified host of a team is left out, and the others host', async () => {
    const [owner, unverified] = [await addPerson(true), await addPerson(false)];
    const team = await addGroup(required, 'team', owner.user);
    const [{ slug } = { slug: '' }] = await db
      .select({ slug: groups.slug })
      .from(groups)
      .where(eq(groups.id, team.id));
    await joinTeam(required, { ...team, slug }, unverified.user, 'member');
    const hosts = [unverified.user, owner.user];
    const both = await addTeamEventType(required, { id: team.id, slug }, hosts, 'collective');
    const alone = await addTeamEventType(required, { id: team.id, slug }, [unverified.user]);

    const booked = bodyOf(await book(required, { start: free(), eventTypeId: both.id }), 201).data;
    const refused = await book(required, { start: free(), eventTypeId: alone.id });

    expect(booked.hosts.map((host: { id: number }) => host.id)).toEqual([owner.user.id]);
    expect(refused.statusCode).toBe(409);
    expect(bodyOf(await book(off, { start: free(), eventTypeId: both.id }), 201).data.hosts).toHaveLength(2);
  });

  test('a managed user is exempt: its apps create event types, and people book them', async () => {
    const made = bodyOf(
      await makeManagedUser(required, await addPlatformClient(required), { timeZone: 'Europe/Berlin' }),
      201,
    ).data;
    const token = made.accessToken ?? made.access_token;
    const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 30, minimumBookingNotice: 0 };
    const { id } = bodyOf(await callApi(required, 'POST', '/event-types', { token, body }), 201).data;

    const booked = await book(required, { start: free(), eventTypeId: id });

    expect(booked.statusCode).toBe(201);
    expect((await callMe(required, token)).json().data.emailVerified).toBe(false);
  });
});

test('GET /v2/me tells whether the address is verified (contract §5)', async () => {
  const [verified, unverified] = [await addPerson(true), await addPerson(false)];
  const told = [];
  for (const { cookie } of [verified, unverified]) {
    const { access_token: token } = await connect(off, client, cookie);
    told.push((await callMe(required, token)).json().data.emailVerified);
  }

  expect(told).toEqual([true, false]);
});
