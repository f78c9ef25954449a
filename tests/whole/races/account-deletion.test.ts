import { and, eq, isNotNull, like, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { finishDeletions } from '../../../src/accounts/deletion/deletion.ts';
import { memberships, sessions, users } from '../../../src/accounts/tables.ts';
import { grants } from '../../../src/oauth/tables.ts';
import { outbox } from '../../../src/platform/mail/tables.ts';
import { countUpcomingHosted } from '../../../src/scheduling/standing.ts';
import { bookings } from '../../../src/scheduling/tables.ts';
import { startInstance } from '../../start/server-process.ts';
import { send } from '../../support/any-visitor.ts';
import { callApi, represent } from '../../support/api.ts';
import { addEventType, dana, fillIn } from '../../support/booking.ts';
import { inBerlin, nextDate } from '../../support/dates.ts';
import { addGroup, addMember, addPerson, readyForm, statusesOf } from '../../support/groups.ts';
import { holdPermissions } from '../../support/held.ts';
import { addBookings } from '../../support/many-bookings.ts';
import { createTestClock, openAnotherInstance, openTestService } from '../../support/service.ts';
import { addClient, addUser, connect, signIn } from '../../support/world.ts';
import { countWebhooks } from '../webhook-rows.ts';

/** The real time: a process of its own takes part. */
const service = await openTestService({}, createTestClock(new Date()));
const another = await openAnotherInstance(service);
const { db } = service.database;
const page = '/settings/data/delete';

const rowOf = async ({ id }: { readonly id: number }) =>
  (await db.select().from(users).where(eq(users.id, id)))[0];

const upcomingOf = ({ id }: { readonly id: number }) => countUpcomingHosted(db, id, service.clock.now());

const toldOf = ({ id }: { readonly id: number }) =>
  db
    .select({ recipient: outbox.recipient })
    .from(outbox)
    .where(like(outbox.recipient, `dana-${id}-%`));

test('after kill -9 in the middle it goes on where it was, on two instances, and tells each attendee once', {
  timeout: 90_000,
}, async () => {
  const user = await addUser(service);
  await connect(service, await addClient(service), await signIn(service, user));
  await addBookings(service, user, 60, 24);
  const { server, address } = await startInstance(service.database.url, { APP_URL: 'http://localhost:3000' });
  const cookie = await signIn(service, user);
  const fields = { headers: { cookie } };
  const [, formToken = ''] =
    /name="form_token" value="([^"]+)"/.exec(await (await fetch(`${address}${page}`, fields)).text()) ?? [];
  const body = new URLSearchParams({ form_token: formToken, email: user.email });

  const deleting = fetch(`${address}${page}`, { ...fields, method: 'POST', body }).catch(() => undefined);
  await expect.poll(() => upcomingOf(user), { timeout: 20_000, interval: 5 }).toBeLessThan(58);
  server.signal('SIGKILL');
  await Promise.all([server.ended, deleting]);

  const left = await upcomingOf(user);
  expect(left).toBeGreaterThanOrEqual(50);
  expect(await toldOf(user)).toHaveLength(60 - left);
  expect((await rowOf(user))?.deletedAt).not.toBeNull();
  expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  const standing = and(eq(grants.userId, user.id), isNotNull(grants.revokedAt));
  expect(await db.$count(grants, standing)).toBe(1);

  for (let runs = 0; runs < 3; runs += 1)
    await Promise.all([finishDeletions(service.app), finishDeletions(another.app)]);

  const told = (await toldOf(user)).map(({ recipient }) => recipient);
  expect([await upcomingOf(user), told.length, new Set(told).size]).toEqual([0, 60, 60]);
  expect(await rowOf(user)).toMatchObject({ name: 'Deleted account' });
});

test.each([1, 2, 3, 4, 5])(
  'two owners who delete their accounts at once leave no group without one, round %i',
  async () => {
    const owner = await addPerson(service);
    const team = await addGroup(service, 'team', owner.user);
    const second = await addMember(service, team, 'owner');
    const deletions = await Promise.all(
      [owner, second].map(({ user, cookie }, index) =>
        readyForm([service, another][index] ?? service, [page, { email: user.email }], cookie),
      ),
    );

    const answers = await Promise.all(deletions.map((remove) => remove()));

    expect(statusesOf(answers).toSorted()).toEqual([200, 409]);
    const left = await db.select().from(memberships).where(eq(memberships.groupId, team.id));
    expect(left).toMatchObject([{ role: 'owner' }]);
  },
);

test.each([1, 2, 3, 4, 5])('what is booked at the same time is cancelled in the end, round %i', async () => {
  const { user, cookie } = await addPerson(service);
  const { path } = await addEventType(service, user);
  const form = await fillIn(another, path, inBerlin(nextDate(), '10:00'), dana);
  const remove = await readyForm(service, [page, { email: user.email }], cookie);

  const [removed] = await Promise.all([remove(), send(another, path, form)]);
  await finishDeletions(service.app);

  expect(removed.statusCode).toBe(200);
  expect(await upcomingOf(user)).toBe(0);
  expect(await db.$count(bookings, eq(bookings.status, 'accepted'))).toBe(0);
});

test('an app that creates a webhook for it meanwhile leaves none behind (security C151)', {
  tags: 'parts',
}, async () => {
  const { user, token } = await represent(service);
  const cookie = await signIn(service, user);
  const remove = await readyForm(another, [page, { email: user.email }], cookie);
  const body = { subscriberUrl: 'https://app.example/hook', triggers: ['BOOKING_CREATED'], active: true };
  const held = await holdPermissions(service, user);

  const removing = remove();
  await held.untilWaiting(1);
  const creating = callApi(service, 'POST', '/webhooks', { token, body });
  await held.untilWaiting(2);
  await held.release();

  expect([(await removing).statusCode, (await creating).statusCode]).toEqual([200, 403]);
  expect(await countWebhooks(db, sql`user_id = ${user.id}`)).toBe(0);
});
