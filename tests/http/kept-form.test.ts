import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { allCookiesOf, isSignedIn } from '../support/accounts.ts';
import { digestTables } from '../support/database-content.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { hiddenFieldOf, skeletonOf, textOf, titleOf } from '../support/page-content.ts';
import { clientsOf, developerHome, formTokenOf, newFormId, registration } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, authorizePath, postForm, signIn, type TestUser } from '../support/world.ts';

const service = await openTestService();
const path = `${developerHome}/new`;
const again = 'You are signed in again';
const minutes = 60;

type Fields = readonly (readonly [name: string, value: string])[];

const typed: Fields = [
  ['form_id', newFormId()],
  ...Object.entries(registration),
  ['website_url', ''],
  ['scopes', 'PROFILE_READ'],
  ['scopes', 'BOOKING_READ'],
];

interface Sent {
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** Sends a form as a browser does, with fields that may repeat. */
async function send(fields: Fields, { cookie, headers, url = path }: Sent = {}) {
  return service.app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(headers ?? { 'sec-fetch-site': 'same-origin' }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    payload: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
  });
}

/** Signs in on the page that kept a form; `page` is what a browser shows then, `cookie` what it holds. */
async function signInOn(former: LightMyRequestResponse, { email, password }: TestUser) {
  const kept = hiddenFieldOf(former.body, 'kept_form');
  const returnTo = hiddenFieldOf(former.body, 'return_to');
  const answer = await postForm(service, '/signin', {
    return_to: returnTo,
    kept_form: kept,
    email,
    password,
  });
  const cookie = allCookiesOf(answer);
  const url = String(answer.headers.location);
  const page = answer.statusCode === 303 ? await service.app.inject({ url, headers: { cookie } }) : answer;
  return { answer, page, cookie };
}

/** The fields of the form on a page, in their order. */
function fieldsOn({ body }: LightMyRequestResponse): Fields {
  const [, form = ''] = /<form class="card"[^>]*>(.*?)<\/form>/s.exec(body) ?? [];
  return [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [textOf(name), textOf(value)],
  );
}

const withoutOurs = (fields: Fields): Fields =>
  fields.filter(([name]) => name !== 'form_token' && name !== 'kept_id');

/** Somebody whose session is gone when the form is sent, and who signs in again. */
async function loseSession(fields: Fields = typed, sent: Sent = {}) {
  const user = await addUser(service);
  const refused = await send(fields, sent);
  return { user, refused, ...(await signInOn(refused, user)) };
}

test('a form without a session leads to the sign-in page, with what was typed sealed in it', async () => {
  const before = await digestTables(service.database);

  const answer = await send(typed);

  expect(answer.statusCode).toBe(401);
  expect(titleOf(answer)).toBe('Sign in');
  expect(textOf(answer.body)).toContain('what you typed is kept, and nothing was sent yet');
  expect(hiddenFieldOf(answer.body, 'kept_form')).toMatch(/^[\w-]{100,}$/);
  expect(answer.body).not.toContain('desk');
  expect(await digestTables(service.database)).toEqual(before);
});

test('after sign-in what was typed is shown, repeated fields too, and nothing was sent by itself', async () => {
  const { user, page, cookie } = await loseSession();

  expect(page.statusCode).toBe(200);
  expect(titleOf(page)).toBe(again);
  expect(page.body).toContain(`action="${path}"`);
  expect(withoutOurs(fieldsOn(page))).toEqual(typed);
  const text = textOf(page.body);
  for (const [, value] of typed) expect(text).toContain(value);
  expect(text).toContain('Your changes to Your apps');
  expect(text).toContain(`You are signed in as ${user.email}.`);
  expect(await isSignedIn(service, cookie)).toBe(true);
  expect(await clientsOf(service, user.id)).toEqual([]);
});

test('the button does what the form would have done', async () => {
  const { user, page, cookie } = await loseSession();

  const answer = await send(fieldsOn(page), { cookie });

  expect(answer.statusCode).toBe(303);
  const clients = await clientsOf(service, user.id);
  expect(clients).toHaveLength(1);
  expect(clients[0]).toMatchObject({
    name: registration['name'],
    purpose: registration['purpose'],
    redirectUris: [registration['redirect_uris']],
    websiteUrl: null,
    scopes: ['PROFILE_READ', 'BOOKING_READ'],
  });
});

test('a second sending is held back and says so; sent by hand, the same registration leads to the same client', async () => {
  const { user, page, cookie } = await loseSession();
  const fields = fieldsOn(page);
  await send(fields, { cookie });

  const second = await send(fields, { cookie });
  const clientsThen = await clientsOf(service, user.id);
  const byHand = await send(fieldsOn(second), { cookie });

  expect(second.statusCode).toBe(409);
  expect(titleOf(second)).toBe('You have sent this before');
  expect(withoutOurs(fieldsOn(second))).toEqual(typed);
  expect(clientsThen).toHaveLength(1);
  expect(byHand.statusCode).toBe(303);
  expect(await clientsOf(service, user.id)).toHaveLength(1);
});

test('of many sendings at once one is done', async () => {
  const { user, page, cookie } = await loseSession();
  const fields = fieldsOn(page);

  const answers = await Promise.all(Array.from({ length: 10 }, () => send(fields, { cookie })));

  expect(answers.filter(({ statusCode }) => statusCode === 303)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9);
  expect(await clientsOf(service, user.id)).toHaveLength(1);
});

test('who signs in with the same kept form once more, after it was sent, is told', async () => {
  const { user, refused, page, cookie } = await loseSession();
  await send(fieldsOn(page), { cookie });

  const repeated = await signInOn(refused, user);

  expect(repeated.page.statusCode).toBe(200);
  expect(titleOf(repeated.page)).toBe('You have sent this before');
  expect(withoutOurs(fieldsOn(repeated.page))).toEqual(typed);
  expect(await clientsOf(service, user.id)).toHaveLength(1);
});

test('a kept form with a fault comes back as the form itself, with what was typed', async () => {
  const { page, cookie, user } = await loseSession([
    ...typed.filter(([name]) => name !== 'redirect_uris'),
    ['redirect_uris', 'javascript:x'],
  ]);

  const answer = await send(fieldsOn(page), { cookie });

  expect(answer.statusCode).toBe(400);
  expect(titleOf(answer)).toBe('Register an app');
  expect(answer.body).toContain('javascript:x');
  expect(await clientsOf(service, user.id)).toEqual([]);
});

test('the session may end once more: the form is kept again', async () => {
  const { user, page } = await loseSession();
  await service.database.db.delete(sessions).where(eq(sessions.userId, user.id));

  const refused = await send(fieldsOn(page));
  const next = await signInOn(refused, user);
  const answer = await send(fieldsOn(next.page), { cookie: next.cookie });

  expect(refused.statusCode).toBe(401);
  expect(withoutOurs(fieldsOn(next.page))).toEqual(typed);
  expect(answer.statusCode).toBe(303);
  expect(await clientsOf(service, user.id)).toHaveLength(1);
});

test('a wrong password keeps it for the next try', async () => {
  const user = await addUser(service);
  const refused = await send(typed);

  const { page: wrong } = await signInOn(refused, { ...user, password: 'wrong' });
  const { page: empty } = await signInOn(wrong, { ...user, password: '' });
  const { page: right } = await signInOn(empty, user);

  expect(wrong.statusCode).toBe(401);
  expect(empty.statusCode).toBe(400);
  expect(withoutOurs(fieldsOn(right))).toEqual(typed);
});

test.each([
  ['in time', 30 * minutes - 1, again],
  ['too late', 30 * minutes, 'You are signed in'],
] as const)('it is kept for thirty minutes: %s', async (_name, seconds, title) => {
  const user = await addUser(service);
  const refused = await send(typed);
  service.clock.advance(seconds);

  const { page, cookie } = await signInOn(refused, user);

  expect(titleOf(page)).toBe(title);
  expect(await isSignedIn(service, cookie)).toBe(true);
});

test('too late, or not to be sent, the way leads back to the page on which it was typed', async () => {
  const user = await addUser(service);
  const headers = { 'sec-fetch-site': 'same-origin', referer: `${service.appUrl}${developerHome}/new?x=1` };
  const refused = await send(typed, { headers });

  const { page } = await signInOn(refused, user);
  const elsewhere = await send(typed, {
    headers: { 'sec-fetch-site': 'same-origin', referer: 'https://evil.example/settings/profile' },
  });

  expect(hiddenFieldOf(refused.body, 'return_to')).toBe(`${developerHome}/new`);
  expect(page.body).toContain(`<a class="button plain" href="${developerHome}/new">Leave it</a>`);
  expect(page.body).toContain('Your changes to <strong>Your apps</strong>');
  expect(hiddenFieldOf(elsewhere.body, 'return_to')).toBe('/settings/profile');
});

describe('what is not surely ours, or is no setting, is never kept', () => {
  test.each([
    ['a caller that does not say where it comes from', {}, 303],
    ['one that says it was typed into the address bar', { 'sec-fetch-site': 'none' }, 303],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['a sibling of our host', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3001' }, 403],
    ['another origin, where the browser says no more', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
  ] as const)('%s', async (_name, headers, status) => {
    const cookie = await signIn(service, await addUser(service));
    const signedOut = await send(typed, { headers });
    const outdated = await send(typed, { headers, cookie });

    expect(signedOut.statusCode).toBe(status);
    expect(signedOut.body).not.toContain('kept_form');
    expect(outdated.statusCode).toBe(403);
    expect(outdated.body).not.toContain('desk');
  });

  test('but Origin alone is enough, where browsers send no more (plain http)', async () => {
    const answer = await send(typed, { headers: { origin: service.appUrl } });

    expect(answer.statusCode).toBe(401);
    expect(hiddenFieldOf(answer.body, 'kept_form')).not.toBe('');
  });

  test.each([authorizePath, '/signout', '/signup', '/settings', '/settings/nowhere', '//settings/apps/x'])(
    'a form for %s',
    async (url) => {
      const answer = await send(typed, { url });

      expect(answer.statusCode).not.toBe(401);
      expect(answer.body).not.toContain('kept_form');
    },
  );

  test('a form in which nothing was typed', async () => {
    const answer = await send([['form_token', 'x']], { url: '/settings/apps/some/disconnect' });

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/signin?return_to=%2Fsettings%2Fapps');
  });

  test('a file', async () => {
    const boundary = 'x';
    const part = `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\ndesk\r\n--x--\r\n`;
    const answer = await service.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'sec-fetch-site': 'same-origin',
      },
      payload: part,
    });

    expect(answer.body).not.toContain('kept_form');
  });

  test('more than 32 KB', async () => {
    const most = await send([['purpose', 'x'.repeat(32_000)]]);
    const more = await send([['purpose', 'x'.repeat(33_000)]]);

    expect(most.statusCode).toBe(401);
    expect(more.statusCode).toBe(303);
    const { answer } = await signInOn(most, await addUser(service));
    expect(titleOf(answer)).toBe(again);
  });
});

test('secrets are not kept, and the person is told', async () => {
  const { page } = await loseSession([
    ['name', 'Tidy Desk'],
    ['current_password', 'canary'],
    ['password', 'canary'],
    ['client_secret', 'canary'],
    ['access_token', 'canary'],
    ['form_token', 'canary'],
  ]);

  expect(withoutOurs(fieldsOn(page))).toEqual([['name', 'Tidy Desk']]);
  expect(page.body).not.toContain('canary');
  expect(textOf(page.body)).toContain('Passwords and secrets were not kept.');
});

test('a form of secrets alone is not kept at all', async () => {
  const fields: Fields = [
    ['current_password', 'canary'],
    ['new_password', 'canary'],
  ];
  const answer = await send(fields, { url: '/settings/password' });

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe('/signin?return_to=%2Fsettings%2Fpassword');
});

describe('a sealed form that is none of ours leads to plain sign-in', async () => {
  const kept = hiddenFieldOf((await send(typed)).body, 'kept_form');
  const sealAs = (purpose: string, value: unknown) =>
    Buffer.from(service.rootSecret.seal(purpose, Buffer.from(JSON.stringify(value)))).toString('base64url');
  const whole = {
    id: 'a'.repeat(32),
    path,
    from: path,
    fields: [['name', 'x']],
    lacksSecrets: false,
    expiresAt: service.clock.now().getTime() + 10 * 24 * 3600 * 1000,
  };

  test.each([
    ['nothing', ''],
    ['garbage', 'garbage'],
    ['NUL', '\0'],
    ['a long one', 'A'.repeat(50_000)],
    ['one with its end cut off', kept.slice(0, -4)],
    ['one with a bit turned', `${kept.startsWith('A') ? 'B' : 'A'}${kept.slice(1)}`],
    ['one sealed for something else', sealAs('private-link', whole)],
    ['one for another site', sealAs('kept-form', { ...whole, path: 'https://evil.example/' })],
    ['one for another host', sealAs('kept-form', { ...whole, path: '//evil.example/settings/' })],
    ['one for no setting', sealAs('kept-form', { ...whole, path: authorizePath })],
    ['one without fields', sealAs('kept-form', { ...whole, fields: [] })],
    ['one of another making', sealAs('kept-form', { whole })],
  ])('(%s)', async (_name, sealed) => {
    const { email, password } = await addUser(service);

    const wrong = await postForm(service, '/signin', { kept_form: sealed, email, password: 'wrong' });
    const right = await postForm(service, '/signin', { kept_form: sealed, email, password });

    expect(wrong.statusCode).toBe(401);
    expect(wrong.body).not.toContain('kept_form');
    expect(right.statusCode).toBe(303);
    expect(right.headers.location).toBe('/');
  });

  test('(twice the same)', async () => {
    const { email, password } = await addUser(service);

    const answer = await send(
      [
        ['kept_form', kept],
        ['kept_form', kept],
        ['email', email],
        ['password', password],
      ],
      { url: '/signin' },
    );

    expect(answer.statusCode).toBe(303);
  });

  test('(and the whole one is ours)', async () => {
    const { email, password } = await addUser(service);

    const answer = await postForm(service, '/signin', {
      kept_form: sealAs('kept-form', whole),
      email,
      password,
    });

    expect(answer.headers.location).toBe(`/signin/kept/${whole.id}`);
  });
});

describe('the page after sign-in', () => {
  test('is one to come back to: a reload signs nobody in again, and after the sending it says so', async () => {
    const { user, answer, page, cookie } = await loseSession();
    const url = String(answer.headers.location);
    const reloaded = await service.app.inject({ url, headers: { cookie } });
    await send(fieldsOn(page), { cookie });

    const after = await service.app.inject({ url, headers: { cookie } });
    const byHand = await send(fieldsOn(after), { cookie });

    expect(answer.statusCode).toBe(303);
    expect(url).toMatch(/^\/signin\/kept\/[0-9a-f]{32}$/);
    expect(reloaded.body).toBe(page.body);
    expect(titleOf(after)).toBe('You have sent this before');
    expect(byHand.statusCode).toBe(303);
    expect(await clientsOf(service, user.id)).toHaveLength(1);
  });

  test('has what was typed in a sealed cookie of its own, for thirty minutes', async () => {
    const { answer } = await loseSession();

    const kept = answer.cookies.find(({ name }) => name === 'latchkey_kept');
    expect(kept).toMatchObject({
      path: answer.headers.location,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 1800,
    });
    expect(Buffer.from(kept?.value ?? '', 'base64url').toString()).not.toContain('desk');
  });

  test('is part of the answer to the sign-in when the form is too large for a cookie', async () => {
    const large: Fields = typed.map(([name, value]) => [name, name === 'purpose' ? 'x'.repeat(4000) : value]);
    const { user, refused, answer, cookie } = await loseSession(large);
    const once = await send(fieldsOn(answer), { cookie });
    const { answer: repeated } = await signInOn(refused, user);

    expect(answer.statusCode).toBe(200);
    expect(titleOf(answer)).toBe(again);
    expect(answer.cookies.map(({ name }) => name)).not.toContain('latchkey_kept');
    expect(withoutOurs(fieldsOn(answer))).toEqual(large);
    expect(titleOf(once)).toBe('Register an app');
    expect(titleOf(repeated)).toBe('You have sent this before');
  });

  test('leads to sign-in without a session, and shows nothing to anybody else', async () => {
    const { answer, cookie } = await loseSession();
    const url = String(answer.headers.location);
    const kept = cookie.split('; ').find((pair) => pair.startsWith('latchkey_kept=')) ?? '';
    const other = await signIn(service, await addUser(service));

    const signedOut = await service.app.inject({ url, headers: { cookie: kept } });
    const shown = await service.app.inject({ url, headers: { cookie: `${kept}; ${other}` } });
    const elsewhere = await service.app.inject({
      url: `/signin/kept/${'a'.repeat(32)}`,
      headers: { cookie },
    });
    service.clock.advance(30 * minutes);
    const late = await service.app.inject({ url, headers: { cookie } });

    expect(signedOut.headers.location).toBe(`/signin?return_to=${encodeURIComponent(url)}`);
    for (const page of [shown, elsewhere, late]) {
      expect(page.statusCode).toBe(404);
      expect(titleOf(page)).toBe('This is not kept any more');
      expect(page.body).not.toContain('desk');
    }
  });

  test('takes nothing but a form that was sealed for it: not the one of the sign-in page', async () => {
    const user = await addUser(service);
    const refused = await send(typed);
    const session = await signIn(service, user);
    const { answer } = await signInOn(refused, user);
    const sealed = hiddenFieldOf(refused.body, 'kept_form');

    const page = await service.app.inject({
      url: String(answer.headers.location),
      headers: { cookie: `${session}; latchkey_kept=${sealed}` },
    });

    expect(page.statusCode).toBe(404);
  });
});

describe('a form from before another sign-in', () => {
  test('is shown again at once, with a token that fits, and was not sent', async () => {
    const user = await addUser(service);
    const before = await signIn(service, user);
    const outdated = await formTokenOf(service, before);
    const cookie = await signIn(service, user);

    const page = await send([...typed, ['form_token', outdated]], { cookie });
    const clientsThen = await clientsOf(service, user.id);
    const answer = await send(fieldsOn(page), { cookie });

    expect(page.statusCode).toBe(403);
    expect(titleOf(page)).toBe('This page is out of date');
    expect(withoutOurs(fieldsOn(page))).toEqual(typed);
    expect(clientsThen).toEqual([]);
    expect(answer.statusCode).toBe(303);
    expect(await clientsOf(service, user.id)).toHaveLength(1);
  });

  test('with nothing to keep is refused as before', async () => {
    const cookie = await signIn(service, await addUser(service));

    const answer = await send([['form_token', 'x']], { cookie, url: '/settings/apps/some/disconnect' });

    expect(answer.statusCode).toBe(403);
    expect(titleOf(answer)).toBe('This page is out of date');
    expect(answer.body).not.toContain('What will be sent');
  });
});

test('kept for one person, it is shown to whoever signs in, and sent in that name alone', async () => {
  const [typist, other] = [await addUser(service), await addUser(service)];
  const refused = await send(typed);

  const { page, cookie } = await signInOn(refused, other);
  await send(fieldsOn(page), { cookie });

  expect(textOf(page.body)).toContain(`You are signed in as ${other.email}.`);
  expect(await clientsOf(service, typist.id)).toEqual([]);
  expect(await clientsOf(service, other.id)).toHaveLength(1);
});

describe('hostile fields', async () => {
  const plain = skeletonOf((await loseSession([['plain', 'plain']])).page.body);

  test.each(Object.entries(hostileTexts))('(%s) stay texts, names and values (C33)', async (_name, text) => {
    const { page } = await loseSession([[`x${text}`, text]]);

    expect(skeletonOf(page.body)).toEqual(plain);
    expect(withoutOurs(fieldsOn(page))).toEqual([[`x${text}`, text]]);
  });

  test('with names of built-ins, NUL, or none are no fault', async () => {
    const { page } = await loseSession([
      ['__proto__', 'x'],
      ['constructor', 'x'],
      ['', 'x'],
      ['nul', 'a\0b'],
    ]);

    expect(titleOf(page)).toBe(again);
  });
});

test('what was typed stands in no log line', async () => {
  const { page, cookie } = await loseSession([
    ['name', 'canary-name'],
    ['canary-field', 'x'],
  ]);
  await send(fieldsOn(page), { cookie });

  expect(service.logText()).not.toContain('canary');
});
