import { describe, expect, test } from 'vitest';
import { allCookiesOf } from '../support/accounts.ts';
import { digestTables } from '../support/database-content.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import {
  clientsOf,
  developerHome,
  formTokenOf,
  newRegistrationKey,
  registration,
} from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, postForm, signIn } from '../support/world.ts';

const service = await openTestService();
const path = `${developerHome}/new`;
const notice = 'You were signed out, so this form wasn’t saved. Fill it in again.';
const fields = { registration_key: newRegistrationKey(), ...registration, purpose: 'canary' };

/** Sends a form without a session, as a browser that names the page it comes from. */
async function send(url: string, headers: Readonly<Record<string, string>> = {}) {
  return service.app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** Where an answer leads to after sign-in. */
const returnOf = (location: string | undefined): string | null =>
  new URL(location ?? '', service.appUrl).searchParams.get('return_to');

test('a form without a session does nothing and leads to sign-in; nothing typed is in the address or the log', async () => {
  const before = await digestTables(service.database);

  const answer = await send(path);

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe(`/signin?return_to=${encodeURIComponent(`${path}?unsaved`)}`);
  expect(await digestTables(service.database)).toEqual(before);
  expect(service.logText()).not.toContain('canary');
});

test("after sign-in the form's page says that it wasn't saved, until it is sent again", async () => {
  const user = await addUser(service);
  const refused = await send(path);
  const { email, password } = user;
  const returnTo = returnOf(refused.headers.location) ?? '';
  const signedIn = await postForm(service, '/signin', { return_to: returnTo, email, password });
  const cookie = allCookiesOf(signedIn);

  const page = await service.app.inject({ url: returnTo, headers: { cookie } });
  const formToken = await formTokenOf(service, cookie);
  const faulty = await postForm(service, path, { form_token: formToken }, cookie);

  expect(returnOf(signedIn.headers.location)).toBe(returnTo);
  expect(page.statusCode).toBe(200);
  expect(textOf(page.body)).toContain(notice);
  expect(faulty.statusCode).toBe(400);
  expect(textOf(faulty.body)).not.toContain(notice);
  expect(await clientsOf(service, user.id)).toEqual([]);
});

test('without a session the notice is shown to nobody', async () => {
  const { body } = await service.app.inject('/forgot?unsaved');

  expect(textOf(body)).not.toContain(notice);
});

describe('the way back is a page of ours', () => {
  const noPage = '/settings/teams/1/members/1/role';
  const own = `${service.appUrl}/settings/teams/1`;
  const rows: readonly (readonly [string, string, string | undefined, string])[] = [
    ["the form's own path", '/settings/profile', 'https://evil.example/', '/settings/profile'],
    ['its query is left out', '/settings/profile?saved', undefined, '/settings/profile'],
    ['without one, the page that the browser names', noPage, `${own}?x=1#y`, '/settings/teams/1'],
    ['a page of another site', noPage, 'https://evil.example/settings/teams/1', '/settings/teams'],
    ['one that begins like ours', noPage, `${service.appUrl}.evil.example/x`, '/settings/teams'],
    [
      'one that browsers take for another host',
      noPage,
      `${service.appUrl}//evil.example/`,
      '/settings/teams',
    ],
    ['no page', noPage, undefined, '/settings/teams'],
    ['no address', noPage, 'x', '/settings/teams'],
  ];

  test.each(rows)('%s', async (_name, url, referer, back) => {
    const answer = await send(url, referer === undefined ? {} : { referer });

    expect(returnOf(answer.headers.location)).toBe(`${back}?unsaved`);
  });
});

test('a form of a former session does nothing, and says that its page is out of date', async () => {
  const user = await addUser(service);
  const former = await formTokenOf(service, await signIn(service, user));
  const cookie = await signIn(service, user);

  const sent = { ...fields, form_token: former };
  const answer = await postForm(service, path, sent, cookie);
  const strange = { ...fields, form_token: former.split('.')[0] ?? '' };
  const from = (referer: string) =>
    service.app.inject({
      ...{ method: 'POST', url: path, payload: new URLSearchParams(strange).toString() },
      headers: { cookie, referer, 'content-type': 'application/x-www-form-urlencoded' },
    });

  expect(answer.statusCode).toBe(403);
  expect(titleOf(answer)).toBe('This page is out of date');
  expect((await from(`${service.appUrl}${path}`)).body).toContain(`href="${path}"`);
  for (const referer of ['https://evil.example/', `${service.appUrl}//evil.example/`])
    expect((await from(referer)).body).not.toContain('evil.example');
  expect(await clientsOf(service, user.id)).toEqual([]);
});
