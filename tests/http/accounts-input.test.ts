import { beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, ownPage, signUpFields } from '../support/accounts.ts';
import { digestTables } from '../support/database-content.ts';
import { openTestService } from '../support/service.ts';
import { addUser, hiddenFieldsOf, signIn } from '../support/world.ts';
import { oddPayloads, spoilForm } from './spoilt-forms.ts';

const service = await openTestService();
const user = await addUser(service);
const signUp = signUpFields();

async function post(url: string, payload: string, type = 'application/x-www-form-urlencoded', cookie = '') {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin', cookie };
  return service.app.inject({ method: 'POST', url, headers, payload });
}

// Any time zone will do: the browser tells it.
const { time_zone: _zone, ...typed } = signUp;

test.each(spoilForm(typed))(
  'sign-up with $field spoilt ($way) is a 400 and makes no account (security C35, C36)',
  async ({ payload }) => {
    const before = await digestTables(service.database);

    const answer = await post('/signup', payload);

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.cookies).toEqual([]);
    expect(answer.body).not.toContain(signUp.password);
    expect(await digestTables(service.database)).toEqual(before);
  },
);

const rightSignIn = { email: user.email, password: user.password };

test.each(spoilForm(rightSignIn, { password: ['blanks alone', 'its value and NUL', 'NUL'] }))(
  'sign-in with $field spoilt ($way) is a 400 and opens no session (security C35, C36)',
  async ({ payload }) => {
    const answer = await post('/signin', payload);

    expect(answer.statusCode).toBe(400);
    expect(answer.cookies).toEqual([]);
    expect(answer.body).not.toContain(user.password);
  },
);

test.each([' ', '\0', `${user.password}\0`])('the password %j is a wrong one', async (password) => {
  const answer = await post('/signin', new URLSearchParams({ ...rightSignIn, password }).toString());

  expect([400, 401]).toContain(answer.statusCode);
  expect(answer.cookies).toEqual([]);
});

describe('signing out', () => {
  let cookie = '';
  beforeAll(async () => {
    cookie = await signIn(service, user);
  });

  test.each(spoilForm({ form_token: 'AAAA' }))(
    'with $field spoilt ($way) is refused',
    async ({ payload }) => {
      const answer = await post('/signout', payload, undefined, cookie);

      expect(answer.statusCode).toBe(403);
      expect(answer.cookies).toEqual([]);
    },
  );
});

test.each(spoilForm({ return_to: ownPage }))(
  'return_to spoilt ($way) leads home, and is no fault',
  async ({ payload }) => {
    const before = await service.app.inject(`/signin?${payload}`);
    const answer = await post('/signin', `${payload}&${new URLSearchParams(rightSignIn).toString()}`);

    expect(before.statusCode).toBe(200);
    expect(hiddenFieldsOf(before.body)['return_to']).toBe('/');
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/signin/continue');
    expect(cookieOf(answer)).not.toBe('');
  },
);

describe.each(['/signin', '/signup', '/signout'])('%s', (path) => {
  test.each(oddPayloads)(
    'with %s is refused as a page, never a 500 (security C36)',
    async (_name, type, payload) => {
      const cookie = path === '/signout' ? await signIn(service, user) : '';
      const before = await digestTables(service.database);

      const answer = await post(path, payload, type, cookie);

      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(await digestTables(service.database)).toEqual(before);
    },
  );
});
