import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { invitations } from '../../src/accounts/tables.ts';
import { developerHome } from '../../src/oauth/clients/own-client.ts';
import { calendarEntries, calendars } from '../../src/scheduling/tables.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { addEventType } from '../support/booking.ts';
import { startCaldavServer } from '../support/caldav-server.ts';
import { setClientStatus } from '../support/client-status.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  invite,
  newAddress,
  openAs,
  rolesOf,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { findEditRow, mailTo, postOwnForm, submitClient, submitEdit } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addClient, connect, postForm, signIn } from '../support/world.ts';
import { countWebhooks } from './webhook-rows.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8, ::1' });
const { db } = service.database;
const server = await startCaldavServer();
const calendarsPage = '/settings/calendars';
const waiting = { timeout: 20_000 };
const hook = { subscriberUrl: 'https://hooks.example/canary-77', triggers: 'BOOKING_CREATED' };
/** Contract §1. */
const recentSeconds = 10 * 60;

const hooksOf = () => countWebhooks(db, sql`true`);

/** Connects the account, which copies nothing yet; answers its calendar's name for the form. */
async function connectCalendar(person: TestPerson, to = server): Promise<string> {
  const form = { url: to.url(), username: 'ann', password: 'canary-5d20', name: 'Mine' };
  const connected = await postOwnForm(service, `${calendarsPage}/caldav`, form, person.cookie);
  expect(connected.headers.location).toBe(`${calendarsPage}?done=connected`);
  const page = (await openAs(service, calendarsPage, person.cookie)).body;
  const [, externalId = ''] = /<option value="([\w-]{22})"/.exec(page) ?? [];
  expect(externalId).not.toBe('');
  return externalId;
}

const choose = async ({ cookie }: TestPerson, destination: string) =>
  postOwnForm(service, `${calendarsPage}/destination`, { destination }, cookie);

const clientIdOf = ({ appPage }: { readonly appPage: string }) => appPage.split('/').at(-1) ?? '';

const destinationsOf = async ({ user }: TestPerson) =>
  (await db.select().from(calendars).where(eq(calendars.userId, user.id))).flatMap(
    ({ encryptedDestination, destinationAppId }) => (encryptedDestination === null ? [] : [destinationAppId]),
  );

interface World {
  readonly person: TestPerson;
  readonly team: TestGroup;
  readonly member: TestPerson;
  readonly appPage: string;
  readonly destination: string;
  readonly address: string;
  /** Made with a recent sign-in. */
  readonly hookPage: string;
}

async function openWorld(): Promise<World> {
  const { id: clientId, owner, cookie } = await submitClient(service);
  const person = { user: owner, cookie };
  const team = await addGroup(service, 'team', owner);
  const member = await addMember(service, team, 'member');
  const destination = await connectCalendar(person);
  const made = await postOwnForm(service, '/settings/webhooks/new', hook, person.cookie);
  const [hookPage = ''] = String(made.headers.location).split('?');
  const appPage = `${developerHome}/${clientId}`;
  return { person, team, member, appPage, destination, hookPage, address: newAddress() };
}

/** What gives others a lasting hold: how it's done, whether it was, and the email's subject. */
const holds: readonly (readonly [
  string,
  (world: World) => Promise<{ readonly headers: Record<string, unknown> }>,
  (world: World) => Promise<unknown>,
  string,
])[] = [
  [
    'a webhook of one’s own',
    ({ person }) => postOwnForm(service, '/settings/webhooks/new', hook, person.cookie),
    hooksOf,
    'Webhook created',
  ],
  [
    'a webhook of a team',
    ({ person, team }) => postOwnForm(service, `${team.page}/webhooks/new`, hook, person.cookie),
    hooksOf,
    'Webhook created',
  ],
  [
    'a webhook of an app',
    ({ person, appPage }) => postOwnForm(service, `${appPage}/webhooks/new`, hook, person.cookie),
    hooksOf,
    'Webhook created',
  ],
  [
    'another address of a webhook',
    ({ person, hookPage }) =>
      postOwnForm(
        service,
        hookPage,
        { ...hook, active: 'on', subscriberUrl: 'https://other.example' },
        person.cookie,
      ),
    async ({ person, hookPage }) =>
      (await openAs(service, hookPage, person.cookie)).body.includes('other.ex'),
    'Webhook changed',
  ],
  [
    'the calendar that bookings are written to',
    ({ person, destination }) => choose(person, destination),
    async ({ person }) => (await destinationsOf(person)).length,
    'Calendar chosen',
  ],
  [
    'an invitation as an owner',
    ({ person, team, address }) => invite(service, team, person.cookie, address, 'owner'),
    async ({ address }) =>
      (await db.select().from(invitations).where(eq(invitations.email, address))).map(({ role }) => role),
    'Role given',
  ],
  [
    'an admin’s role of a member',
    ({ person, team, member }) =>
      postOwnForm(service, `${team.path}/members/${member.user.id}/role`, { role: 'admin' }, person.cookie),
    async ({ team, member }) => (await rolesOf(service, team))[member.user.id],
    'Role given',
  ],
];

describe('what gives others a lasting hold takes a recent sign-in and tells the person (security C204)', () => {
  test.each(holds)('%s', async (_words, act, read, subject) => {
    const world = await openWorld();
    const told = async () =>
      (await mailTo(service, world.person.user.email))
        .filter((email) => email.subject === subject)
        .map(({ createdAt }) => createdAt);
    const [before, toldBefore] = [await read(world), await told()];
    service.clock.advance(recentSeconds);

    const late = await act(world);

    expect(String(late.headers['location'])).toMatch(/^\/signin\/confirm\?form=.*confirmed$/);
    expect([await read(world), await told()]).toEqual([before, toldBefore]);

    service.clock.advance(1);
    const again = { ...world, person: { ...world.person, cookie: await signIn(service, world.person.user) } };
    const done = await act(again);

    expect(String(done.headers['location'])).not.toContain('/signin/confirm');
    expect(await read(again)).not.toEqual(before);
    expect(await told()).toEqual([...toldBefore, service.clock.now()]);
  });
});

test('what ends a hold takes no other sign-in', async () => {
  const { person, team, hookPage } = await openWorld();
  const invitation = await addInvitation(service, team, person.user);
  service.clock.advance(recentSeconds);

  const answers = [
    await postOwnForm(service, `${hookPage}/delete`, {}, person.cookie),
    await postOwnForm(service, `${team.path}/invitations/${invitation.id}/withdraw`, {}, person.cookie),
  ];

  for (const { statusCode, headers } of answers)
    expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(/[?&]done=/)]);
});

/** A stranger may have made all of this in the account, in use. */
async function openUsed() {
  const world = await openWorld();
  const { person, team, appPage, destination, address } = world;
  const { cookie, user } = person;
  const { id: eventTypeId } = await addEventType(service, user);
  const app = await addClient(service);
  const { access_token: token } = await connect(service, app, cookie);
  const made = { subscriberUrl: 'https://app.example/hook', triggers: ['BOOKING_CREATED'], active: true };
  bodyOf(await callApi(service, 'POST', '/webhooks', { token, body: made }), 201);
  for (const page of [team.page, appPage]) await postOwnForm(service, `${page}/webhooks/new`, hook, cookie);
  await choose(person, destination);
  await setClientStatus(db, clientIdOf(world), 'accepted');
  await submitEdit(service, clientIdOf(world), cookie, { redirect_uris: 'https://intruder.example/cb' });
  await invite(service, team, cookie, address, 'admin');
  await invite(service, team, cookie, newAddress(), 'member');
  return { ...world, eventTypeId };
}

test.each([
  ['ends', {}],
  ['keeps, where the person says so,', { keep_apps: 'on' }],
])('a password reset %s what gives others a lasting hold (security C204)', async (words, fields) => {
  const world = await openUsed();
  const { person, eventTypeId } = world;
  const { id } = person.user;
  const other = await openUsed();
  const path = await obtainResetPath(service, person.user.email);
  const holdsOf = async (one: Awaited<ReturnType<typeof openUsed>>) => {
    const clientId = clientIdOf(one);
    const own = await db
      .select({ active: sql<boolean>`active` })
      .from(sql`webhooks`)
      .where(
        sql`app_id is null and (user_id = ${one.person.user.id} or team_id = ${one.team.id} or client_id = ${clientId})`,
      );
    return {
      hooks: own.map(({ active }) => active),
      destinations: await destinationsOf(one.person),
      invited: (await db.select().from(invitations).where(eq(invitations.inviterId, one.person.user.id)))
        .map(({ role }) => role)
        .toSorted(),
      edit: (await findEditRow(service, clientId))?.redirectUris,
    };
  };
  const edit = ['https://intruder.example/cb'];
  const all = { hooks: [true, true, true], destinations: [null], invited: ['admin', 'member'], edit };
  expect(await holdsOf(world)).toEqual(all);

  await postForm(service, path, { password: 'words of the owner', ...fields });

  const isKept = words.startsWith('keeps');
  const none = { hooks: [false, false, false], destinations: [''], invited: ['member'], edit: undefined };
  expect(await holdsOf(world)).toEqual(isKept ? all : none);
  expect(await holdsOf(other)).toEqual(all);
  const cookie = await signIn(service, { email: person.user.email, password: 'words of the owner' });
  const activity = textOf((await openAs(service, '/settings/activity', cookie)).body);
  expect(activity.split('A webhook to hooks.example was changed').length - 1).toBe(isKept ? 0 : 3);
  const before = server.requests.length;
  const start = '2027-03-01T09:00:00.000Z';
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
  const booking = { eventTypeId, start, attendee };
  bodyOf(await callApi(service, 'POST', '/bookings', { remoteAddress: anyAddress(), body: booking }), 201);
  const entries = async () =>
    (await db.select().from(calendarEntries).where(eq(calendarEntries.userId, id))).map(
      ({ dueAt, failure }) => [dueAt === null, failure],
    );
  await expect.poll(entries, waiting).toEqual([[true, isKept ? null : 'access_ended']]);
  expect(server.requests.length > before).toBe(isKept);
  const page = textOf((await openAs(service, calendarsPage, cookie)).body);
  expect(page.includes('Nothing is written there since your password was reset.')).toBe(!isKept);

  const again = { ...person, cookie };
  await choose(again, world.destination);

  await expect.poll(entries, waiting).toEqual([[true, null]]);
});

test('an app’s webhook that somebody leads elsewhere on its page is the person’s from then on (security C204, C214)', async () => {
  const { owner, cookie } = await submitClient(service);
  const app = await addClient(service);
  const { access_token: token } = await connect(service, app, cookie);
  const made = { subscriberUrl: 'https://app.example/hook', triggers: [hook.triggers] };
  const { id } = bodyOf(await callApi(service, 'POST', '/webhooks', { token, body: made }), 201).data;
  const stateOf = async () => {
    const [row] = await db
      .select({ app: sql`app_id`, active: sql`active` })
      .from(sql`webhooks`)
      .where(sql`id = ${id}`);
    return row;
  };
  const save = (subscriberUrl: string) =>
    postOwnForm(service, `/settings/webhooks/${id}`, { ...hook, subscriberUrl, active: 'on' }, cookie);

  await save(made.subscriberUrl);
  expect(await stateOf()).toEqual({ app: app.id, active: true });
  await save('https://elsewhere.example/secret');
  const shown = bodyOf(await callApi(service, 'GET', `/webhooks/${id}`, { token })).data;
  await postForm(service, await obtainResetPath(service, owner.email), { password: 'words of the owner' });

  expect(shown.subscriberUrl).toBe('https://elsewhere.example');
  expect(await stateOf()).toEqual({ app: null, active: false });
});
