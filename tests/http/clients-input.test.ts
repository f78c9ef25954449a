import { describe, expect, test } from 'vitest';
import { digestTables } from '../support/database-content.ts';
import {
  developerHome,
  formTokenOf,
  newRegistrationKey,
  openEdit,
  register,
  registeredId,
  registration,
  reviewHome,
} from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';
import { oddPayloads, spoilForm } from './spoilt-forms.ts';

const service = await openTestService();
const cookie = await startSession(service, await addUser(service, { isAdmin: true }));
const formToken = await formTokenOf(service, cookie);

/** A client that waits for its review; nothing here ever changes it. */
const waiting = registeredId(await register(service, cookie));

async function post(url: string, payload: string, type = 'application/x-www-form-urlencoded') {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin', cookie };
  return service.app.inject({ method: 'POST', url, headers, payload });
}

const optional = ['left out', 'empty', 'a list by its name', 'an object by its name'] as const;
const { client_type: _fixed, ...edited } = registration;
const full = {
  ...registration,
  registration_key: newRegistrationKey(),
  website_url: 'https://desk.example',
  scopes: 'PROFILE_READ',
};

test.each(
  spoilForm(full, {
    website_url: [...optional, 'blanks alone'],
    scopes: ['left out', 'a list by its name', 'an object by its name', 'its value twice'],
  }),
)(
  'registration with $field spoilt ($way) is a 400, and nothing is stored (security C35, C36)',
  async ({ payload }) => {
    const before = await digestTables(service.database);

    const answer = await post(`${developerHome}/new`, `form_token=${formToken}&${payload}`);

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(await digestTables(service.database)).toEqual(before);
  },
);

test.each(
  spoilForm(
    { ...edited, website_url: 'https://desk.example', scopes: 'PROFILE_READ' },
    {
      website_url: [...optional, 'blanks alone'],
      scopes: ['left out', 'a list by its name', 'an object by its name', 'its value twice'],
    },
  ),
)(
  'an edit with $field spoilt ($way) is a 400, and nothing is stored (security C35, C36)',
  async ({ payload }) => {
    const { version } = await openEdit(service, waiting, cookie);
    const before = await digestTables(service.database);

    const answer = await post(
      `${developerHome}/${waiting}/edit`,
      `form_token=${formToken}&version=${version}&${payload}`,
    );

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(await digestTables(service.database)).toEqual(before);
  },
);

test.each(spoilForm({ reason: 'Not yet' }))(
  'a rejection with $field spoilt ($way) is a 400, and nothing is stored (security C35, C36)',
  async ({ payload }) => {
    const before = await digestTables(service.database);

    const answer = await post(
      `${reviewHome}/${waiting}/reject`,
      `form_token=${formToken}&revision=1&${payload}`,
    );

    expect(answer.statusCode).toBe(400);
    expect(await digestTables(service.database)).toEqual(before);
  },
);

const forms = [
  ['registration', () => `${developerHome}/new`],
  ['edit', (id: string) => `${developerHome}/${id}/edit`],
  ['withdrawal', (id: string) => `${developerHome}/${id}/edit/withdraw`],
  ['deletion', (id: string) => `${developerHome}/${id}/delete`],
  ['acceptance', (id: string) => `${reviewHome}/${id}/accept`],
  ['rejection', (id: string) => `${reviewHome}/${id}/reject`],
  ['suspension', (id: string) => `${reviewHome}/${id}/suspend`],
] as const;

describe.each(forms)('%s', (_form, pathOf) => {
  test.each(spoilForm({ form_token: formToken }))(
    'with $field spoilt ($way) is refused',
    async ({ payload }) => {
      const path = pathOf(waiting);
      const before = await digestTables(service.database);
      const fields = new URLSearchParams({
        ...registration,
        registration_key: newRegistrationKey(),
        reason: 'No',
        revision: '1',
      }).toString();

      const answer = await post(path, `${payload}&${fields}`);

      expect(answer.statusCode).toBe(403);
      expect(await digestTables(service.database)).toEqual(before);
    },
  );

  test.each(oddPayloads)(
    'with %s is refused as a page, never a 500 (security C36)',
    async (_name, type, payload) => {
      const path = pathOf(waiting);
      const before = await digestTables(service.database);

      const answer = await post(path, payload, type);

      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(await digestTables(service.database)).toEqual(before);
    },
  );
});

describe.each([
  ['NUL', '%00'],
  ['NUL behind an id', `${'0'.repeat(32)}%00`],
  ['a quote', '%27'],
  ['a path', '..%2F..%2Fsignin'],
  ['bytes that are no UTF-8', '%ff%fe'],
  ['a long text', 'x'.repeat(3000)],
] as const)('%s as a client id in the path', (_name, clientId) => {
  test('finds no page (security C35)', async () => {
    for (const path of ['', '/edit', '/delete']) {
      const page = await service.app.inject({
        url: `${developerHome}/${clientId}${path}`,
        headers: { cookie },
      });

      expect([400, 404, 414]).toContain(page.statusCode);
    }
  });

  test.each(['edit', 'edit/withdraw', 'delete'])('finds nothing to %s (security C35)', async (act) => {
    const fields = new URLSearchParams({ ...edited, version: 'x', form_token: formToken }).toString();
    const before = await digestTables(service.database);

    const answer = await post(`${developerHome}/${clientId}/${act}`, fields);

    expect([303, 400, 404, 414]).toContain(answer.statusCode);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each(['accept', 'reject', 'suspend'])('finds nothing to %s (security C35)', async (decision) => {
    const answer = await post(
      `${reviewHome}/${clientId}/${decision}`,
      `form_token=${formToken}&revision=1&reason=No`,
    );

    expect([400, 404, 414]).toContain(answer.statusCode);
  });
});

test.each([
  ['zero-width blanks', '\u200b\u200b'],
  ['a word joiner', '\u2060'],
  ['a soft hyphen', '\u00ad'],
  ['fillers, letters that look like nothing', '\u3164\u115f\u2800'],
  ['marks of direction', '\u200e\u202e'],
])('a name of %s alone, which nobody can see, is refused (security C33)', async (_name, name) => {
  const answer = await register(service, cookie, { name });

  expect(answer.statusCode).toBe(400);
});
