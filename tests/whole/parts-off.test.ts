import { randomUUID } from 'node:crypto';
import { and, eq, getTableName, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { findShownPerson } from '../../src/accounts/admin/store.ts';
import { finishDeletions } from '../../src/accounts/deletion/deletion.ts';
import { rowsBeyondIndexes } from '../../src/accounts/personal-data/store.ts';
import { users } from '../../src/accounts/tables.ts';
import { createCleanup } from '../../src/cleanup.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { loadParts, optionalParts } from '../../src/parts.ts';
import { recoveryCodes, spentChallenges } from '../../src/passkeys/tables.ts';
import { personalTokens } from '../../src/personal-tokens/tables.ts';
import type { Belonging } from '../../src/platform/belongings.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { findOrphans } from '../../src/platform/orphans/store.ts';
import type { PartData } from '../../src/platform/parts.ts';
import { reencryptAll } from '../../src/platform/reencryption/store.ts';
import { english } from '../../src/platform/words.ts';
import { encryptAccess, encryptCollection } from '../../src/scheduling/calendars/access.ts';
import {
  bookingHosts,
  bookings,
  calendarEntries,
  calendars,
  idempotencyKeys,
  schedules,
  slotReservations,
} from '../../src/scheduling/tables.ts';
import { addEventType, addTeamEventType, emailSentTo } from '../support/booking.ts';
import { openAs } from '../support/groups.ts';
import { loadKits } from '../support/kits.ts';
import { textOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addClient, addUser, connect, postForm, signIn, type TestUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const [all, kits] = [await loadParts(), await loadKits()];
const former = 'a-root-secret-for-tests-only-0123456789abcdef';
const newest = 'a-newer-root-secret-for-tests-only-0123456789';

const without = (name: string): string => `all,-${name}${name === 'scheduling' ? ',-mcp' : ''}`;
const serving = await Promise.all(optionalParts.map((name) => loadParts(without(name))));

/** The optional parts that have data, by name. */
const holders: readonly (readonly [string, PartData])[] = optionalParts.flatMap((name, index) => {
  const [off] = serving[index]?.filter(({ isOff, data }) => isOff && data) ?? [];
  return off?.data === undefined ? [] : [[name, off.data] as const];
});

const open = (name: string) =>
  openAnotherInstance(service, {
    PARTS: without(name),
    SECRET: `${newest},${former}`,
    BOOKING_RETENTION_DAYS: '30',
  });

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(service.clock.now().getTime() - days * dayMs);

async function addBooking(userId: number, startsAt: Date): Promise<number> {
  const times = { startsAt, endsAt: new Date(startsAt.getTime() + 1_800_000) };
  const uid = randomUUID();
  const [made] = await db
    .insert(bookings)
    .values({
      ...{ uid, icsUid: uid, title: 'Talk', status: 'accepted', attendeeName: 'Dana', guests: [] },
      ...{ attendeeEmail: 'dana@example.com', attendeeTimeZone: 'UTC', responses: {}, metadata: {} },
      ...{ ...times, createdAt: daysAgo(90), updatedAt: daysAgo(90) },
    })
    .returning();
  const bookingId = made?.id ?? 0;
  const hosting = { beforeBuffer: 0, afterBuffer: 0, holds: true, bookedAt: daysAgo(90) };
  await db.insert(bookingHosts).values({ bookingId, userId, ...times, ...hosting });
  return bookingId;
}

/** What every optional part can have stored for a person, of each kind that ends or is encrypted. */
async function fill(user: TestUser): Promise<void> {
  const { id: userId } = user;
  const secrets = service.rootSecret;
  const createdAt = daysAgo(40);
  for (const kit of kits.values()) await kit.fill?.(service, user, createdAt);
  const { id: eventTypeId } = await addEventType(service, user);
  const weekly = { name: 'Hours', timeZone: 'UTC', weekly: [], overrides: {}, isDefault: true };
  await db.insert(schedules).values({ ...weekly, userId, createdAt });
  const collection = { url: 'https://dav.example/ann/', name: 'Ann', isReadOnly: false };
  const [calendar] = await db
    .insert(calendars)
    .values({
      ...{ userId, kind: 'caldav', name: 'Ann', createdAt },
      encryptedAccess: encryptAccess(secrets, { kind: 'ics_feed', urls: ['https://feeds.example/a.ics'] }),
      encryptedDestination: encryptCollection(secrets, collection),
    })
    .returning();
  await db.insert(calendarEntries).values({
    ...{ userId, icsUid: randomUUID(), calendarId: calendar?.id ?? 0, server: 'dav.example' },
    ...{ encryptedCollection: encryptCollection(secrets, collection), changedAt: createdAt },
  });
  const bookingId = await addBooking(userId, daysAgo(60));
  await db.insert(idempotencyKeys).values({ keyHash: randomUUID(), requestHash: 'x', bookingId, createdAt });
  const slot = { startsAt: daysAgo(3), endsAt: daysAgo(2), expiresAt: daysAgo(1) };
  await db.insert(slotReservations).values({ uid: randomUUID(), eventTypeId, ...slot });
  const [grantId, clientId] = [randomUUID(), `own-${randomUUID()}`];
  await db.insert(clients).values({
    ...{ id: clientId, name: 'Backup', purpose: 'x', type: 'confidential', redirectUris: [] },
    ...{ status: 'accepted', createdAt, submittedAt: createdAt },
  });
  await db.insert(grants).values({
    ...{ id: grantId, clientId, userId, redirectUri: '', generation: 1 },
    ...{ issuedAt: createdAt, redeemedAt: createdAt, rotatedAt: createdAt },
  });
  await db.insert(personalTokens).values({
    ...{ grantId, clientId, userId, formKey: randomUUID(), tokenHash: randomUUID(), name: 'Backup' },
    ...{ hint: 'abcd', createdAt, expiresAt: daysAgo(1) },
  });
  await db.insert(recoveryCodes).values({ userId, codeHash: randomUUID() });
  await db.insert(spentChallenges).values({ challenge: randomUUID(), expiresAt: daysAgo(1) });
}

const isOf = ({ of }: Belonging, userId: number): SQL | undefined =>
  or(...of.map((column) => eq(column, userId)));

const rowsOf = async (belonging: Belonging, userId: number): Promise<string> =>
  JSON.stringify(await db.select().from(belonging.table).where(isOf(belonging, userId)));

async function addFilled(options: { readonly isVerified?: boolean } = {}): Promise<TestUser> {
  const user = await addUser(service, options);
  await fill(user);
  return user;
}

const belongingsOf = ({ belongings = [] }: PartData): readonly Belonging[] =>
  belongings.filter(({ of }) => of.length > 0);

async function resetPassword(off: TestService, user: TestUser): Promise<string> {
  const path = await obtainResetPath(off, user.email);
  const page = textOf((await off.app.inject({ url: path })).body);
  await postForm(off, path, { password: 'words of the owner' });
  return page;
}

interface Off {
  readonly off: TestService;
  readonly data: PartData;
}

/** What is asked of each member of a part that is off. */
const asked: Readonly<Record<keyof PartData, (of: Off) => Promise<void>>> = {
  async tables({ off }) {
    expect(await findOrphans(off.app)).toEqual([]);
  },

  async belongings({ off, data }) {
    const belongings = belongingsOf(data);
    const [reset, deleted, exported] = [await addFilled(), await addFilled(), await addFilled()];
    const proven = await addFilled({ isVerified: false });
    const before = await Promise.all(belongings.map((one) => rowsOf(one, reset.id)));
    const ending = belongings.filter(({ onReset, onProof, onDeletion }) => onReset ?? onProof ?? onDeletion);
    for (const one of ending) expect(before[belongings.indexOf(one)], getTableName(one.table)).not.toBe('[]');

    const download = await postOwnForm(off, '/settings/data/export', {}, await signIn(off, exported));
    await resetPassword(off, reset);
    const cookie = await signIn(off, deleted);
    await postOwnForm(off, '/settings/data/delete', { email: deleted.email }, cookie);
    const verifying = await openAnotherInstance(off, {
      PARTS: off.app.config.parts ?? 'all',
      SECRET: `${newest},${former}`,
      EMAIL_VERIFICATION: 'required',
      ...mail,
    });
    await resetPassword(verifying, proven);

    const told = download.json();
    expect(told.incomplete).toEqual([]);
    for (const [index, one] of belongings.entries()) {
      const name = getTableName(one.table);
      expect(told[name]?.length > 0, name).toBe(before[index] !== '[]');
      if (one.onReset) expect(await rowsOf(one, reset.id), name).not.toBe(before[index]);
      if (one.onProof) expect(await rowsOf(one, proven.id), name).toBe('[]');
      if (one.onDeletion) expect(await rowsOf(one, deleted.id), name).toBe('[]');
    }
  },

  async atReset({ off, data }) {
    const [some, none] = [await addFilled(), await addUser(service)];
    const { ended, kept } = data.atReset ?? { ended: '' };

    const [told, untold] = [await resetPassword(off, some), await resetPassword(off, none)];

    expect(told).toContain(ended);
    expect(untold).not.toContain(ended);
    if (kept !== undefined) expect(told).toContain(kept);
  },

  async leaving({ off, data }) {
    const [host, platform] = [await addUser(service), await addPlatformClient(service)];
    const managed: { readonly id: number } = (await makeManagedUser(service, platform)).json().data.user;
    const { id } = await findPerson(host);
    await addBooking(id, new Date(service.clock.now().getTime() + dayMs));
    const tell = async () =>
      textOf((await openAs(off, '/settings/data/delete', await signIn(off, host))).body);
    const told = await data.leaving?.tell?.(off.app, id);
    const page = await tell();

    await postOwnForm(off, '/settings/data/delete', { email: host.email }, await signIn(off, host));
    await db.delete(clients).where(eq(clients.id, platform.id));
    await finishDeletions(off.app);

    for (const sentence of told ?? []) expect(page).toContain(english.say(sentence));
    expect(
      await db.$count(bookingHosts, and(eq(bookingHosts.userId, id), eq(bookingHosts.holds, true))),
    ).toBe(0);
    const names = await db
      .select({ name: users.name })
      .from(users)
      .where(inArray(users.id, [id, managed.id]));
    expect(names).toEqual([{ name: 'Deleted account' }, { name: 'Deleted account' }]);
  },

  async expired({ off, data }) {
    await addFilled();
    const { config, db: own, log, parts, runtime } = off.app;
    const found = (data.expired ?? []).map((of) => of(runtime.now(), config, parts));
    const overdue = found.filter(({ table }) => getTableName(table) !== 'bookings');
    for (const { table, isExpired } of overdue) expect(await db.$count(table, isExpired)).toBeGreaterThan(0);

    await createCleanup({ db: own, config, runtime, log, parts }).run();

    for (const { table, isExpired } of found) expect(await db.$count(table, isExpired)).toBe(0);
  },

  async walked({ off, data }) {
    await addFilled();
    const { config, db: own, log, parts, runtime } = off.app;
    const found = (data.walked ?? []).flatMap((of) => of(off.app, runtime.now()) ?? []);
    for (const { table, isExpired } of found) expect(await db.$count(table, isExpired)).toBeGreaterThan(0);
    const cleanup = createCleanup({ db: own, config, runtime, log, parts });

    for (const _times of [1, 2]) await cleanup.run();

    for (const { table, isExpired } of found) expect(await db.$count(table, isExpired)).toBe(0);
  },

  async encrypted({ off, data }) {
    await addFilled();
    const outdated = async () => {
      const found = (data.encrypted ?? []).map(async ({ column, purpose }) => {
        const rows = await db
          .select({ value: sql<Uint8Array>`${column}` })
          .from(column.table)
          .where(isNotNull(column));
        return rows.filter(({ value }) => off.rootSecret.isOutdated(purpose, value)).length;
      });
      return Promise.all(found);
    };
    expect(await outdated()).not.toContain(0);

    const done = await reencryptAll(off.app);

    expect(done).toMatchObject({ unreadable: 0 });
    expect(new Set(await outdated())).toEqual(new Set([0]));
  },

  async searched({ off, data }) {
    const person = await findPerson(await addUser(service));
    const names = (found: ReturnType<typeof rowsBeyondIndexes>) => found.map(({ name }) => name);

    expect(names(rowsBeyondIndexes(off.app, person))).toEqual(
      expect.arrayContaining(names(data.searched?.(person) ?? [])),
    );
  },

  async auditSentences({ off, data }) {
    const user = await addUser(service);
    const [[action, sentence] = ['', '']] = Object.entries<unknown>(data.auditSentences ?? {});
    await db.execute(sql`insert into audit_events (at, action, user_id, actor_id, label)
      values (${service.clock.now().toISOString()}, ${action}, ${user.id}, ${user.id}, 'Something')`);

    const activity = textOf((await openAs(off, '/settings/activity', await signIn(off, user))).body);

    expect(activity).toContain(String([sentence].flat()[0]).replace('{name}', 'Something'));
    expect(activity).not.toContain(action);
  },

  async accessListener({ off }) {
    const user = await addUser(service);
    const app = await addClient(service);
    await connect(service, app, await signIn(service, user));
    const hook = randomUUID();
    await db.execute(sql`
      insert into webhooks (id, client_id, subscriber_url, triggers, encrypted_secret, created_at)
      values (${hook}, ${app.id}, 'https://app.example', '{ACCESS_REMOVED}', 'secret', now())`);

    const cookie = await signIn(off, user);
    const removed = await postOwnForm(off, `/settings/apps/${app.id}/disconnect`, {}, cookie);

    expect(removed.statusCode).toBe(303);
    expect(await db.$count(sql`webhook_deliveries`, sql`webhook_id = ${hook}`)).toBe(1);
    await db.execute(sql`delete from webhooks where id = ${hook}`);
  },
};

const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Latchkey <no-reply@cal.example>' };

async function findPerson({ email }: Pick<TestUser, 'email'>) {
  const person = await findShownPerson(db, email);
  if (person === undefined) throw new Error('there is no such account');
  return person;
}

/** Half an hour of a round robin, in the hours of its hosts. */
const monday = new Date('2027-03-01T09:00:00Z');

test.each(optionalParts)('where %s is off, all parts of the build have their data (ADR 18)', async (name) => {
  const parts = await loadParts(without(name));

  expect(parts.map(({ data }) => data)).toEqual(all.map(({ data }) => data));
  expect(parts.filter(({ isOff }) => isOff)).not.toEqual([]);
});

describe.each(holders)(
  'where %s is off, what it stored is treated as ever (security C310)',
  async (name, data) => {
    const off = await open(name);

    test.each(Object.keys(data).filter((key): key is keyof PartData => key in asked))(
      '%s',
      async (member) => {
        await asked[member]({ off, data });
      },
    );

    test('no member is left out here', () => {
      expect(Object.keys(data).filter((key) => !(key in asked))).toEqual([]);
    });
  },
);

describe('where scheduling is off, a deleted account’s upcoming bookings (security C310)', async () => {
  const off = await open('scheduling');

  const remove = async (user: TestUser) =>
    postOwnForm(off, '/settings/data/delete', { email: user.email }, await signIn(off, user));
  const find = async (id: number) => (await db.select().from(bookings).where(eq(bookings.id, id)))[0];

  test('are cancelled, and the attendee is told, without links to pages that aren’t there', async () => {
    const host = await addUser(service);
    const { id: eventTypeId } = await addEventType(service, host);
    const id = await addBooking(host.id, new Date(service.clock.now().getTime() + dayMs));
    const attendeeEmail = `dana-${host.username}@example.com`;
    await db.update(bookings).set({ attendeeEmail, eventTypeId }).where(eq(bookings.id, id));

    await remove(host);

    expect(await find(id)).toMatchObject({ status: 'cancelled' });
    const text = await emailSentTo(off, attendeeEmail, 'Cancelled');
    expect(text).toContain('The host’s account was deleted.');
    expect(text).not.toContain(off.appUrl);
    const [told] = await db.select().from(outbox).where(eq(outbox.recipient, host.email));
    expect(told?.text).toContain('Upcoming bookings that you host are being cancelled');
  });

  test('go to another host of a round robin whose calendar is free, as where it is on', async () => {
    const [leaving, another] = [await addUser(service), await addUser(service)];
    const team = await addTeam(service, another);
    await joinTeam(service, team, leaving, 'member');
    const { id: eventTypeId } = await addTeamEventType(service, team, [leaving, another]);
    const id = await addBooking(leaving.id, monday);
    await db.update(bookings).set({ eventTypeId, teamId: team.id }).where(eq(bookings.id, id));

    await remove(leaving);
    await finishDeletions(off.app);

    expect(await find(id)).toMatchObject({ status: 'accepted' });
    const hosts = await db.select().from(bookingHosts).where(eq(bookingHosts.bookingId, id));
    expect(hosts).toMatchObject([{ userId: another.id }]);
  });

  test('go with the account’s row after 30 days, and no attendee’s address stays', async () => {
    const host = await addUser(service);
    const id = await addBooking(host.id, new Date(service.clock.now().getTime() + dayMs));
    await remove(host);
    service.clock.advance(31 * 86_400);
    const { config, db: own, log, parts, runtime } = off.app;

    await finishDeletions(off.app);
    await createCleanup({ db: own, config, runtime, log, parts }).run();

    expect(await find(id)).toBeUndefined();
    expect(await db.$count(users, eq(users.id, host.id))).toBe(0);
  });

  test('are not spoken of to a person who has none', async () => {
    const nobody = await addUser(service);

    const page = textOf((await openAs(off, '/settings/data/delete', await signIn(off, nobody))).body);
    await remove(nobody);

    const [told] = await db.select().from(outbox).where(eq(outbox.recipient, nobody.email));
    expect(page).not.toContain('ooking');
    expect(told?.subject).toBe('Your account was deleted');
    expect(told?.text).not.toContain('ooking');
  });
});

describe('a build without webhooks (ADR 18)', { tags: 'parts' }, () => {
  const lacking = all.filter(({ data }) => !data?.encrypted?.some(({ purpose }) => purpose === 'webhook'));

  test('knows which tables have rows that it can neither end nor read', async () => {
    await addFilled();

    expect(await findOrphans({ db, parts: all })).toEqual([]);
    expect(await findOrphans({ db, parts: lacking })).toEqual([
      'webhook_deliveries',
      'webhook_events',
      'webhooks',
    ]);
  });

  test('says nothing of tables without rows, and of those of other programs', async () => {
    for (const table of ['webhooks', 'webhook_events'])
      await db.execute(sql`delete from ${sql.identifier(table)}`);
    await db.execute(sql`create table of_another_program (encrypted_x bytea)`);
    await db.execute(sql`insert into of_another_program values (null)`);

    expect(await findOrphans({ db, parts: lacking })).toEqual([]);
  });
});
