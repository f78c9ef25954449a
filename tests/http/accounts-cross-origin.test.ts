import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { signUpFields } from '../support/accounts.ts';
import { openDecision, requestOf } from '../support/authorization.ts';
import { digestTables } from '../support/database-content.ts';
import { titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addClient, addUser, authorizePath, signIn } from '../support/world.ts';

const service = await openTestService();
const admin = await addUser(service, { isAdmin: true });
const accepted = await addClient(service);
await service.database.db.update(clients).set({ ownerId: admin.id }).where(eq(clients.id, accepted.id));

let cookie = '';
let decision: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  cookie = await signIn(service, admin);
  decision = await openDecision(service, requestOf(accepted), cookie);
});

/** Right forms that anybody may send; `whole/sensitive-by-default` has all others. */
const forms: readonly (readonly [path: string, fields: () => Readonly<Record<string, string>>])[] = [
  ['/signin', () => ({ email: admin.email, password: admin.password })],
  ['/signup', () => signUpFields()],
  [authorizePath, () => ({ ...decision, action: 'allow' })],
];

const foreign = [
  ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
  ['cross-site with our Origin', { 'sec-fetch-site': 'cross-site', origin: service.appUrl }],
  ['an Origin of another host', { origin: 'https://evil.example' }],
  ['an Origin of another scheme', { origin: service.appUrl.replace('http:', 'https:') }],
  ['an Origin of another port', { origin: 'http://localhost:1' }],
  ['an Origin that begins like ours', { origin: `${service.appUrl}.evil.example` }],
  ['an opaque Origin', { origin: 'null' }],
  ['an empty Origin', { origin: '' }],
] as const;

async function post(
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams(fields).toString();
  return service.app.inject({ method: 'POST', url: path, headers: { cookie, ...type, ...headers }, payload });
}

describe.each(forms)('a form to %s', (path, fields) => {
  test.each(foreign)('with %s is refused, and nothing is done (OWASP ASVS 3.5.1)', async (_name, headers) => {
    const before = await digestTables(service.database);

    const answer = await post(path, fields(), headers);

    expect(answer.statusCode).toBe(403);
    expect(titleOf(answer)).toBe('This form came from another site');
    expect(answer.headers).not.toHaveProperty('location');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await digestTables(service.database)).toEqual(before);
  });
});

test.each([
  ['Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }],
  ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }],
  ['our Origin', { origin: service.appUrl }],
  ['neither header, as from a program', {}],
] as const)('a form with %s is accepted', async (_name, headers) => {
  const answer = await post(
    '/signin',
    { email: admin.email, password: admin.password },
    { ...headers, cookie: '' },
  );

  expect(answer.statusCode).toBe(303);
  expect(answer.cookies.map(({ name }) => name)).toEqual(['latchkey_session', 'latchkey_device']);
});

test('a link from another site may open the authorization page', async () => {
  const url = `${authorizePath}?${new URLSearchParams(requestOf(accepted)).toString()}`;

  const page = await service.app.inject({
    url,
    headers: { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://app.example' },
  });

  expect(page.statusCode).toBe(200);
});
