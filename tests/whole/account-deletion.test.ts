import { and, desc, eq, gt, like, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { finishDeletions } from '../../src/accounts/deletion/deletion.ts';
import { memberships, passkeys, sessions, users } from '../../src/accounts/tables.ts';
import { createCleanup } from '../../src/cleanup.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { loadParts } from '../../src/parts.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { attendeeAccessOf } from '../../src/scheduling/bookings/booking.ts';
import { countUpcomingHosted } from '../../src/scheduling/standing.ts';
import { bookingHosts, bookings, eventTypes } from '../../src/scheduling/tables.ts';
import { findAccountRow, isSignedIn } from '../support/accounts.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addOnPage, createAuthenticator } from '../support/authenticator.ts';
import { addEventType, addTeamEventType, bookOn, dana, fillIn, uidIn } from '../support/booking.ts';
import { refusingCommits, withoutTable } from '../support/database-faults.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addGroup, addMember, addPerson } from '../support/groups.ts';
import { addBookings } from '../support/many-bookings.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { findClientRow, mailTo, postOwnForm, register, registeredId } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { restore } from '../support/suspension.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { dead, use } from '../support/tokens.ts';
import { addClient, addUser, connect, postForm, signIn } from '../support/world.ts';
import { addWebhookRow, countWebhooks } from './webhook-rows.ts';

const parts = await loadParts();

const service = await openTestService();
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const page = '/settings/data/delete';

const open = (cookie: string) => service.app.inject({ url: page, headers: { cookie } });

const remove = (user: { readonly email: string }, cookie: string) =>
  postOwnForm(service, page, { email: user.email }, cookie);

async function rowOf({ id }: { readonly id: number }) {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

const upcomingOf = ({ id }: { readonly id: number }) => countUpcomingHosted(db, id, service.clock.now());

/** The service does this every minute. */
async function cleanUp(): Promise<void> {
  await finishDeletions(service.app);
  const { config, db: own, runtime, log } = service.app;
  await createCleanup({ db: own, config, runtime, log, parts }).run();
}

describe('a person deletes their account (contract §1, security C92)', () => {
  test('after a page that says what happens, and nothing of it acts any more', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    const tokens = await connect(service, client, cookie);
    const own = registeredId(await register(service, cookie));
    const { path } = await addEventType(service, user);
    const uid = uidIn(await bookOn(service, path, inBerlin(nextDate(), '10:00')));
    await addOnPage(service, cookie, createAuthenticator(service));
    await addWebhookRow(db, { userId: user.id });
    // Another browser's session is added, because the first passkey ended earlier ones.
    const [session] = await db.select().from(sessions).where(eq(sessions.userId, user.id));
    if (session !== undefined) await db.insert(sessions).values({ ...session, idHash: 'elsewhere' });
    const shown = textOf((await open(cookie)).body);

    const answer = await remove({ email: ` ${user.email.toUpperCase()} ` }, cookie);

    expect(shown).toContain('1 connected app can no longer access your account.');
    expect(shown).toContain('1 upcoming booking that you host is cancelled');
    expect([answer.statusCode, titleOf(answer)]).toEqual([200, 'Your account was deleted']);
    expect(await isSignedIn(service, cookie)).toBe(false);
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
    const { password } = user;
    expect((await postForm(service, '/signin', { email: user.email, password })).statusCode).toBe(401);
    expect(await use(service, client, tokens)).toEqual(dead);
    expect(await findClientRow(service, own)).toBeUndefined();
    expect(await db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(0);
    expect(await countWebhooks(db, sql`user_id = ${user.id}`)).toBe(0);
    expect((await openWith(service, path)).statusCode).toBe(404);
    const [booking] = await db.select().from(bookings).where(eq(bookings.uid, uid));
    expect(booking).toMatchObject({
      status: 'cancelled',
      cancellationReason: 'The host’s account was deleted.',
    });
    expect(await findAccountRow(service, user.email)).toBeUndefined();
    expect(await rowOf(user)).toMatchObject({ name: 'Deleted account', username: null });
    const subjects = (await mailTo(service, user.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your account was deleted');
    expect(subjects.filter((subject) => subject.startsWith('Cancelled'))).toEqual([]);
    const toAttendee = await db.select().from(outbox).where(like(outbox.calendarEntry, '%METHOD:CANCEL%'));
    expect(toAttendee).toHaveLength(1);
    expect(toAttendee[0]?.text).toContain('account was deleted');
  });

  test('while many of their bookings still wait to be cancelled, nobody books them any more, nor moves those bookings', async () => {
    const { user, cookie } = await addPerson(service);
    const ann = await represent(service);
    const team = await addTeam(service, ann.user);
    await joinTeam(service, team, user, 'member');
    const { id: eventTypeId, slug, path } = await addEventType(service, user);
    const { id: teamsId } = await addTeamEventType(service, team, [ann.user, user]);
    await addBookings(service, user, 60, 24, { eventTypeId });
    const [last] = await db
      .select({ uid: bookings.uid })
      .from(bookings)
      .where(eq(bookings.eventTypeId, eventTypeId))
      .orderBy(desc(bookings.startsAt))
      .limit(1);
    const form = await fillIn(service, path, inBerlin(nextDate(), '10:00'), dana);
    await remove(user, cookie);
    expect(await upcomingOf(user)).toBeGreaterThan(0);

    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
    const times = ['08:00', '08:30', '09:00'].map((time) => `2031-06-03T${time}:00Z`);
    const book = (body: object) => callApi(service, 'POST', '/bookings', { body: { ...body, attendee } });
    const [start] = times;
    const named = { eventTypeSlug: slug, username: user.username };
    const { bookingToken } = attendeeAccessOf(last?.uid ?? '', service.app);
    const move = { body: { start }, headers: { 'x-booking-token': bookingToken } };
    const answers = [
      await book({ eventTypeId, start }),
      await book({ ...named, start }),
      await callApi(service, 'GET', `/slots?eventTypeId=${eventTypeId}&start=2031-06-03&end=2031-06-04`),
      await send(service, path, form),
      await callApi(service, 'POST', `/bookings/${last?.uid}/reschedule`, move),
    ];
    const ofTeam = [];
    for (const at of times) ofTeam.push(bodyOf(await book({ eventTypeId: teamsId, start: at }), 201).data);

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    expect(ofTeam.flatMap(({ hosts }) => hosts.map(({ id }: { id: number }) => id))).toEqual(
      times.map(() => ann.user.id),
    );
    const later = and(eq(bookingHosts.userId, user.id), gt(bookingHosts.bookedAt, service.clock.now()));
    expect(await db.$count(bookingHosts, later)).toBe(0);
  });

  test('the address can sign up again, and the username stays reserved', async () => {
    const { user, cookie } = await addPerson(service);
    await remove(user, cookie);

    const again = await addUser(service);
    const cookieAgain = await signIn(service, again);
    const profile = { name: 'Eve', time_zone: 'UTC', week_start: 'Monday', time_format: '24' };
    const taken = await postOwnForm(
      service,
      '/settings/profile',
      { ...profile, username: user.username },
      cookieAgain,
    );

    expect(taken.statusCode).toBe(409);
    await db.update(users).set({ email: user.email }).where(eq(users.id, again.id));
    expect(await findAccountRow(service, user.email)).toMatchObject({ id: again.id });
  });

  test('only after its own email address was typed, and a recent sign-in', async () => {
    const { user, cookie } = await addPerson(service);

    const wrong = await remove({ email: admin.email }, cookie);
    const empty = await postOwnForm(service, page, {}, cookie);
    service.clock.advance(600);
    const late = [await open(cookie), await remove(user, cookie)];

    expect([wrong.statusCode, empty.statusCode]).toEqual([400, 400]);
    expect(faultOf(wrong, 'email')).toContain('isn’t your account’s email address');
    for (const { headers } of late) expect(headers.location).toMatch(/^\/signin\/confirm\?(form|return_to)=/);
    expect(await rowOf(user)).toMatchObject({ deletedAt: null, suspendedAt: null });
  });

  test('not as the only admin who is active, nor as the only owner of a team or organization', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addGroup(service, 'team', user, 'The only team');
    await addMember(service, team, 'admin');
    const adminCookie = await signIn(service, admin);
    const another = await addUser(service, { isAdmin: true });
    expect((await remove(another, await signIn(service, another))).statusCode).toBe(200);

    const [owning, only] = [await remove(user, cookie), await remove(admin, adminCookie)];

    expect([owning.statusCode, only.statusCode]).toEqual([409, 409]);
    expect(textOf(owning.body)).toContain('You’re the only owner of these');
    expect(owning.body).toContain(`href="${team.page}"`);
    expect(textOf(only.body)).toContain('You’re the only admin');
    expect(textOf(only.body)).toContain('run latchkey-server users make-admin EMAIL');
    const { user: second } = await addMember(service, team, 'owner');
    expect((await remove(user, cookie)).statusCode).toBe(200);
    expect(await db.select().from(memberships).where(eq(memberships.userId, user.id))).toEqual([]);
    expect(await rowOf(second)).toMatchObject({ deletedAt: null });
  });

  test('no admin restores it', async () => {
    const { user, cookie } = await addPerson(service);
    await remove(user, cookie);

    const answer = await restore(service, user, await signIn(service, admin));

    expect(answer.statusCode).toBe(404);
    expect((await rowOf(user))?.suspendedAt).not.toBeNull();
  });

  test('a fault changes nothing, or is made good within a minute', async () => {
    const { user, cookie } = await addPerson(service);
    await addBookings(service, user, 2, 24);
    const failed = await withoutTable(service.database, 'outbox', () => remove(user, cookie));
    expect(failed.statusCode).toBe(500);
    expect(await isSignedIn(service, cookie)).toBe(true);
    expect(await rowOf(user)).toMatchObject({ deletedAt: null, username: user.username });

    const late = await refusingCommits(service.database, 'booking_hosts', () => remove(user, cookie));
    expect(late.statusCode).toBe(200);
    expect(await upcomingOf(user)).toBe(2);
    expect(await rowOf(user)).toMatchObject({
      deletedAt: service.clock.now(),
      name: `Test ${user.username}`,
    });
    await finishDeletions(service.app);

    expect(await upcomingOf(user)).toBe(0);
    expect(await rowOf(user)).toMatchObject({ name: 'Deleted account' });
  });
});

describe('what is left of a deleted account (contract §1, security C92)', () => {
  test('its bookings go after 30 days with all that names it; the team keeps its own', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addClient(service);
    await connect(service, client, cookie);
    const owner = await addPerson(service);
    const team = await addGroup(service, 'team', owner.user);
    const { id: eventTypeId } = await addEventType(service, user);
    await addBookings(service, user, 3, -100, { eventTypeId });
    await addBookings(service, user, 2, -50, { teamId: team.id });
    await remove(user, cookie);
    const left = async () => [
      await db.$count(bookings, like(bookings.attendeeEmail, `dana-${user.id}-%`)),
      await db.$count(bookingHosts, eq(bookingHosts.userId, user.id)),
      await db.$count(eventTypes, eq(eventTypes.userId, user.id)),
      await db.$count(grants, eq(grants.userId, user.id)),
      await db.$count(users, eq(users.id, user.id)),
    ];

    await cleanUp();
    expect(await left()).toEqual([5, 5, 1, 1, 1]);
    service.clock.advance(30 * 86_400);
    await cleanUp();

    expect(await left()).toEqual([2, 0, 0, 0, 0]);
    const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, user.id));
    const places = events.filter(({ address, userAgent }) => address !== null || userAgent !== null);
    expect(events.map(({ action }) => action)).toContain('grant.approved');
    expect(places.map(({ action }) => action)).toEqual(['user.deleted']);
  });

  test('an account that has much ends with as many statements as one with little, but for the locks of its groups (security C263)', async () => {
    const cost = async (many: number): Promise<number> => {
      const { user, cookie } = await addPerson(service);
      const other = await addUser(service);
      for (let made = 0; made < many; made += 1) {
        const group = await addGroup(service, 'team', other);
        await db
          .insert(memberships)
          .values({ groupId: group.id, kind: 'team', userId: user.id, role: 'member' });
        const { id } = await addClient(service);
        await db.update(clients).set({ ownerId: user.id }).where(eq(clients.id, id));
        await addWebhookRow(db, { userId: user.id });
      }
      service.takeStatements();
      expect((await remove(user, cookie)).statusCode).toBe(200);
      const statements = service.takeStatements();
      return statements.filter((text) => !/from "groups".*for update/.test(text)).length;
    };

    expect((await cost(12)) - (await cost(1))).toBeLessThanOrEqual(2);
  });

  test('the audit log of everyone else can be changed as little as before', async () => {
    const { user } = await addPerson(service);
    const change = (values: Partial<typeof auditEvents.$inferInsert>) =>
      db.update(auditEvents).set(values).where(eq(auditEvents.userId, user.id));
    await expect(change({ address: null, userAgent: null })).rejects.toThrow();
    await db.update(users).set({ deletedAt: service.clock.now() }).where(eq(users.id, user.id));

    await expect(change({ address: null, userAgent: null, label: 'x' })).rejects.toThrow();
    await expect(change({ address: '192.0.2.1' })).rejects.toThrow();
    await change({ address: null, userAgent: null });
    await db.update(users).set({ deletedAt: null }).where(eq(users.id, user.id));
  });

  test('10,000 bookings go in batches; those that are upcoming end by fifty a run, and everyone is told', {
    timeout: 60_000,
  }, async () => {
    const { user, cookie } = await addPerson(service);
    const { id: eventTypeId } = await addEventType(service, user);
    await addBookings(service, user, 10_000, -11_000, { eventTypeId });
    await addBookings(service, user, 80, 24 * 30, { eventTypeId });
    const told = () => db.$count(outbox, like(outbox.recipient, `dana-${user.id}-%`));

    await remove(user, cookie);
    const counts = [[await upcomingOf(user), await told()]];
    for (let runs = 0; runs < 2; runs += 1) {
      await finishDeletions(service.app);
      counts.push([await upcomingOf(user), await told()]);
    }

    expect(counts).toEqual([
      [70, 10],
      [20, 60],
      [0, 80],
    ]);
    service.clock.advance(30 * 86_400);
    service.takeStatements();
    await cleanUp();
    const batches = service.takeStatements().filter((one) => one.startsWith('delete from "bookings"'));
    expect(batches).toHaveLength(11);
    expect(await db.$count(bookingHosts, eq(bookingHosts.userId, user.id))).toBe(0);
    expect(await rowOf(user)).toBeUndefined();
  });
});
