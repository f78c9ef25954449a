import { expect, test } from 'vitest';
import { requestOf } from '../support/authorization.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import {
  addClient,
  addUser,
  authorizePath,
  hiddenFieldsOf,
  postForm,
  startSession,
} from '../support/world.ts';

const service = await sharedService();

const open = (url: string, headers: Readonly<Record<string, string>>) => service.app.inject({ url, headers });

test('a visitor’s language is on the whole page: title, labels, buttons, links, faults (contract §1)', async () => {
  const page = await service.app.inject({
    ...{ method: 'POST', url: '/signup', payload: 'name=&email=x&password=short' },
    headers: { 'accept-language': 'de', 'content-type': 'application/x-www-form-urlencoded' },
  });

  expect(page.body).toContain('<title>Fehler: Konto erstellen · Latchkey</title>');
  expect(titleOf(page)).toBe('Konto erstellen');
  expect([faultOf(page, 'name'), faultOf(page, 'email'), faultOf(page, 'password')]).toEqual([
    'Geben Sie Ihren Namen ein.',
    'Geben Sie eine gültige E-Mail-Adresse ein.',
    'Verwenden Sie mindestens 10 Zeichen.',
  ]);
});

test('a language is chosen in the footer, leads back to the page, and stays with the browser (contract §1)', async () => {
  const { body } = await open('/signin?return_to=%2Fbookings', { 'accept-language': 'fr' });
  const [, action = ''] = /<form class="languages" method="post" action="([^"]*)"/.exec(body) ?? [];
  const answer = await postForm(service, textOf(action), { language: 'ja' });
  const [chosen] = answer.cookies.filter(({ name }) => name.endsWith('latchkey_language'));
  const cookie = `${chosen?.name}=${chosen?.value}`;
  const next = await open(String(answer.headers.location), { 'accept-language': 'fr', cookie });

  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/signin?return_to=%2Fbookings']);
  expect(next.body).toContain('<html lang="ja"');
  expect(next.body).toContain('<option value="ja" lang="ja" selected>日本語</option>');
});

test('Allow in Arabic gives the code that English gives (contract §3)', async () => {
  const cookie = await startSession(service, await addUser(service));
  const client = await addClient(service);
  const url = `${authorizePath}?${new URLSearchParams(requestOf(client))}`;
  const page = await open(url, { cookie, 'accept-language': 'ar' });
  const fields = { ...hiddenFieldsOf(page.body), action: 'allow' };
  const answer = await postForm(service, authorizePath, fields, cookie);

  expect(answer.headers.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
});
