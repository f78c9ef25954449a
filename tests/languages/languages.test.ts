import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { requestOf } from '../support/authorization.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { mailSettings } from '../support/verification.ts';
import {
  addClient,
  addUser,
  authorizePath,
  connect,
  deviceCookieOf,
  postForm,
  signIn,
  type TestClient,
} from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const open = (url: string, headers: Readonly<Record<string, string>> = {}, on = service) =>
  on.app.inject({ url, headers });

const languageOf = ({ body }: { readonly body: string }) => /<html lang="([^"]+)"/.exec(body)?.[1];

/** Sends the form in a page's footer, as a browser without JavaScript does. */
async function choose(body: string, language: string, cookie?: string) {
  const [, action = ''] = /<form class="languages" method="post" action="([^"]*)"/.exec(body) ?? [];
  const send =
    cookie === undefined
      ? postForm(service, textOf(action), { language })
      : postOwnForm(service, textOf(action), { language }, cookie);
  const answer = await send;
  const [chosen] = answer.cookies.filter(({ name }) => name.endsWith('latchkey_language'));
  return { answer, cookie: `${chosen?.name}=${chosen?.value}` };
}

describe('a visitor’s language (contract §1)', () => {
  test.each([
    ['de-AT,en;q=0.5', 'de'],
    ['fr-CA', 'fr'],
    ['es-419,es;q=0.9', 'es'],
    ['pt', 'pt-BR'],
    ['pt-PT,en;q=0.8', 'pt-BR'],
    ['ja', 'ja'],
    ['ar-EG', 'ar'],
    ['nl,de;q=0.5', 'de'],
    ['en-GB,de;q=0.9', 'en'],
    ['de;q=0, en', 'en'],
    ['nl', 'en'],
    ['*', 'en'],
    [`de,${'x'.repeat(2000)}`, 'en'],
    ['', 'en'],
  ])('is negotiated: "%s" reads %s (RFC 9110 §12.5.4)', async (languages, tag) => {
    const page = await open('/signin', { 'accept-language': languages });

    expect(languageOf(page)).toBe(tag);
    expect(page.headers['content-language']).toBe(tag);
  });

  test.each([
    ['fr', 'fr'],
    ['fr-CA en', 'fr'],
    ['nl pt-PT de', 'pt-BR'],
    ['de,fr', 'de'],
    ['nl', 'es'],
    ['not a tag; at all\u0000', 'es'],
    ['', 'es'],
  ])(
    'is what the app’s ui_locales "%s" say, before Accept-Language, on the whole way: %s (OpenID Connect Core, section 3.1.2.1)',
    async (asked, tag) => {
      const client = await addClient(service);
      const request = new URLSearchParams({ ...requestOf(client, { scope: '' }), ui_locales: asked });
      const spanish = { 'accept-language': 'es' };
      const stranger = await open(`${authorizePath}?${request}`, spanish);
      const signInPage = await open(String(stranger.headers.location), spanish);
      const [signUpAddress = ''] = /\/signup\?[^"]*/.exec(signInPage.body) ?? [];
      const signUpPage = await open(textOf(signUpAddress), spanish);
      const cookie = await signIn(service, await addUser(service));
      const consent = await open(`${authorizePath}?${request}`, { ...spanish, cookie });

      expect([signInPage, signUpPage, consent].map(languageOf)).toEqual([tag, tag, tag]);
      expect(consent.statusCode).toBe(200);
    },
  );

  test('is the person’s or the browser’s own choice where there is one, whatever the app asks for', async () => {
    const client = await addClient(service);
    const page = `${authorizePath}?${new URLSearchParams({ ...requestOf(client), ui_locales: 'fr' })}`;
    const cookie = await signIn(service, await addUser(service));
    const chosen = await choose((await open(page, { cookie })).body, 'ja', cookie);
    const [ofPerson, ofBrowser] = [
      await open(page, { cookie }),
      await open(`/signin?return_to=${encodeURIComponent(page)}`, { cookie: chosen.cookie }),
    ];

    expect([ofPerson, ofBrowser].map(languageOf)).toEqual(['ja', 'ja']);
  });

  test('stays after a form with faults, and isn’t kept as the person’s, whose emails follow the browser', async () => {
    const client = await addClient(service);
    const user = await addUser(service);
    const to = `${authorizePath}?${new URLSearchParams({ ...requestOf(client), ui_locales: 'fr' })}`;
    const send = (password: string) =>
      service.app.inject({
        ...{ method: 'POST', url: '/signin' },
        payload: new URLSearchParams({ email: user.email, password, return_to: to }).toString(),
        headers: {
          ...{ 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'de' },
          referer: `${service.appUrl}/signin?return_to=${encodeURIComponent(to)}`,
        },
      });
    const [wrong, right] = [await send('wrong'), await send(user.password)];
    const [row] = await db.select().from(users).where(eq(users.id, user.id));

    expect([languageOf(wrong), right.statusCode]).toEqual(['fr', 303]);
    expect(row).toMatchObject({ language: null, lastLanguage: 'de' });
  });

  test('runs from right to left in Arabic, and names keep their own direction', async () => {
    const client = await addClient(service, { name: '<b>Tidy</b> {app}' });
    const to = `${authorizePath}?${new URLSearchParams(requestOf(client))}`;
    const page = await open(`/signin?return_to=${encodeURIComponent(to)}`, { 'accept-language': 'ar' });

    expect(page.body).toContain('<html lang="ar" dir="rtl">');
    expect(page.body).toContain(
      'سجّل الدخول للمتابعة إلى <strong><bdi>&lt;b&gt;Tidy&lt;/b&gt; {app}</bdi></strong>',
    );
  });

  test('is chosen on the way to an app after a wrong password, too, and the way goes on (contract §3)', async () => {
    const page = '/signin?return_to=%2Fauth%2Foauth2%2Fauthorize%3Fclient_id%3Dx';
    const refused = (referer: string) =>
      service.app.inject({
        ...{ method: 'POST', url: '/signin', payload: 'email=ann%40example.com&password=wrong' },
        headers: { 'content-type': 'application/x-www-form-urlencoded', referer },
      });
    const backFrom = async (referer: string) =>
      (await choose((await refused(referer)).body, 'de')).answer.headers.location;

    expect(await backFrom(`${service.appUrl}${page}`)).toBe(page);
    expect(await backFrom(`${service.appUrl}/signup?return_to=%2F`)).toBe('/signin');
    expect(await backFrom(`https://evil.example${page}`)).toBe('/signin');
  });

  test('is a person’s own once chosen: it goes before the browser, and other people’s stay', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const apps = await open('/signin/continue?return_to=%2Fbookings', { cookie });
    await choose(apps.body, 'es', cookie);
    const elsewhere = await signIn(service, user);
    const next = await open('/signin/continue?return_to=%2Fbookings', {
      cookie: `${elsewhere}; latchkey_language=de`,
      'accept-language': 'fr',
    });
    const [row] = await db.select().from(users).where(eq(users.id, user.id));

    expect(row?.language).toBe('es');
    expect(languageOf(next)).toBe('es');
    expect(await db.$count(users, eq(users.language, 'es'))).toBe(1);
  });

  test('can follow the browser again, which is offered to those who chose one', async () => {
    const user = await addUser(service);
    const session = await signIn(service, user);
    const path = '/signin/continue?return_to=%2Fbookings';
    const before = await open(path, { cookie: session, 'accept-language': 'fr' });
    await choose(before.body, 'es', session);
    const chosen = await open(path, { cookie: session, 'accept-language': 'fr' });
    const { cookie } = await choose(chosen.body, 'browser', session);
    const after = await open(path, { cookie: `${session}; ${cookie}`, 'accept-language': 'fr' });

    expect(before.body).not.toContain('value="browser"');
    expect(chosen.body).toContain('<option value="browser">Idioma del navegador</option>');
    expect([cookie, languageOf(after)]).toEqual(['latchkey_language=', 'fr']);
  });

  test.each(['xx', '', '__proto__', 'de-AT'])('that there isn’t (%j) changes nothing', async (language) => {
    const { body } = await open('/signin');
    const { answer } = await choose(body, language);

    expect(answer.statusCode).toBe(303);
    expect(answer.cookies).toEqual([]);
  });

  test('is chosen by no other site, and leads to no other (security C281)', async () => {
    const answer = await service.app.inject({
      ...{ method: 'POST', url: '/settings/language?return_to=//evil.example', payload: 'language=de' },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    });
    const own = await postForm(service, '/settings/language?return_to=//evil.example', { language: 'de' });

    expect([answer.statusCode, answer.cookies]).toEqual([403, []]);
    expect(own.headers.location).toBe('/');
  });

  test('is that of the last sign-in for emails, a new password’s among them', async () => {
    const user = await addUser(service);
    const { email, password } = user;
    const signInWith = (language: string) =>
      service.app.inject({
        ...{ method: 'POST', url: '/signin', payload: new URLSearchParams({ email, password }).toString() },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          'accept-language': language,
          cookie: deviceCookieOf(service, user),
        },
      });
    const lastLanguage = async () =>
      (await db.select().from(users).where(eq(users.id, user.id)))[0]?.lastLanguage;
    const answer = await signInWith('de-CH');
    expect(await lastLanguage()).toBe('de');

    const session = answer.cookies.find(({ name }) => name.endsWith('latchkey_session'));
    const changed = { current_password: password, new_password: 'quite another passphrase' };
    await postOwnForm(service, '/settings/password', changed, `${session?.name}=${session?.value}`);
    // The browser of this form reads English.
    expect(await lastLanguage()).toBe('en');
  });
});

describe('consent in a visitor’s language (contract §3)', () => {
  const open = async (client: TestClient, cookie: string, language: string, changes = {}) =>
    service.app.inject({
      url: `${authorizePath}?${new URLSearchParams({ ...requestOf(client), ...changes })}`,
      headers: { cookie, 'accept-language': language },
    });

  test('says what an app will be able to do, and what not; the operator’s own words stay', async () => {
    const cookie = await signIn(service, await addUser(service));
    const client = await addClient(service, { name: '<i>Tidy</i>', scopes: ['BOOKING_READ'] });
    const page = await open(client, cookie, 'de');
    const text = textOf(page.body);

    expect(page.body).toContain('<html lang="de"');
    expect(titleOf(page)).toContain('<i>Tidy</i>');
    expect(page.body).toContain('<bdi>&lt;i&gt;Tidy&lt;/i&gt;</bdi>');
    expect(text).toContain('Ihre Buchungen sehen, mit Namen, E-Mail-Adressen und Antworten der Personen');
    expect(page.body).toContain('<li>Buchungen erstellen, ändern oder absagen</li>');
    expect(text).toContain('Zulassen');
  });

  test('says why a request is refused', async () => {
    const cookie = await signIn(service, await addUser(service));
    const client = await addClient(service);
    const page = await open(client, cookie, 'fr', { redirect_uri: 'https://other.example/' });

    expect(titleOf(page)).toBe('L’URI de redirection ne correspond pas');
    expect(textOf(page.body)).toContain('Rien n’a été partagé.');
  });

  test('connected apps are said in it, with dates as the language writes them', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    await connect(service, await addClient(service), cookie);
    const page = await service.app.inject({
      url: '/settings/apps',
      headers: { cookie, 'accept-language': 'es' },
    });

    expect(titleOf(page)).toBe('Aplicaciones conectadas');
    expect(textOf(page.body)).toContain('Conectada desde el 1 feb 2027, última actividad: ');
  });
});

describe('emails are in their reader’s language (contract §1)', () => {
  const addReader = async (reader: { readonly language?: string; readonly lastLanguage?: string }) => {
    const user = await addUser(service);
    await db
      .update(users)
      .set({ language: null, ...reader })
      .where(eq(users.id, user.id));
    return user;
  };
  const askFor = async (email: string, language: string) => {
    await service.app.inject({
      ...{ method: 'POST', url: '/forgot', payload: new URLSearchParams({ email }).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': language },
    });
    return (await mailTo(service, email))[0];
  };

  test.each([
    [{ language: 'de', lastLanguage: 'ja' }, 'Setzen Sie Ihr Passwort zurück', 'lang="de"'],
    [{ lastLanguage: 'ar' }, 'إعادة تعيين كلمة المرور', 'lang="ar" dir="rtl"'],
    [{}, 'Reset your password', 'lang="en"'],
  ])('chosen, else of the last sign-in: %j', async (reader, subject, tag) => {
    const { email } = await addReader(reader);
    const sent = await askFor(email, 'fr');

    expect(sent?.subject).toBe(subject);
    expect(sent?.html).toContain(tag);
  });

  test('of access that was given: permissions, the date and the app’s name as text', async () => {
    const user = await addReader({ language: 'pt-BR' });
    const client = await addClient(service, { name: '<b>Tidy</b>', scopes: ['BOOKING_READ'] });
    await connect(service, client, await signIn(service, user));
    const [sent] = await mailTo(service, user.email);

    expect(sent?.subject).toBe('Você deu a <b>Tidy</b> acesso à sua conta');
    expect(sent?.text).toContain('Ele pode: • Ver seus agendamentos');
    expect(sent?.text).toContain('Quando: 1 de fev. de 2027');
    expect(sent?.html).not.toContain('<b>Tidy');
  });

  test('a sign-up is answered in the language of its form', async () => {
    const email = 'new-reader@example.com';
    const verifying = await openAnotherInstance(service, mailSettings);
    const fields = { name: 'Ana', email, password: 'a few unrelated words', time_zone: 'UTC' };
    await verifying.app.inject({
      ...{ method: 'POST', url: '/signup', payload: new URLSearchParams(fields).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'ja' },
    });
    const [sent] = await mailTo(service, email);

    expect(sent?.subject).toBe('メールアドレスの確認');
  });
});

test('pages that aren’t translated are English as a whole, whatever the browser reads', async () => {
  const cookie = await signIn(service, await addUser(service));
  const page = await open('/settings/developer/oauth', { cookie, 'accept-language': 'ar' });

  expect(page.body).toContain('<html lang="en">');
  expect(page.body).not.toContain('class="languages"');
  expect(page.body).toContain('Sign out');
});

test('without the part, every page is English (architecture §1)', async () => {
  const off = await openAnotherInstance(service, { PARTS: '-languages' });
  const page = await open('/signin', { 'accept-language': 'de', cookie: 'latchkey_language=de' }, off);

  expect(page.body).toContain('<html lang="en">');
  expect(page.body).not.toContain('class="languages"');
  expect((await postForm(off, '/settings/language', { language: 'de' })).statusCode).toBe(404);
  // The document says the same whether the part serves or not.
  const { body } = await off.app.inject({ url: '/openapi.json' });
  expect(
    body.match(/[^.;()]*language of (?:their|its|the) reader|reader[^.;()]* language[^.;()]*/g),
  ).toBeNull();
});
