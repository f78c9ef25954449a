import { expect, test } from 'vitest';
import { readId } from '../../src/accounts/browsers.ts';
import { newAddress, signInFrom } from '../support/guesser.ts';
import { openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, signIn } from '../support/world.ts';

const service = await openTestService();
const { requests } = service.app.buckets;

const openSignIn = async (remoteAddress: string, cookie = ''): Promise<number> =>
  (await service.app.inject({ url: '/signin', remoteAddress, headers: { cookie } })).statusCode;

test('a network of many people isn’t shut out by one of them: who has signed in there before signs in (security C41)', async () => {
  const [user, neighbour] = [await addUser(service), await addUser(service)];
  const remoteAddress = newAddress();
  const cookie = deviceCookieOf(service, user);
  requests.take([[remoteAddress, 1]], requests.max);

  expect(await openSignIn(remoteAddress)).toBe(429);
  expect(await openSignIn(remoteAddress, cookie)).toBe(200);
  expect((await signInFrom(service, user, { remoteAddress, cookie })).statusCode).toBe(303);
  expect(await openSignIn(remoteAddress, deviceCookieOf(service, neighbour))).toBe(200);
});

test('one cookie that asks without end makes its own pages wait, and nobody else’s (security C217)', async () => {
  const [user, neighbour] = [await addUser(service), await addUser(service)];
  const remoteAddress = newAddress();
  const cookie = await signIn(service, user);
  const readProfile = async (sent: string) =>
    (await service.app.inject({ url: '/settings/profile', remoteAddress, headers: { cookie: sent } }))
      .statusCode;
  const { idHash = '' } = readId(/latchkey_session=([^;]*)/.exec(cookie)?.[1]) ?? {};
  requests.take([[`session ${idHash}`, 1]], requests.max);

  expect(await readProfile(cookie)).toBe(429);
  expect(await readProfile(await signIn(service, user))).toBe(200);
  expect(await readProfile(await signIn(service, neighbour))).toBe(200);
  expect(await openSignIn(remoteAddress)).toBe(200);
});

test('three browsers that ask without end leave a quarter of their network’s to the others (security C41)', async () => {
  const remoteAddress = newAddress();
  for (const browser of ['one', 'two', 'three'])
    requests.take(
      [
        [`browser ${browser}`, 1],
        [`browsers ${remoteAddress}`, 4],
      ],
      requests.max,
    );

  expect(await openSignIn(remoteAddress, deviceCookieOf(service, await addUser(service)))).toBe(200);
});
