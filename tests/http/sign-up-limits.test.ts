import { describe, expect, test } from 'vitest';
import { signUpFields } from '../support/accounts.ts';
import { fromAddress, guess, newAddress, times, useUp } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addUser, postForm } from '../support/world.ts';

const service = await openTestService();

describe('sign-up', () => {
  const signUpFrom = (remoteAddress: string, fields: Readonly<Record<string, string>>) =>
    service.app.inject({
      method: 'POST',
      url: '/signup',
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams(fields).toString(),
    });

  test('makes a hundred accounts an hour for one address, and keeps what was typed by the next one', async () => {
    const remoteAddress = newAddress();
    // A taken address costs as much as a free one.
    const taken = { ...signUpFields(), email: (await addUser(service)).email };
    await useUp(service, fromAddress('strangers', remoteAddress), 99);
    const hundredth = await signUpFrom(remoteAddress, taken);
    const fields = signUpFields();

    const limited = await signUpFrom(remoteAddress, fields);
    const elsewhere = await signUpFrom(newAddress(), signUpFields());
    service.clock.advance(3600);
    const later = await signUpFrom(remoteAddress, fields);

    expect(hundredth.statusCode).toBe(409);
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe('3600');
    expect(textOf(limited.body)).toContain('Try again in 60 minutes.');
    expect(limited.body).toContain(`value="${fields.name}"`);
    expect(limited.body).not.toContain(fields.password);
    expect(limited.cookies).toEqual([]);
    expect([elsewhere.statusCode, later.statusCode]).toEqual([303, 303]);
  });

  test('a form with faults counts nothing', async () => {
    const remoteAddress = newAddress();
    for (let index = 0; index < 51; index += 1)
      await signUpFrom(remoteAddress, { ...signUpFields(), email: 'x' });

    expect((await signUpFrom(remoteAddress, signUpFields())).statusCode).toBe(303);
  });

  test('does not count against sign-in', async () => {
    const user = await addUser(service);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => postForm(service, '/signup', signUpFields())),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
    expect(await guess(service, user, 11, { remoteAddress: newAddress() })).toEqual([...times(10, 401), 429]);
  });
});
