import { expect, test } from 'vitest';
import { createUser } from '../../src/accounts/store.ts';
import { users } from '../../src/accounts/tables.ts';
import { findAccountRow, signUpFields } from '../support/accounts.ts';
import { contextOf } from '../support/audit.ts';
import { textOf } from '../support/page-content.ts';
import { developerHome, register, registeredId, reviewHome, submitClient } from '../support/registration.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const firstWords = 'The first account administers this installation';
const noReviewer = 'This installation has no reviewer yet';

async function statusOf({ app }: TestService, id: string, cookie: string): Promise<string> {
  const page = await app.inject({ url: `${developerHome}/${id}`, headers: { cookie } });
  return textOf(page.body);
}

test('of accounts that are the first at the same time exactly one is an admin (contract §1)', async () => {
  const service = await openTestService();
  const { db } = service.database;
  const { time_zone: timeZone, password: passwordHash, ...others } = signUpFields();
  const user = { ...others, timeZone, passwordHash, weekStart: 'Monday' } as const;

  const created = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((index) =>
      createUser(
        db,
        { ...user, username: `first-${index}`, email: `first-${index}@example.com` },
        contextOf(service),
        { isFirstAdmin: true },
      ),
    ),
  );

  expect(created.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true]);
  const admins = (await db.select().from(users)).filter(({ isAdmin }) => isAdmin);
  expect(admins).toHaveLength(1);
});

test('with PostgreSQL nobody becomes an admin by signing up: the start and waiting developers are told', async () => {
  const service = await openTestService();
  const listening = { port: 0, host: '127.0.0.1' };
  await service.app.listen(listening);
  const fields = signUpFields();
  const page = await service.app.inject('/signup');

  await postForm(service, '/signup', fields);
  const { id, cookie } = await submitClient(service);

  expect(service.logText()).toContain('latchkey-server users make-admin EMAIL');
  expect(textOf(page.body)).not.toContain(firstWords);
  expect(await findAccountRow(service, fields.email)).toMatchObject({ isAdmin: false });
  expect(await statusOf(service, id, cookie)).toContain(noReviewer);
  await addUser(service, { isAdmin: true });
  expect(await statusOf(service, id, cookie)).not.toContain(noReviewer);
  const another = await openAnotherInstance(service);
  await another.app.listen(listening);
  expect(another.logText()).not.toContain('make-admin');
});

test('an app in review lets an admin review it (contract §2)', async () => {
  const service = await openTestService();
  const cookie = await startSession(service, await addUser(service, { isAdmin: true }));
  const first = await submitClient(service);
  const second = { cookie, id: registeredId(await register(service, cookie)) };

  const [own, other] = await Promise.all(
    [second, first].map(({ id, ...by }) =>
      service.app.inject({ url: `${developerHome}/${id}`, headers: { cookie: by.cookie } }),
    ),
  );
  expect(own?.body).toContain(`href="${reviewHome}/${second.id}"`);
  expect(other?.body).not.toContain(reviewHome);
});
