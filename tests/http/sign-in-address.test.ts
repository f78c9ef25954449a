import { describe, expect, test } from 'vitest';
import { guess, newAddress, signInFrom, times } from '../support/guesser.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addUser, deviceCookieOf } from '../support/world.ts';

const service = await openTestService();
const other = await openAnotherInstance(service);

describe('an address (C48)', () => {
  /** Uses up what an address has, on accounts that nobody has. */
  async function exhaust(instance: TestService, remoteAddress: string): Promise<number[]> {
    const guesses = Array.from({ length: 110 }, (_, index) => ({
      email: `nobody-${remoteAddress.replaceAll(/\W/g, '-')}-${index}@example.com`,
    }));
    const statuses: number[] = [];
    for (const somebody of guesses) statuses.push(...(await guess(instance, somebody, 1, { remoteAddress })));
    return statuses;
  }

  test('a hundred may fail, whatever the accounts; others and own browsers get in all the while', async () => {
    const user = await addUser(service);
    const remoteAddress = newAddress();

    expect(await exhaust(service, remoteAddress)).toEqual([...times(100, 401), ...times(10, 429)]);
    expect((await signInFrom(service, user, { remoteAddress })).statusCode).toBe(429);
    expect((await signInFrom(other, user, { remoteAddress })).statusCode).toBe(429);
    const cookie = deviceCookieOf(service, user);
    expect((await signInFrom(service, user, { remoteAddress, cookie })).statusCode).toBe(303);
    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('that is used up uses up no account any more', async () => {
    const user = await addUser(service);
    const remoteAddress = newAddress();
    await exhaust(service, remoteAddress);
    await guess(service, user, 20, { remoteAddress });

    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('of IPv6 counts as its /64 network', async () => {
    const user = await addUser(service);
    await exhaust(service, '2001:db8:1:2:aaaa::1');

    const neighbour = await signInFrom(service, user, { remoteAddress: '2001:db8:1:2:ffff::9' });
    const elsewhere = await signInFrom(service, user, { remoteAddress: '2001:db8:1:3::1' });

    expect(neighbour.statusCode).toBe(429);
    expect(elsewhere.statusCode).toBe(303);
  });
});
