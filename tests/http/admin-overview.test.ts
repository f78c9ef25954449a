import { expect, test } from 'vitest';
import { createDailyNumbers, listDailyNumbers } from '../../src/platform/metrics/daily.ts';
import { dailyNumbers } from '../../src/platform/metrics/tables.ts';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { register } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestService();
const admin = await signIn(service, await addUser(service, { isAdmin: true }));
const other = await signIn(service, await addUser(service));
const home = '/settings/admin';

test('an admin is told what to set up, by the words of the doctor; nobody else sees it', async () => {
  const { body } = await openAs(service, home, admin);

  expect(textOf(body)).toContain('No email is sent. Set SMTP_URL and MAIL_FROM.');
  expect(textOf(body)).toMatch(/Only this machine opens http:\/\/localhost:\d+. Set APP_URL./);
  expect(textOf(body)).toContain('Anyone can create an account. SIGNUP=closed ends that.');
  expect(textOf(body)).toContain('Back up');
  expect((await openAs(service, home, other)).statusCode).toBe(403);
});

test('home says so too, to admins alone, and a passkey is asked for', { tags: 'parts' }, async () => {
  const { body } = await openAs(service, home, admin);

  expect(textOf(body)).toContain('Your password alone opens these pages. Add a passkey.');
  expect(textOf((await openAs(service, '/', admin)).body)).toContain(
    'It still needs email and a public address.',
  );
  expect(textOf((await openAs(service, '/', other)).body)).not.toContain('still needs');
});

test('what is set up is said to be so', async () => {
  const done = await openAnotherInstance(service, { SIGNUP: 'closed', ADMIN_PASSKEYS: 'off' });

  expect(textOf((await openAs(done, home, admin)).body)).toContain(
    'Closed. People who have an account keep it.',
  );
});

test('instances add what they count to the day, and a visit reads 30 days', async () => {
  const { db } = service.database;
  await db.delete(dailyNumbers);
  const app = { db, parts: service.app.parts, runtime: service.app.runtime };
  const writers = [createDailyNumbers(app), createDailyNumbers(app)];
  await register(service, other);
  for (const write of [...writers, ...writers]) await write();
  service.clock.advance(86_400);
  await register(service, await signIn(service, await addUser(service)));
  await writers[0]?.();

  const apps = (await listDailyNumbers(app)).find(({ words }) => words === 'New apps');
  expect(apps?.days).toHaveLength(30);
  // Both count in one process here.
  expect(apps?.days.slice(-2).map(({ total }) => total)).toEqual([2, 1]);
  const page = await openAs(service, home, await signIn(service, await addUser(service, { isAdmin: true })));
  expect(textOf(page.body).replaceAll(/\s+/g, ' ')).toContain('New apps 3 1 today');
  expect(page.body).not.toMatch(/<script(?! src)|style=/);
});
