import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eventTypes, schedules } from '../../src/scheduling/tables.ts';
import { allCookiesOf, findAccountRow, signUpFields } from '../support/accounts.ts';
import { textOf } from '../support/page-content.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { mailSettings, pressVerify, verifyPathTo } from '../support/verification.ts';
import { postForm } from '../support/world.ts';

const service = await openTestService();
const strict = await openAnotherInstance(service, mailSettings);
const { db } = service.database;

const hours = [1, 2, 3, 4, 5].map((weekDay) => ({ weekDay, startMinute: 540, endMinute: 1020 }));

async function belongingsOf(userId: number) {
  return {
    schedules: await db.select().from(schedules).where(eq(schedules.userId, userId)),
    eventTypes: await db.select().from(eventTypes).where(eq(eventTypes.userId, userId)),
  };
}

async function signUp(instance: TestService) {
  const fields = signUpFields();
  const answer = await postForm(instance, '/signup', fields);
  const row = await findAccountRow(service, fields.email);
  if (row === undefined || row.username === null) throw new Error('no account');
  return { ...row, cookie: allCookiesOf(answer), page: `/${row.username}` };
}

test('a new account can be booked: Monday to Friday from 9 to 17, for 30 minutes (contract §1)', async () => {
  const { id, page } = await signUp(service);

  expect(await belongingsOf(id)).toMatchObject({
    schedules: [{ name: 'Working hours', timeZone: 'Europe/Berlin', isDefault: true, weekly: hours }],
    eventTypes: [{ title: '30-minute meeting', slug: '30min', lengthInMinutes: 30, hidden: false }],
  });
  const list = await service.app.inject(page);
  expect(list.statusCode).toBe(200);
  expect(list.body).toContain(`href="${page}/30min"`);
  const month = await service.app.inject(`${page}/30min?month=2026-12&timeZone=Europe/Berlin`);
  expect(textOf(month.body)).toContain('30 minutes');
});

test('one that has to be verified can be booked once it is', async () => {
  const { email, cookie, page } = await signUp(strict);
  const before = await strict.app.inject(page);

  await pressVerify(strict, await verifyPathTo(strict, email), cookie);

  expect(before.statusCode).toBe(404);
  expect((await strict.app.inject(page)).statusCode).toBe(200);
});

test('the admin of ADMIN_EMAIL has hours and an event type, and no more of them after another start', async () => {
  const email = 'operator@example.com';
  for (const _start of [1, 2])
    await openAnotherInstance(service, { ADMIN_EMAIL: email, ADMIN_PASSWORD: 'the words of an operator' });

  const row = await findAccountRow(service, email);
  const { schedules, eventTypes } = await belongingsOf(row?.id ?? 0);

  expect([schedules.length, eventTypes.length]).toEqual([1, 1]);
});

test('a managed user has what its app makes (contract §8)', async () => {
  const { user } = (await makeManagedUser(service, await addPlatformClient(service))).json().data;

  expect(await belongingsOf(user.id)).toEqual({ schedules: [], eventTypes: [] });
});
