import { describe, expect, test } from 'vitest';
import { cookieOf, ownPage, signUpFields } from '../support/accounts.ts';
import { digestTables } from '../support/database-content.ts';
import { addGroup } from '../support/groups.ts';
import { obtainResetPath } from '../support/password-reset.ts';
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
import { trustingMail } from '../support/verification.ts';
import { addUser, hiddenFieldsOf, signIn } from '../support/world.ts';

const service = await openTestService(trustingMail);
const user = await addUser(service, { isAdmin: true });
const cookie = await signIn(service, user);
const formToken = await formTokenOf(service, cookie);
const team = await addGroup(service, 'team', user);
/** A client that waits for its review; nothing here ever changes it. */
const waiting = registeredId(await register(service, cookie));
const { version } = await openEdit(service, waiting, cookie);
const resetPath = await obtainResetPath(service, user.email);

async function post(url: string, payload: string, type = 'application/x-www-form-urlencoded', as = cookie) {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin', cookie: as };
  return service.app.inject({ method: 'POST', url, headers, payload });
}

/** The payloads of a form with one field spoilt, each in another way. */
interface SpoiltForm {
  readonly field: string;
  readonly payloads: readonly (readonly [way: string, payload: string])[];
}

const encode = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const ways = {
  'left out': () => '',
  empty: (name: string) => `${name}=`,
  'blanks alone': (name: string) => `${name}=+++`,
  'far too long': (name: string) => `${name}=${'x'.repeat(30_000)}`,
  NUL: (name: string) => `${name}=%00`,
  'its value and NUL': (name: string, value: string) => encode({ [name]: `${value}\0` }),
  'its value twice': (name: string, value: string) =>
    `${encode({ [name]: value })}&${encode({ [name]: value })}`,
  'a list by its name': (name: string, value: string) => encode({ [`${name}[]`]: value }),
  'an object by its name': (name: string, value: string) => encode({ [`${name}[a]`]: value }),
} as const;

type Way = keyof typeof ways;

/** Every given field of a right form spoilt in every way, but for those that are harmless to it. */
function spoilForm(
  right: Readonly<Record<string, string>>,
  harmless: Readonly<Record<string, readonly Way[]>> = {},
): readonly SpoiltForm[] {
  return Object.entries(right).map(([field, value]) => {
    const { [field]: _spoilt, ...others } = right;
    const payloads = Object.entries(ways)
      .filter(([way]) => !(harmless[field] ?? []).some((known) => known === way))
      .map(([way, spoil]) => [way, `${encode(others)}&${spoil(field, value)}`] as const);
    return { field, payloads };
  });
}

/** Payloads that are no form, or an odd one, with their content types. */
const oddPayloads = [
  ['nothing', 'application/x-www-form-urlencoded', ''],
  ['separators alone', 'application/x-www-form-urlencoded', '&&&===&'],
  [
    'names of built-ins',
    'application/x-www-form-urlencoded',
    '__proto__=x&constructor=y&toString=z&__proto__[a]=b',
  ],
  ['broken escapes', 'application/x-www-form-urlencoded', 'email=%zz&%=%&name=%c3%28'],
  [
    'a thousand fields',
    'application/x-www-form-urlencoded',
    Array.from({ length: 1000 }, (_, index) => `f${index}=x`).join('&'),
  ],
  ['more than 64 KB', 'application/x-www-form-urlencoded', `name=${'x'.repeat(65_536)}`],
  ['JSON', 'application/json', '{"email":{"a":1},"name":[1]}'],
  ['text', 'text/plain', 'email=x'],
  ['multipart', 'multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
  ['an unknown charset', 'application/x-www-form-urlencoded; charset=utf-16', 'email=x'],
] as const;

// Any time zone will do: the browser tells it.
const { time_zone: _zone, ...signUp } = signUpFields();
const rightSignIn = { email: user.email, password: user.password };
const { client_type: _fixed, ...edited } = registration;
const optional = ['left out', 'empty', 'a list by its name', 'an object by its name'] as const;
const ofApp = {
  website_url: [...optional, 'blanks alone'],
  scopes: ['left out', 'a list by its name', 'an object by its name', 'its value twice'],
} as const;
const app = { website_url: 'https://desk.example', scopes: 'PROFILE_READ' };
// Every character of a password counts, and these are wrong ones.
const anyText = ['blanks alone', 'NUL', 'its value and NUL'] as const;
const profile = {
  name: 'Another Name',
  username: user.username,
  time_zone: 'America/New_York',
  week_start: 'Sunday',
  time_format: '12',
};

interface Form {
  readonly path: string;
  readonly right: Readonly<Record<string, string>>;
  readonly harmless?: Readonly<Record<string, readonly Way[]>>;
  /** Of who is signed out, whose form has no token. */
  readonly isOpen?: true;
  readonly also?: string;
}

const forms: Readonly<Record<string, Form>> = {
  'sign-up': { path: '/signup', right: signUp, isOpen: true },
  'sign-in': { path: '/signin', right: rightSignIn, harmless: { password: anyText }, isOpen: true },
  'a forgotten password': { path: '/forgot', right: { email: 'ann@example.com' }, isOpen: true },
  'a new password by a link': {
    path: resetPath,
    right: { password: 'another password of mine' },
    harmless: { password: ['blanks alone'] },
    isOpen: true,
  },
  'a new password': {
    path: '/settings/password',
    right: { current_password: user.password, new_password: 'another password of mine' },
    harmless: { current_password: anyText },
  },
  'a profile': { path: '/settings/profile', right: profile },
  'a team': {
    path: `${team.path}/edit`,
    right: { name: 'A', slug: `slug-${user.username}` },
    // Who may not change it sends none.
    harmless: { slug: ['left out', 'a list by its name', 'an object by its name'] },
  },
  registration: {
    path: `${developerHome}/new`,
    right: { ...registration, registration_key: newRegistrationKey(), ...app },
    harmless: ofApp,
  },
  'an edit': {
    path: `${developerHome}/${waiting}/edit`,
    right: { ...edited, ...app },
    harmless: ofApp,
    also: `version=${version}`,
  },
  'a rejection': {
    path: `${reviewHome}/${waiting}/reject`,
    right: { reason: 'Not yet' },
    also: 'revision=1',
  },
};

describe.each(Object.entries(forms))('%s', (_name, { path, right, harmless, isOpen, also = '' }) => {
  test.each(spoilForm(right, harmless))(
    'with $field spoilt is a 400, and nothing is stored (security C35, C36)',
    async ({ payloads }) => {
      const before = await digestTables(service.database);

      for (const [way, payload] of payloads) {
        const answer = isOpen
          ? await post(path, payload, undefined, '')
          : await post(path, `form_token=${formToken}&${also}&${payload}`);

        expect(answer.statusCode, way).toBe(400);
        expect(answer.headers['content-type'], way).toBe('text/html; charset=utf-8');
        expect(answer.cookies, way).toEqual([]);
        for (const [field, value] of Object.entries(right))
          if (field.includes('password')) expect(answer.body, way).not.toContain(value);
      }
      expect(await digestTables(service.database)).toEqual(before);
    },
  );
});

test('nor does a spoilt form use up the link of a forgotten password', async () => {
  expect((await service.app.inject(resetPath)).statusCode).toBe(200);
});

describe.each([
  ...[resetPath, '/signin', '/signup', '/signout', '/settings/profile', '/settings/password'],
  ...['new', `${waiting}/edit`, `${waiting}/edit/withdraw`, `${waiting}/delete`].map(
    (path) => `${developerHome}/${path}`,
  ),
  ...['accept', 'reject', 'suspend'].map((decision) => `${reviewHome}/${waiting}/${decision}`),
])('POST %s', (path) => {
  test('with what is no form, or an odd one, is refused as a page, never a 500 (security C36)', async () => {
    const before = await digestTables(service.database);

    for (const [name, type, payload] of oddPayloads) {
      const { statusCode, headers } = await post(path, payload, type);

      expect(statusCode, name).toBeGreaterThanOrEqual(400);
      expect(statusCode, name).toBeLessThan(500);
      expect(headers['content-type'], name).toBe('text/html; charset=utf-8');
    }
    expect(await digestTables(service.database)).toEqual(before);
  });

  if (path !== resetPath && !/^.sign(in|up)$/.test(path))
    test.each(spoilForm({ form_token: formToken }))('with $field spoilt is refused', async ({ payloads }) => {
      const before = await digestTables(service.database);
      const fields = new URLSearchParams({ ...profile, ...registration, reason: 'No', revision: '1' });

      for (const [way, payload] of payloads)
        expect((await post(path, `${payload}&${fields.toString()}`)).statusCode, way).toBe(403);
      expect(await digestTables(service.database)).toEqual(before);
    });
});

test.each([' ', '\0', `${user.password}\0`])('the password %j is a wrong one', async (password) => {
  const answer = await post(
    '/signin',
    new URLSearchParams({ ...rightSignIn, password }).toString(),
    undefined,
    '',
  );

  expect([400, 401]).toContain(answer.statusCode);
  expect(answer.cookies).toEqual([]);
});

test.each(spoilForm({ return_to: ownPage }).flatMap(({ payloads }) => payloads))(
  'return_to spoilt (%s) leads home, and is no fault',
  async (_way, payload) => {
    const before = await service.app.inject(`/signin?${payload}`);
    const answer = await post(
      '/signin',
      `${payload}&${new URLSearchParams(rightSignIn).toString()}`,
      undefined,
      '',
    );

    expect(before.statusCode).toBe(200);
    expect(hiddenFieldsOf(before.body)['return_to']).toBe('/');
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/signin/continue');
    expect(cookieOf(answer)).not.toBe('');
  },
);

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

test.each([
  ['GET', `${developerHome}/%00`],
  ['GET', `${developerHome}/${waiting}%00/edit`],
  ['HEAD', `${developerHome}/a%00b/failed-requests`],
  ['GET', `${reviewHome}/%00`],
  ['POST', '/settings/apps/%00/ask-again'],
] as const)('%s %s, of a client that no database holds, is no fault (security C90)', async (method, url) => {
  const sent = encode({ form_token: formToken });
  const answer =
    method === 'POST' ? post(url, sent) : service.app.inject({ method, url, headers: { cookie } });

  expect((await answer).statusCode).toBe(400);
});
