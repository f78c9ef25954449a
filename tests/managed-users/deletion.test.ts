import { and, eq, inArray, like } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { finishDeletions } from '../../src/accounts/deletion/deletion.ts';
import { displayEmailOf } from '../../src/accounts/display-email.ts';
import { endGroup } from '../../src/accounts/groups/changes.ts';
import { groups, memberships, users } from '../../src/accounts/tables.ts';
import { createCleanup } from '../../src/cleanup.ts';
import { clients } from '../../src/oauth/tables.ts';
import { loadParts } from '../../src/parts.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { bookingPathOf } from '../../src/scheduling/bookings/booking.ts';
import { countUpcomingHosted } from '../../src/scheduling/standing.ts';
import { bookingHosts, bookings } from '../../src/scheduling/tables.ts';
import { anyAddress, openWith } from '../support/any-visitor.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { contextOf } from '../support/audit.ts';
import { basicOf } from '../support/basic.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { emptyOutbox, emptyTable } from '../support/empty-table.ts';
import { icsOf, startFeedServer } from '../support/feed-server.ts';
import { useUp } from '../support/guesser.ts';
import { addBookings } from '../support/many-bookings.ts';
import { textOf } from '../support/page-content.ts';
import {
  addOrganization,
  addPlatformClient,
  joinOrganization,
  makeManagedUser,
  usersPath,
} from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addClient, addUser, startSession, type TestUser } from '../support/world.ts';

const parts = await loadParts();

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
const feeds = await startFeedServer();
const { db } = service.database;
const client = await addPlatformClient(service);
const ann = await represent(service);
const team = await addTeam(service, ann.user);

beforeEach(async () => {
  for (const table of [outbox, rateLimits]) await emptyTable(db, table);
});

/** A managed user as the builders of event types know users; it works in Berlin, and belongs to the team. */
async function addManaged(): Promise<TestUser> {
  const { user } = bodyOf(await makeManagedUser(service, client, { timeZone: 'Europe/Berlin' }), 201).data;
  const managed = { ...ann.user, id: user.id, email: user.email };
  await joinTeam(service, team, managed, 'member');
  return managed;
}

async function book(eventTypeId: number, start = inBerlin(nextDate(), '10:00')) {
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'Europe/Berlin' };
  const body = { eventTypeId, start, attendee, guests: ['guest@example.com'] };
  return callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() });
}

async function booked(eventTypeId: number, start?: string): Promise<string> {
  const { uid } = bodyOf(await book(eventTypeId, start), 201).data;
  await emptyOutbox(db);
  return uid;
}

async function remove({ id }: { readonly id: number }) {
  return callApi(service, 'DELETE', `${usersPath(client)}/${id}`, {
    headers: { authorization: basicOf(client) },
  });
}

async function rowOf(uid: string) {
  return (await db.select().from(bookings).where(eq(bookings.uid, uid)))[0];
}

async function hostsOf(uid: string): Promise<readonly number[]> {
  const { data } = bodyOf(await callApi(service, 'GET', `/bookings/${uid}`, { token: ann.token }));
  return data.hosts.map(({ id }: { id: number }) => id);
}

/** Who was told what: subjects as far as their colon. */
async function lettersSent() {
  const rows = await db.select().from(outbox);
  return rows.map(({ recipient, subject }) => [recipient, subject.replace(/:.*/, '')]).toSorted();
}

const userRowOf = async ({ id }: { readonly id: number }) =>
  (await db.select().from(users).where(eq(users.id, id)))[0];
const upcomingOf = ({ id }: { readonly id: number }) => countUpcomingHosted(db, id, service.clock.now());

describe('deleting a managed user (contract §8)', () => {
  test('cancels what it hosts, and notifies all attendees, by the link in the email too', async () => {
    const host = await addManaged();
    const uid = await booked((await addEventType(service, host)).id);

    bodyOf(await remove(host));

    const reason = 'The host’s account was deleted.';
    expect(await rowOf(uid)).toMatchObject({ status: 'cancelled', cancellationReason: reason });
    expect(await lettersSent()).toEqual([
      ['dana@example.com', 'Cancelled'],
      ['guest@example.com', 'Cancelled'],
    ]);
    const [email] = await db.select().from(outbox).where(eq(outbox.recipient, 'dana@example.com'));
    expect(email?.text).toContain(reason);
    expect(email?.calendarEntry).toMatch(/METHOD:CANCEL[\s\S]*SEQUENCE:1\r\n/);
    const page = await openWith(service, bookingPathOf(uid, service.rootSecret));
    expect(textOf(page.body)).toContain('This booking was cancelled.');
    expect(textOf(page.body)).toContain(reason);
  });

  test('tells no guest of a booking that only waited', async () => {
    const host = await addManaged();
    const uid = await booked((await addEventType(service, host, { requiresConfirmation: true })).id);

    bodyOf(await remove(host));

    expect((await rowOf(uid))?.status).toBe('cancelled');
    expect((await lettersSent()).map(([to]) => to)).not.toContain('guest@example.com');
  });

  test('leaves what is over, and what had ended before, as it is', async () => {
    const host = await addManaged();
    const { id } = await addEventType(service, host);
    const [over, declined] = [await booked(id), await booked(id)];
    const endsAt = new Date(service.clock.now().getTime() - 1000);
    const startsAt = new Date(endsAt.getTime() - 1_800_000);
    const hostingOf = (uid: string) =>
      inArray(
        bookingHosts.bookingId,
        db.select({ id: bookings.id }).from(bookings).where(eq(bookings.uid, uid)),
      );
    await db.update(bookings).set({ startsAt, endsAt }).where(eq(bookings.uid, over));
    await db.update(bookingHosts).set({ startsAt, endsAt }).where(hostingOf(over));
    await db.update(bookings).set({ status: 'rejected' }).where(eq(bookings.uid, declined));
    await db.update(bookingHosts).set({ holds: false }).where(hostingOf(declined));

    bodyOf(await remove(host));

    expect([(await rowOf(over))?.status, (await rowOf(declined))?.status]).toEqual(['accepted', 'rejected']);
    expect(await lettersSent()).toEqual([]);
  });

  test('gives a round robin booking to another host who is free', async () => {
    const host = await addManaged();
    const { id } = await addTeamEventType(service, team, [host]);
    const uid = await booked(id);
    await callApi(service, 'PATCH', `/event-types/${id}`, {
      token: ann.token,
      body: { hosts: [{ userId: host.id }, { userId: ann.user.id }] },
    });

    bodyOf(await remove(host));
    await finishDeletions(service.app);

    expect(await rowOf(uid)).toMatchObject({
      status: 'accepted',
      title: `Talk between Test ${ann.user.username} and Dana`,
    });
    expect(await hostsOf(uid)).toEqual([ann.user.id]);
    expect(await lettersSent()).toContainEqual([ann.user.email, 'Assigned to you']);
  });

  test('cancels one that nobody else is free for, and a collective one', async () => {
    const host = await addManaged();
    const alone = await booked((await addTeamEventType(service, team, [host])).id);
    const together = await booked((await addTeamEventType(service, team, [host, ann.user], 'collective')).id);

    bodyOf(await remove(host));
    await finishDeletions(service.app);

    expect([(await rowOf(alone))?.status, (await rowOf(together))?.status]).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(await lettersSent()).toContainEqual([ann.user.email, 'Cancelled']);
    expect(await hostsOf(together)).toEqual([ann.user.id, host.id]);
    expect((await userRowOf(host))?.name).toBe('Deleted account');
  });

  test('that is refused cancels nothing', async () => {
    const host = await addManaged();
    const uid = await booked((await addEventType(service, host)).id);
    const other = await addPlatformClient(service);

    const answer = await callApi(service, 'DELETE', `${usersPath(other)}/${host.id}`, {
      headers: { authorization: basicOf(other) },
    });

    expect(answer.statusCode).toBe(404);
    expect((await rowOf(uid))?.status).toBe('accepted');
    expect(await lettersSent()).toEqual([]);
  });

  test('while it is being booked leaves nobody without a host, whatever comes first', async () => {
    for (let round = 0; round < 6; round += 1) {
      const host = await addManaged();
      const { id } = await addEventType(service, host);
      const starts = Array.from({ length: 6 }, () => inBerlin(nextDate(), '10:00'));

      const [deleted, ...answers] = await Promise.all([
        remove(host),
        ...starts.map((start) => book(id, start)),
      ]);

      expect(deleted.statusCode).toBe(200);
      await finishDeletions(service.app);
      for (const answer of answers) expect([201, 404]).toContain(answer.statusCode);
      const made = answers.filter(({ statusCode }) => statusCode === 201);
      for (const answer of made) expect((await rowOf(answer.json().data.uid))?.status).toBe('cancelled');
    }
  });
});

describe('a managed user with many bookings (security C129)', () => {
  test('is deleted in one short request, and its bookings end in the background, 50 a run', async () => {
    const host = await addManaged();
    const { id: eventTypeId } = await addEventType(service, host);
    await addBookings(service, host, 80, 24, { eventTypeId });

    const counts = [];
    const answer = bodyOf(await remove(host)).data;
    counts.push(await upcomingOf(host));
    const free = await book(eventTypeId);
    for (let runs = 0; runs < 2; runs += 1) {
      await finishDeletions(service.app);
      counts.push(await upcomingOf(host));
    }

    expect(answer).toMatchObject({ id: host.id, email: host.email, name: 'Managed Person' });
    expect((await remove(host)).statusCode).toBe(404);
    expect(free.statusCode).toBe(404);
    expect(counts).toEqual([70, 20, 0]);
    expect(await db.$count(outbox, like(outbox.recipient, `dana-${host.id}-%`))).toBe(80);
    expect(await userRowOf(host)).toMatchObject({ name: 'Deleted account' });
  });

  test('can be made again at once, and its bookings show the address to the end', async () => {
    const email = 'again@example.com';
    const { user } = bodyOf(await makeManagedUser(service, client, { email }), 201).data;
    await addBookings(service, user, 11, 24);

    bodyOf(await remove(user));
    const again = bodyOf(await makeManagedUser(service, client, { email }), 201).data;

    expect(again.user).toMatchObject({ email: user.email, displayEmail: email });
    expect(await upcomingOf(user)).toBe(1);
    expect(displayEmailOf((await userRowOf(user))?.email ?? '')).toBe(email);
    await finishDeletions(service.app);
    expect((await userRowOf(user))?.email).toMatch(/@deleted\.invalid$/);
  });

  test('tells everyone who was booked, however many emails its client has caused', async () => {
    const host = await addManaged();
    await addBookings(service, host, 3, 24);
    const spent = counted('emails', [`client ${client.id}`], 40);
    await useUp(service, spent);

    bodyOf(await remove(host));

    expect(await upcomingOf(host)).toBe(0);
  });

  test('waits for no calendar; in the background, slow ones take five seconds of each run, and no more', async () => {
    const colleague = await represent(service);
    let [asked, seconds] = [0, 0];
    const url = feeds.serve('/slow.ics', (_request, response) => {
      asked += 1;
      service.clock.advance(seconds);
      response
        .writeHead(200, { 'content-type': 'text/calendar' })
        .end(icsOf(['DTSTART:20300101T000000Z', 'DURATION:PT1H']));
    });
    const connected = { token: colleague.token, body: { urls: [url] } };
    bodyOf(await callApi(service, 'POST', '/calendars/ics-feed/save', connected), 201);
    await joinTeam(service, team, colleague.user, 'member');
    const [host, another] = [await addManaged(), await addManaged()];
    const { id: eventTypeId } = await addTeamEventType(service, team, [host, colleague.user]);
    // Further from each other than what is remembered of a calendar.
    for (const days of [21, 119, 217]) await addBookings(service, host, 1, 24 * days, { eventTypeId });
    await addBookings(service, another, 11, 24);
    [asked, seconds] = [0, 6];

    for (const user of [host, another]) bodyOf(await remove(user));
    const askedAtOnce = asked;
    const counts = [];
    for (let runs = 0; runs < 3; runs += 1) {
      service.clock.advance(60);
      await finishDeletions(service.app);
      counts.push([await upcomingOf(host), await upcomingOf(another)]);
    }

    expect(askedAtOnce).toBe(0);
    expect(counts).toEqual([
      [2, 0],
      [1, 0],
      [0, 0],
    ]);
    expect(await upcomingOf(colleague.user)).toBe(3);
  });

  test('keeps nobody else’s deletion waiting: a client’s users take turns as one', async () => {
    const many = await addPlatformClient(service);
    const now = service.clock.now();
    const row = { name: 'Left', passwordHash: '', createdAt: now, deletedAt: now, suspendedAt: now };
    await db.insert(users).values(
      Array.from({ length: 400 }, (_, index) => {
        return { ...row, email: `many-${index}@example.com`, managingClientId: many.id };
      }),
    );
    const [person] = await db
      .insert(users)
      .values({ ...row, email: 'one@example.com' })
      .returning();

    await finishDeletions(service.app);

    expect((await userRowOf(person ?? { id: 0 }))?.name).toBe('Deleted account');
    expect(await db.$count(users, like(users.email, 'many-%'))).toBe(381);
  });
});

describe('the users of a client that is deleted (contract §2, security C130)', () => {
  const clean = async () => {
    await finishDeletions(service.app);
    const { config, db: own, runtime, log } = service.app;
    await createCleanup({ db: own, config, runtime, log, parts }).run();
  };

  test('are deleted after it, with their names, addresses and bookings, as its page says', async () => {
    const owner = await addUser(service);
    const own = await addClient(service, { name: 'Test app' });
    await db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, own.id));
    await joinOrganization(service, owner.id, (await addOrganization(service)).id, 'owner');
    const [host, idle] = [await makeManagedUser(service, own), await makeManagedUser(service, own)].map(
      (answer) => bodyOf(answer, 201).data.user,
    );
    await addBookings(service, host, 2, 24);
    const cookie = await startSession(service, owner);
    const page = `/settings/developer/oauth/${own.id}/delete`;
    const shown = textOf((await service.app.inject({ url: page, headers: { cookie } })).body);

    const deleted = await postOwnForm(service, page, { name: 'Test app' }, cookie);
    for (let runs = 0; runs < 2; runs += 1) await clean();

    expect(shown).toContain('2 managed users are deleted within minutes.');
    expect(deleted.statusCode).toBe(303);
    for (const user of [host, idle])
      expect(await userRowOf(user)).toMatchObject({
        name: 'Deleted account',
        email: expect.stringMatching(/@deleted\.invalid$/),
      });
    expect(await upcomingOf(host)).toBe(0);
    expect(await db.$count(outbox, like(outbox.recipient, `dana-${host.id}-%`))).toBe(2);
    service.clock.advance(30 * 86_400);
    await clean();
    expect([await userRowOf(host), await userRowOf(idle)]).toEqual([undefined, undefined]);
    const attendees = like(bookings.attendeeEmail, `dana-${host.id}-%`);
    expect(await db.$count(bookings, attendees)).toBe(0);
  });

  test('of the owner’s deleted account, too; those of other clients stay', async () => {
    const gone = await addPlatformClient(service);
    const [left, kept] = [await makeManagedUser(service, gone), await makeManagedUser(service, client)].map(
      (answer) => bodyOf(answer, 201).data.user,
    );
    await db.delete(clients).where(eq(clients.id, gone.id));

    await clean();

    expect(await userRowOf(left)).toMatchObject({ name: 'Deleted account' });
    expect(await userRowOf(kept)).toMatchObject({ name: 'Managed Person', deletedAt: null });
    const [event] = await db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.userId, left.id), eq(auditEvents.action, 'managed_user.deleted')));
    expect(event).toMatchObject({ clientId: gone.id, actorId: null, actorClientId: null });
  });
});

describe('managed users whose maker is out of the platform (contract §8, security C213)', () => {
  test('are shown to its owner with their app, and deleted when the owner ends them', async () => {
    const own = await addClient(service, { name: 'Left behind' });
    const platform = await addOrganization(service, { name: 'Platform' });
    const [owner, admin] = [await addUser(service), await addUser(service)];
    await joinOrganization(service, own.ownerId, platform.id, 'admin');
    await joinOrganization(service, owner.id, platform.id, 'owner');
    await joinOrganization(service, admin.id, platform.id, 'admin');
    const made = bodyOf(await makeManagedUser(service, own), 201).data.user;
    const [cookie, adminCookie] = [await startSession(service, owner), await startSession(service, admin)];
    const path = `/settings/organization/${platform.id}`;
    await postOwnForm(service, `${path}/members/${own.ownerId}/remove`, {}, cookie);
    await finishDeletions(service.app);
    const stays = await userRowOf(made);
    const shown = textOf(
      (await service.app.inject({ url: '/settings/organization', headers: { cookie } })).body,
    );
    const end = { client_id: own.id };

    const refused = await postOwnForm(service, `${path}/managed-users/end`, end, adminCookie);
    const ended = await postOwnForm(service, `${path}/managed-users/end`, end, cookie);
    await finishDeletions(service.app);

    expect(stays?.deletedAt).toBeNull();
    expect(shown).toContain('Left behind');
    expect([refused.statusCode, ended.statusCode]).toEqual([403, 303]);
    expect((await userRowOf(made))?.name).toBe('Deleted account');
    const recorded = await db.select().from(auditEvents).where(eq(auditEvents.clientId, own.id));
    expect(recorded.map(({ action }) => action)).toContain('managed_users.ended');
  });

  test('end with the platform, and those of another app stay', async () => {
    const [own, other] = [await addPlatformClient(service), await addPlatformClient(service)];
    const [gone, kept] = [await makeManagedUser(service, own), await makeManagedUser(service, other)].map(
      (answer) => bodyOf(answer, 201).data.user,
    );
    const [platform] = await db.select().from(memberships).where(eq(memberships.userId, own.ownerId));
    const actorId = own.ownerId;
    const act = { group: { kind: 'organization', id: platform?.groupId ?? 0 }, actorId } as const;
    const ended = await endGroup(service.app, { ...act, by: contextOf(service) }, () => true);

    await finishDeletions(service.app);

    expect(ended.ok).toBe(true);
    expect((await userRowOf(gone))?.name).toBe('Deleted account');
    expect((await userRowOf(kept))?.deletedAt).toBeNull();
  });

  test('stay with their bookings where the platform was deleted before its users ended with it', async () => {
    const own = await addPlatformClient(service);
    const made = bodyOf(await makeManagedUser(service, own), 201).data.user;
    await addBookings(service, made, 1, 24);
    const [platform] = await db.select().from(memberships).where(eq(memberships.userId, own.ownerId));
    await db.delete(groups).where(eq(groups.id, platform?.groupId ?? 0));

    await finishDeletions(service.app);

    expect(await userRowOf(made)).toMatchObject({ name: 'Managed Person', deletedAt: null });
    expect(await upcomingOf(made)).toBe(1);
  });

  test('stay when a team that they are in is deleted', async () => {
    const owner = await addUser(service);
    const joined = await addTeam(service, owner);
    const made = await addManaged();
    await joinTeam(service, joined, made, 'member');

    const act = {
      group: { kind: 'team', id: joined.id },
      actorId: owner.id,
      by: contextOf(service),
    } as const;
    const ended = await endGroup(service.app, act, () => true);
    await finishDeletions(service.app);

    expect(ended.ok).toBe(true);
    expect(await userRowOf(made)).toMatchObject({ deletedAt: null, suspendedAt: null });
  });
});
