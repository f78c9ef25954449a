import { expect, test } from 'vitest';
import { callApi, represent } from '../support/api.ts';
import { listRoutes } from '../support/routes.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();
const { app } = service;
const { token } = await represent(service);
const paths = [...new Set(listRoutes(app).map(({ path }) => path))];
/** Something in place of each parameter fits its expression. */
const filled = (path: string): string => path.replaceAll(/\{\w+\}(?:\(.*\$\))?/g, 'ann');

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const;

/** With a slash at the end, the form of an event type without a name is at the same address. */
const namedPaths = paths.filter((path) => !/[)}]\/$/.test(path));

test.each(namedPaths)(
  '%s: Allow names all methods that aren’t refused, and no other (RFC 9110 §10.2.1)',
  async (path) => {
    // All come from one network.
    service.clock.advance(2);
    const answers = await Promise.all(
      methods.map(async (method) => ({
        method,
        answer: await app.inject({ method: method as 'GET', url: filled(path) }),
      })),
    );
    const refused = answers.filter(({ answer }) => answer.statusCode === 405);
    const accepted = answers
      .filter(({ answer }) => answer.statusCode !== 405 && answer.statusCode !== 429)
      .map(({ method }) => method);

    expect(refused).not.toEqual([]);
    for (const { answer } of refused)
      expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(
        accepted.filter((one) => one !== 'TRACE').toSorted(),
      );
  },
);

test('null as a body is refused where a list is, and no body isn’t (RFC 8259 §2)', {
  tags: 'parts',
}, async () => {
  const cancel = (payload: string) =>
    app.inject({
      ...{ method: 'POST', url: `/v2/bookings/${'0'.repeat(32)}/cancel`, payload },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
    });

  for (const payload of ['null', '[]'])
    expect((await cancel(payload)).json().error.details).toEqual({ body: 'Must be a JSON object.' });
  expect((await cancel('')).statusCode).toBe(404);
});

test('Retry-After of calendars says when the next is allowed (RFC 9110 §10.2.3)', {
  tags: 'parts',
}, async () => {
  const connect = () =>
    callApi(service, 'POST', '/calendars/ics-feed/save', {
      token,
      body: { urls: ['https://nowhere.invalid/x.ics'] },
    });
  let answer = await connect();
  for (let count = 0; answer.statusCode !== 429 && count < 100; count += 1) answer = await connect();
  const seconds = Number(answer.headers['retry-after']);

  expect(seconds).toBeLessThan(60);
  service.clock.advance(seconds);
  expect((await connect()).statusCode).toBe(400);
});
