import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { counted } from '../../src/platform/limits/store.ts';
import { addEventType, bookOn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addPerson } from '../support/groups.ts';
import { useUp } from '../support/guesser.ts';
import { titleOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { restore, suspend } from '../support/suspension.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const download = (cookie: string) => postOwnForm(service, '/settings/data/export', {}, cookie);

test('a person downloads what is stored about them, and no secret (contract §1)', async () => {
  const { user, cookie } = await addPerson(service);
  const client = await addClient(service);
  const tokens = await connect(service, client, cookie);
  const { path } = await addEventType(service, user);
  const uid = uidIn(await bookOn(service, path, inBerlin(nextDate(), '10:00')));

  const answer = await download(cookie);

  expect(answer.headers['content-disposition']).toBe('attachment; filename="latchkey-data.json"');
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['cache-control']).toBe('no-store');
  const data = answer.json();
  expect(data.users).toMatchObject([{ id: user.id, email: user.email }]);
  expect(data.grants).toMatchObject([{ userId: user.id, clientId: client.id }]);
  expect(data.bookings).toMatchObject([{ uid, attendeeName: 'Dana' }]);
  expect(data.passkeys).toEqual([]);
  expect(data.incomplete).toEqual([]);
  expect(answer.body).not.toMatch(/argon2|Hash"|encrypted/);
  expect(answer.body).not.toContain(tokens.refresh_token);
});

test('it has nothing of the admins who decided, and of other hosts what their pages show', async () => {
  const [{ user }, host] = [await addPerson(service), await addUser(service)];
  const admin = await addUser(service, { isAdmin: true });
  const adminCookie = await signIn(service, admin);
  const { path } = await addEventType(service, host);
  const uid = uidIn(await bookOn(service, path, inBerlin(nextDate(), '11:00'), { email: user.email }));
  await suspend(service, user, adminCookie);
  await restore(service, user, adminCookie);

  const data = (await download(await signIn(service, user))).json();

  expect(data.bookings_as_attendee).toMatchObject([{ uid, attendeeEmail: user.email }]);
  expect(Object.keys(data.bookings_as_attendee[0])).not.toContain('metadata');
  const decided = data.audit_events.filter(({ action }: { action: string }) => action === 'user.suspended');
  expect(decided).toMatchObject([{ userId: user.id, actorId: null, address: null, userAgent: null }]);
});

test('bookings with an address that was never shown to be its own stay out', async () => {
  const [{ user, cookie }, host] = [await addPerson(service, { isVerified: false }), await addUser(service)];
  const { path } = await addEventType(service, host);
  await bookOn(service, path, inBerlin(nextDate(), '12:00'), { email: user.email });

  expect((await download(cookie)).json().bookings_as_attendee).toEqual([]);
});

test('thousands of rows are read in pages of 1,000, each of them once', async () => {
  const { user, cookie } = await addPerson(service);
  await db.execute(sql`
    insert into devices (id_hash, user_id, first_seen_at, last_seen_at)
    select ${randomUUID()} || n, ${user.id}, to_timestamp(n), now() from generate_series(1, 2500) n`);
  service.takeStatements();

  const data = (await download(cookie)).json();

  const reads = service
    .takeStatements()
    .filter((statement) => /from "devices" where .* limit/.test(statement));
  expect(reads).toHaveLength(3);
  const seen = data.devices.map(({ firstSeenAt }: { firstSeenAt: string }) => firstSeenAt);
  expect(new Set(seen).size).toBeGreaterThanOrEqual(2500);
  expect(seen.length).toBe(new Set(seen).size);
});

test('an account downloads twenty times an hour, after a recent sign-in, by its own form', async () => {
  const { user, cookie } = await addPerson(service);
  const { cookie: other } = await addPerson(service);
  const statuses: number[] = [];
  await useUp(service, counted('notable', ['export', user.id]), 2);
  for (let times = 0; times < 3; times += 1) statuses.push((await download(cookie)).statusCode);
  const limited = await download(cookie);

  expect(statuses).toEqual([200, 200, 429]);
  expect([titleOf(limited), limited.headers['retry-after']]).toEqual(['Too many requests', '3600']);
  expect((await download(other)).statusCode).toBe(200);
  const strange = await service.app.inject({
    method: 'POST',
    url: '/settings/data/export',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });
  expect(strange.statusCode).toBe(403);
  const late = await signIn(service, user);
  service.clock.advance(600);
  expect((await download(late)).headers.location).toMatch(/^\/signin\/confirm\?form=/);
});
