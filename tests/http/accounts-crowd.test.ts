import { expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import { addUser, postForm } from '../support/world.ts';

const service = await openTestService();

test('a crowd at the sign-in page is told to come back, and the next person gets in at once (OWASP ASVS 6.3.1)', async () => {
  const { email, password } = await addUser(service);
  const crowd = Array.from({ length: 150 }, (_, index) =>
    service.app.inject({
      method: 'POST',
      url: '/signin',
      remoteAddress: `203.0.113.${index}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ email: `${index}-${email}`, password: 'wrong password' }).toString(),
    }),
  );

  const answers = await Promise.all(crowd);
  const next = await postForm(service, '/signin', { email, password });

  const statuses = new Set(answers.map(({ statusCode }) => statusCode));
  expect(statuses).toEqual(new Set([401, 503]));
  for (const answer of answers.filter(({ statusCode }) => statusCode === 503)) {
    expect(answer.headers['retry-after']).toBe('5');
  }
  expect(next.statusCode).toBe(303);
});
