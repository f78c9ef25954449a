import { describe, expect, test } from 'vitest';
import { counted } from '../../src/platform/limits/store.ts';
import { fromAddress, guess, newAddress, signInFrom, useUp } from '../support/guesser.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf } from '../support/world.ts';

const service = await openTestService();
const other = await openAnotherInstance(service);

describe('an address (security C48)', () => {
  test('a hundred may fail, whatever the accounts; others and own browsers get in all the while', async () => {
    const user = await addUser(service);
    const remoteAddress = newAddress();

    await useUp(service, fromAddress('guesses_of_network', remoteAddress), 98);
    const statuses: number[] = [];
    for (const name of ['first', 'second', 'third']) {
      const nobody = { email: `${name}-${user.email}` };
      statuses.push(...(await guess(service, nobody, 1, { remoteAddress })));
    }

    expect(statuses).toEqual([401, 401, 429]);
    expect((await signInFrom(service, user, { remoteAddress })).statusCode).toBe(429);
    expect((await signInFrom(other, user, { remoteAddress })).statusCode).toBe(429);
    const cookie = deviceCookieOf(service, user);
    expect((await signInFrom(service, user, { remoteAddress, cookie })).statusCode).toBe(303);
    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('that is used up uses up no account any more', async () => {
    const user = await addUser(service);
    const remoteAddress = newAddress();
    await useUp(service, fromAddress('guesses_of_network', remoteAddress), 100);
    await guess(service, user, 20, { remoteAddress });

    expect((await signInFrom(service, user, { remoteAddress: newAddress() })).statusCode).toBe(303);
  });

  test('of IPv6 counts as its /64 network', async () => {
    const user = await addUser(service);
    await useUp(service, fromAddress('guesses_of_network', '2001:db8:1:2:aaaa::1'), 100);

    const neighbour = await signInFrom(service, user, { remoteAddress: '2001:db8:1:2:ffff::9' });
    const elsewhere = await signInFrom(service, user, { remoteAddress: '2001:db8:1:3::1' });

    expect(neighbour.statusCode).toBe(429);
    expect(elsewhere.statusCode).toBe(303);
  });

  test('of IPv6 counts as its /48 too, which may fail four times as often (security C56)', async () => {
    const user = await addUser(service);
    await useUp(service, counted('guesses_of_network', ['2001:db8:7::/48'], 4), 399);

    const statuses = [
      ...(await guess(service, { email: `none-${user.email}` }, 1, { remoteAddress: '2001:db8:7:1::1' })),
      ...(await guess(service, { email: `none-${user.email}` }, 1, { remoteAddress: '2001:db8:7:2::1' })),
    ];
    const elsewhere = await signInFrom(service, user, { remoteAddress: '2001:db8:8:1::1' });

    expect(statuses).toEqual([401, 429]);
    expect(elsewhere.statusCode).toBe(303);
  });
});
