import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { sessions, users } from '../../src/accounts/tables.ts';
import { addOnPage as addPasskey, createAuthenticator, optionsOn } from '../support/authenticator.ts';
import { digestTables } from '../support/database-content.ts';
import { startVisit } from '../support/on-the-way.ts';
import { faultOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import { resetPathsTo } from '../support/password-reset.ts';
import {
  clientsOf,
  developerHome,
  formTokenOf,
  newRegistrationKey,
  registration,
} from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { mailSettings } from '../support/verification.ts';
import { addUser, deviceCookieOf, hiddenFieldsOf, postForm, signIn, startSession } from '../support/world.ts';

const service = await openTestService(mailSettings);
const { db } = service.database;
const strict = await openTestService({ ...mailSettings, EMAIL_VERIFICATION: 'required' });
const path = `${developerHome}/new`;
const confirm = '/signin/confirm';
const recentSeconds = 10 * 60;

/** A person with a form of their own, in the browser that they use. */
async function openForm(changes: Readonly<Record<string, string>> = {}) {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const tab = startVisit(service, `${cookie}; ${deviceCookieOf(service, user)}`);
  const form_token = await formTokenOf(service, cookie);
  const name = `Schröder & "Söhne" <${user.username}>`;
  const form = { form_token, registration_key: newRegistrationKey(), ...registration, name, ...changes };
  return { user, cookie, tab, form, name };
}

const endSessions = (userId: number) => db.delete(sessions).where(eq(sessions.userId, userId));
const namesOf = async (userId: number) => (await clientsOf(service, userId)).map(({ name }) => name);

describe.each(['a form that Confirm it’s you interrupts', 'a form whose session has ended'])(
  '%s',
  (which) => {
    test('is kept on the way of a forgotten password, and sent with the new one', async () => {
      const { user, tab, form, name } = await openForm();
      const other = startVisit(service, tab.cookie());
      if (which.includes('session')) await endSessions(user.id);
      else service.clock.advance(recentSeconds);

      const asked = await tab.open(path, form);
      const forgot = await tab.press(asked, '/forgot');
      const faulty = await tab.press(forgot, '/forgot', { email: 'none' });
      const sent = await tab.press(faulty, '/forgot', { email: user.email });
      const reset = (await resetPathsTo(service, user.email)).at(-1) ?? '';
      const page = await tab.open(reset);
      await tab.press(page, reset, { password: 'correct horse battery staple', keep_apps: 'yes' });
      const done = await tab.press(sent, path);
      const stranger = await other.press(sent, path);

      expect(textOf(sent.body)).toContain('What you typed is kept here.');
      expect(sent.body).not.toContain(user.username);
      expect(textOf(done.body)).toContain('Your app is in review');
      expect(await namesOf(user.id)).toEqual([name]);
      expect(titleOf(stranger)).toBe('Sign in');
    });
  },
);

describe('a form that Confirm it’s you interrupts', () => {
  test('is sent once its person has confirmed, with all that was typed', async () => {
    const { user, tab, form, name } = await openForm();
    service.clock.advance(recentSeconds);

    const asked = await tab.open(path, form);
    expect(titleOf(asked)).toBe('Confirm it’s you');
    expect(textOf(asked.body)).toContain('What you typed is kept, and sent once you’ve confirmed.');
    expect(await namesOf(user.id)).toEqual([]);
    const wrong = await tab.press(asked, confirm, { password: 'a wrong one' });
    expect(faultOf(wrong, 'password')).toBe('Incorrect password.');
    const done = await tab.press(wrong, confirm, { password: user.password });

    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([name]);
    expect(tab.visited.slice(-3)).toEqual([
      `POST ${confirm}`,
      `POST ${path}`,
      expect.stringMatching(`GET ${developerHome}/[0-9a-f]+`),
    ]);
  });

  test('is sealed in the page, in no address, and in no line of the log', async () => {
    const { user, tab, form } = await openForm({ purpose: 'canary-7f31' });
    service.clock.advance(recentSeconds);

    const asked = await tab.open(path, form);
    await tab.press(asked, confirm, { password: user.password });

    expect(asked.body).not.toContain('canary-7f31');
    expect(tab.visited.join()).not.toContain('canary-7f31');
    expect(service.logText()).not.toContain('canary-7f31');
  });

  test('with faults is shown with them, and with what was typed', async () => {
    const { user, tab, form, name } = await openForm({ redirect_uris: 'javascript:x' });
    service.clock.advance(recentSeconds);

    const asked = await tab.open(path, form);
    const shown = await tab.press(asked, confirm, { password: user.password });

    expect(shown.statusCode).toBe(400);
    expect(typedIn(shown, 'name')).toBe(name);
  });

  async function openFormWithPasskey() {
    const { user, cookie } = await openForm();
    const authenticator = createAuthenticator(service);
    await addPasskey(service, cookie, authenticator);
    const tab = startVisit(service, `${cookie}; ${deviceCookieOf(service, user)}`);
    const form_token = await formTokenOf(service, cookie);
    const form = { form_token, registration_key: newRegistrationKey(), ...registration };
    return { user, authenticator, tab, form };
  }

  test('is sent by a passkey, too', { tags: 'parts' }, async () => {
    const { user, authenticator, tab, form } = await openFormWithPasskey();
    service.clock.advance(recentSeconds);

    const asked = await tab.open(path, form);
    const page = await tab.press(asked, '/signin/passkey');
    expect(titleOf(page)).toBe('Sign in with a passkey');
    const back = await tab.press(page, confirm);
    expect(titleOf(back)).toBe('Confirm it’s you');
    const again = await tab.press(back, '/signin/passkey');
    const credential = authenticator.get(optionsOn(again.body));
    const done = await tab.press(again, '/signin/passkey', { credential });

    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([registration['name']]);
  });

  test('is sent by the password and a passkey after it', { tags: 'parts' }, async () => {
    const { user, authenticator, tab, form } = await openFormWithPasskey();
    await endSessions(user.id);

    const asked = await tab.open(path, form);
    const second = await tab.press(asked, '/signin', { email: user.email, password: user.password });
    expect(titleOf(second)).toBe('Use your passkey');
    const wrong = await tab.press(second, '/signin/recovery-code', { code: 'a wrong one' });
    expect(wrong.statusCode).toBe(401);
    const credential = authenticator.get(optionsOn(wrong.body));
    const done = await tab.press(wrong, '/signin/second-factor', { credential });

    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([registration['name']]);
  });

  test('keeps no password, which its page asks for again', { tags: 'parts' }, async () => {
    const { user, cookie, tab } = await openForm();
    const form = {
      form_token: await formTokenOf(service, cookie),
      ...{ url: 'https://dav.example/', username: 'ann', password: 'canary-51c2', name: 'Mine' },
    };
    service.clock.advance(recentSeconds);

    const asked = await tab.open('/settings/calendars/caldav', form);
    const shown = await tab.press(asked, confirm, { password: user.password });

    expect(shown.statusCode).toBe(400);
    expect([typedIn(shown, 'url'), typedIn(shown, 'username')]).toEqual(['https://dav.example/', 'ann']);
    expect(faultOf(shown, 'password')).toBe('Enter a password.');
  });

  test('that is too large to be kept leads back to its page, which says so', async () => {
    const { user, tab, form } = await openForm({
      purpose: Buffer.from(service.app.runtime.randomBytes(46_000)).toString('base64url'),
    });
    service.clock.advance(recentSeconds);

    const asked = await tab.open(path, form);
    const shown = await tab.press(asked, confirm, { password: user.password });

    expect(titleOf(asked)).toBe('Confirm it’s you');
    expect(textOf(shown.body)).toContain('Nothing was changed yet, so send this form again.');
  });
});

describe('a form whose session has ended', () => {
  test('is sent once its person has signed in', async () => {
    const { user, tab, form, name } = await openForm();
    await endSessions(user.id);

    const asked = await tab.open(path, form);
    expect(titleOf(asked)).toBe('Sign in');
    expect(textOf(asked.body)).toContain('What you typed is kept, and sent once you’ve signed in.');
    const wrong = await tab.press(asked, '/signin', { email: user.email, password: 'x' });
    const done = await tab.press(wrong, '/signin', { email: user.email, password: user.password });

    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([name]);
  });

  test('is sent by nobody else who signs in there (security C321)', async () => {
    const { user, tab, form } = await openForm();
    const other = await addUser(service);
    await endSessions(user.id);

    const asked = await tab.open(path, form);
    const shown = await tab.press(asked, '/signin', { email: other.email, password: other.password });

    expect(textOf(shown.body)).toContain('this form wasn’t saved');
    expect([await namesOf(user.id), await namesOf(other.id)]).toEqual([[], []]);
  });

  test('in a browser that keeps no cookies says so, and loses nothing', async () => {
    const { user, form, name } = await openForm();
    await endSessions(user.id);
    const asked = await startVisit(service).open(path, form);
    const typed = { email: user.email, password: user.password };

    const hasNone = startVisit(service);
    const shown = await postForm(service, '/signin', { ...hiddenFieldsOf(asked.body), ...typed });
    const sent = { ...hiddenFieldsOf(asked.body), ...typed };
    const again = await hasNone.open(String(shown.headers.location), sent);
    const done = await hasNone.press(again, '/signin', typed);

    expect(shown.statusCode).toBe(307);
    expect(textOf(again.body)).toContain('Your browser didn’t keep the cookie');
    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([name]);
  });
});

describe('a form of a former session of the same person', () => {
  test('is sent by a click, since it may be another page than the one in mind', async () => {
    const { user, tab, form, name } = await openForm();
    await tab.open(confirm, { form_token: form.form_token, password: user.password, return_to: '/' });

    const asked = await tab.open(path, form);
    expect([asked.statusCode, titleOf(asked)]).toEqual([403, 'This page is out of date']);
    expect(await namesOf(user.id)).toEqual([]);
    const done = await tab.press(asked, path);

    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([name]);
  });

  test('that asks who it is goes on with the form that it carries', async () => {
    const { user, tab, form, name } = await openForm();
    service.clock.advance(recentSeconds);
    const asked = await tab.open(path, form);
    await tab.open(confirm, { form_token: form.form_token, password: user.password, return_to: '/' });

    const outOfDate = await tab.press(asked, confirm, { password: user.password });
    const done = await tab.press(outOfDate, path);

    expect(outOfDate.statusCode).toBe(403);
    expect(textOf(done.body)).toContain('Your app is in review');
    expect(await namesOf(user.id)).toEqual([name]);
  });
});

describe('what is kept goes to its own address, for its own person, for a day (security C321)', () => {
  async function keep() {
    const opened = await openForm();
    service.clock.advance(recentSeconds);
    const asked = await opened.tab.open(path, opened.form);
    const { kept_form = '' } = hiddenFieldsOf(asked.body);
    return { ...opened, kept_form };
  }

  test.each<[string, (kept: string) => string]>([
    ['changed', (kept) => `${kept.slice(0, -4)}AAAA`],
    ['cut', (kept) => kept.slice(0, 20)],
    ['made up', () => 'x'],
    ['empty', () => ''],
  ])('%s, it is none', async (_name, change) => {
    const { user, kept_form } = await keep();
    const cookie = await signIn(service, user);
    const before = await digestTables(service.database);

    const form_token = await formTokenOf(service, cookie);
    const answer = await postForm(service, path, { form_token, kept_form: change(kept_form) }, cookie);

    expect(answer.statusCode).toBe(400);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each<[string, string]>([
    ['another person', path],
    ['another address', '/settings/profile'],
  ])('for %s it does nothing', async (name, address) => {
    const { user, kept_form } = await keep();
    const who = name === 'another person' ? await addUser(service) : user;
    const cookie = await signIn(service, who);
    const before = await digestTables(service.database);

    const answer = await postForm(service, address, { kept_form }, cookie);

    expect([303, 403]).toContain(answer.statusCode);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('after a day it does nothing', async () => {
    const { user, kept_form } = await keep();
    service.clock.advance(24 * 3600);
    const cookie = await signIn(service, user);

    const answer = await postForm(service, path, { kept_form }, cookie);

    expect(answer.statusCode).toBe(403);
    expect(await namesOf(user.id)).toEqual([]);
  });

  test('it opens nothing for a session that isn’t recent, and another site can’t send it', async () => {
    const { user, cookie, kept_form } = await keep();
    const recent = await signIn(service, user);

    const old = await postForm(service, path, { kept_form }, cookie);
    const foreign = await service.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
        cookie: recent,
      },
      payload: new URLSearchParams({ kept_form }).toString(),
    });

    expect([old.statusCode, old.headers.location]).toEqual([
      307,
      expect.stringMatching(/^\/signin\/confirm\?form=/),
    ]);
    expect(foreign.statusCode).toBe(403);
    expect(await namesOf(user.id)).toEqual([]);
  });
});

describe('a form whose person has to verify their address first', () => {
  test('is kept on the page that says so, also while another link is sent, and sent afterwards', async () => {
    const user = await addUser(strict, { isVerified: false });
    const cookie = await startSession(strict, user);
    const tab = startVisit(strict, cookie);
    const form_token = await formTokenOf(strict, cookie);

    const asked = await tab.open(path, {
      form_token,
      registration_key: newRegistrationKey(),
      ...registration,
      name: 'Kept desk',
    });
    const again = await tab.press(asked, '/verify/resend');
    await strict.database.db
      .update(users)
      .set({ emailVerifiedAt: strict.clock.now() })
      .where(eq(users.id, user.id));
    await tab.press(again, path);

    expect([asked.statusCode, again.statusCode]).toEqual([403, 403]);
    expect(textOf(asked.body)).toContain('What you typed is kept on this page.');
    expect(textOf(again.body)).toContain('What you typed is kept on this page.');
    expect((await clientsOf(strict, user.id)).map(({ name }) => name)).toEqual(['Kept desk']);
  });
});
