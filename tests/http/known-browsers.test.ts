import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addDevice, maxDevicesOfUser } from '../../src/accounts/sessions/store.ts';
import { devices } from '../../src/accounts/tables.ts';
import { signInFrom } from '../support/guesser.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, type TestUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const devicesOf = ({ id }: Pick<TestUser, 'id'>) =>
  db.select().from(devices).where(eq(devices.userId, id)).orderBy(devices.firstSeenAt);

test('an account that becomes an admin by the configuration knows no browser any more', async () => {
  const user = await addUser(service);

  await openAnotherInstance(service, { ADMIN_EMAIL: user.email, ADMIN_PASSWORD: 'the password of admins' });

  expect(await devicesOf(user)).toEqual([]);
});

test('the table holds a hash of the device cookie, never the cookie', async () => {
  const user = await addUser(service);
  const answer = await signInFrom(service, user);

  const id = answer.cookies.find(({ name }) => name === 'latchkey_device')?.value ?? '';

  expect(id).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify(await devicesOf(user))).not.toContain(id);
  expect(service.logText()).not.toContain(id);
});

test('signing in keeps a browser from being forgotten', async () => {
  const user = await addUser(service);
  service.clock.advance(3600);

  await signInFrom(service, user, { cookie: deviceCookieOf(service, user) });

  const now = service.clock.now();
  const [device] = await devicesOf(user);
  expect(device?.lastSeenAt).toEqual(now);
  expect(device?.firstSeenAt).toEqual(new Date(now.getTime() - 3600 * 1000));
});

test('an account knows so many browsers, and forgets the one that was unused for longest (security C206)', async () => {
  const user = await addUser(service);
  const [first] = await devicesOf(user);
  service.clock.advance(1);
  const used = String(first?.idHash);

  for (let added = 0; added < maxDevicesOfUser; added += 1) {
    await addDevice(db, `browser ${added}`, user.id, service.clock.now());
    service.clock.advance(1);
    await addDevice(db, used, user.id, service.clock.now());
  }

  const known = (await devicesOf(user)).map(({ idHash }) => idHash);
  expect(known).toHaveLength(maxDevicesOfUser);
  expect(known).toContain(used);
  expect(known).not.toContain('browser 0');
});
