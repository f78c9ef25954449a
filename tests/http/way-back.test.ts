import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { emailVerifications, waysBack } from '../../src/accounts/tables.ts';
import { signUpFields } from '../support/accounts.ts';
import {
  addOnPage,
  createAuthenticator,
  firstPath,
  optionsOn,
  secondPath,
} from '../support/authenticator.ts';
import { requestOf } from '../support/authorization.ts';
import { consentTitle } from '../support/consent.ts';
import { addressesOn, textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath, resetPathsTo } from '../support/password-reset.ts';
import { openTestService } from '../support/service.ts';
import { mailSettings, verifyPathTo } from '../support/verification.ts';
import {
  addClient,
  addUser,
  authorizePath,
  hiddenFieldsOf,
  signIn,
  type TestUser,
} from '../support/world.ts';

const service = await openTestService({ ...mailSettings, APP_URL: 'https://cal.example' });
const client = await addClient(service);
const hour = 3600;

/** Beyond every window in which something is counted. */
beforeEach(() => service.clock.advance(hour));

/** What nginx keeps for the headers of an answer, unless it's told to (proxy_buffer_size). */
const proxyBytes = 4096;
/** Status line, Date, Connection and Keep-Alive, which Node adds on the wire. */
const wireBytes = 120;

function headerBytes({ headers }: LightMyRequestResponse): number {
  return Object.entries(headers)
    .flatMap(([name, values]) => [values ?? ''].flat().map((value) => `${name}: ${value}\r\n`.length))
    .reduce((sum, length) => sum + length, wireBytes);
}

/** A person's browser: it keeps cookies, follows redirects within the service, and notes the headers' size. */
function openBrowser() {
  const jar = new Map<string, string>();
  const sizes: number[] = [];
  async function send(url: string, form?: Readonly<Record<string, string>>): Promise<LightMyRequestResponse> {
    const answer = await service.app.inject({
      method: form === undefined ? 'GET' : 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
    });
    for (const { name, value } of answer.cookies) value === '' ? jar.delete(name) : jar.set(name, value);
    sizes.push(headerBytes(answer));
    const { location } = answer.headers;
    if (location?.startsWith('/') === true) return send(String(location));
    const [onward] = addressesOn(answer.body).filter((address) => address.startsWith(authorizePath));
    return titleOf(answer) === 'You’re signed in' && onward !== undefined ? send(onward) : answer;
  }
  return {
    open: async (url: string) => send(url),
    /** Follows the first link whose address begins so. */
    async follow(page: LightMyRequestResponse, path: string) {
      const link = addressesOn(page.body).find((address) => address.startsWith(path));
      if (link === undefined) throw new Error(`no link to ${path} on ${titleOf(page)}`);
      return send(link);
    },
    /** Sends the page's form with that action, and what is typed. */
    async press(page: LightMyRequestResponse, action: string, typed: Readonly<Record<string, string>> = {}) {
      const [, fields = ''] =
        new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(page.body) ?? [];
      return send(action, { ...hiddenFieldsOf(fields), ...typed });
    },
    largest: () => Math.max(...sizes),
  };
}

type Browser = ReturnType<typeof openBrowser>;

/** JSON with values that can't be compressed. */
function jsonState(length: number): string {
  let text = '';
  for (let n = 0; text.length < length; n += 1) {
    const nonce = createHash('sha256').update(`${n}`).digest('base64');
    text += JSON.stringify({ next: '/a?b=c&d="e"', nonce, list: [n, 'three'] });
  }
  return text.slice(0, length);
}
const addressFor = (state: string): string =>
  `${authorizePath}?${new URLSearchParams(requestOf(client, { state })).toString()}`;

/** Allows on the consent page, and answers the state that the app gets. */
async function stateAfterAllow(browser: Browser, page: LightMyRequestResponse): Promise<string | null> {
  expect(titleOf(page)).toContain(consentTitle(''));
  const answer = await browser.press(page, authorizePath, { action: 'allow' });
  return new URL(String(answer.headers.location)).searchParams.get('state');
}

/** From the sign-in page at which an authorization request ended. */
const ways: Readonly<
  Record<string, (browser: Browser, signInPage: LightMyRequestResponse) => Promise<LightMyRequestResponse>>
> = {
  'sign-in': async (browser, page) => {
    const { email, password } = await addUser(service);
    return browser.press(page, '/signin', { email, password });
  },
  'a wrong password, then the right one': async (browser, page) => {
    const { email, password } = await addUser(service);
    const again = await browser.press(page, '/signin', { email, password: 'not my password' });
    return browser.press(again, '/signin', { email, password });
  },
  'a passkey alone': async (browser, page) => {
    const { authenticator } = await addHolder();
    const asking = await browser.follow(page, `${firstPath}?`);
    return browser.press(asking, firstPath, {
      credential: authenticator.get(optionsOn(asking.body)),
    });
  },
  'password and passkey': async (browser, page) => {
    const { user, authenticator } = await addHolder();
    const { email, password } = user;
    const asking = await browser.press(page, '/signin', { email, password });
    const fields = {
      credential: authenticator.get(optionsOn(asking.body)),
    };
    return browser.press(asking, secondPath, fields);
  },
  'sign-up and its email': async (browser, page) => {
    const typed = signUpFields();
    await browser.press(await browser.follow(page, '/signup?'), '/signup', typed);
    return verifyIn(browser, await verifyPathTo(service, typed.email));
  },
  'a new link for an address that is not verified': async (browser, page) => {
    const { typed } = await addUnverified();
    const first = await browser.press(page, '/signin', typed);
    service.clock.advance(1);
    await browser.press(first, '/verify/resend');
    return verifyIn(browser, await verifyPathTo(service, typed.email));
  },
  'a password reset': async (browser, page) => resetIn(browser, page, await addUser(service)),
  'a sign-in that is confirmed': async (browser, page) => {
    const { email, password } = await addUser(service);
    const consent = await browser.press(page, '/signin', { email, password });
    service.clock.advance(600);
    const confirm = await browser.press(consent, authorizePath, { action: 'allow' });
    expect(titleOf(confirm)).toBe('Confirm it’s you');
    return browser.press(confirm, '/signin/confirm', { password });
  },
};

async function addHolder() {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const authenticator = createAuthenticator(service);
  await addOnPage(service, cookie, authenticator);
  return { user, authenticator };
}

/** Someone who signed up in another browser, with nothing in mind. */
async function addUnverified() {
  const typed = signUpFields();
  const browser = openBrowser();
  await browser.press(await browser.open('/signup'), '/signup', typed);
  return { typed, path: await verifyPathTo(service, typed.email) };
}

async function verifyIn(browser: Browser, path: string): Promise<LightMyRequestResponse> {
  return browser.press(await browser.open(path), path);
}

async function askForResetIn(browser: Browser, page: LightMyRequestResponse, email: string): Promise<string> {
  await browser.press(await browser.follow(page, '/forgot'), '/forgot', { email });
  return (await resetPathsTo(service, email)).at(-1) ?? '';
}

async function resetIn(browser: Browser, page: LightMyRequestResponse, user: Pick<TestUser, 'email'>) {
  const path = await askForResetIn(browser, page, user.email);
  return browser.press(await browser.open(path), path, { password: 'another password of mine' });
}

describe.each(Object.entries(ways))('connecting an app by %s', (_name, goOn) => {
  test('with a JSON state of 1,500 characters, no answer has headers that a proxy refuses (contract §3, security C225)', {
    tags: 'parts',
  }, async () => {
    const browser = openBrowser();
    const state = jsonState(1500);

    const page = await goOn(browser, await browser.open(addressFor(state)));

    expect(await stateAfterAllow(browser, page)).toBe(state);
    expect(browser.largest()).toBeLessThan(proxyBytes);
  });

  test('a state of 4,096 characters that are written escaped comes back unchanged (contract §3)', {
    tags: 'parts',
  }, async () => {
    const browser = openBrowser();
    const state = '%'.repeat(4096);

    const page = await goOn(browser, await browser.open(addressFor(state)));

    expect(await stateAfterAllow(browser, page)).toBe(state);
  });
});

describe('a link that was emailed on the way to an app', () => {
  const address = addressFor('a state of this browser');

  test('of a sign-up, opened in another browser, verifies there and leads to no app (contract §3)', async () => {
    const typed = signUpFields();
    const [began, other] = [openBrowser(), openBrowser()];
    const signUpPage = await began.follow(await began.open(address), '/signup?');
    await began.press(signUpPage, '/signup', typed);
    await other.press(await other.open('/signin'), '/signin', typed);

    const [link] = await service.database.db
      .select({ returnTo: emailVerifications.returnTo })
      .from(emailVerifications)
      .where(eq(emailVerifications.email, typed.email));
    const page = await verifyIn(other, await verifyPathTo(service, typed.email));

    expect(link?.returnTo).toBe(authorizePath);
    expect(textOf(page.body)).toContain('Verified. Go back to where you started.');
    expect(titleOf(await began.press(await began.open(address), '/signin', typed))).toContain(
      consentTitle(''),
    );
  });

  test('for the address, asked for again, leads back only in the browser that asked (contract §3)', async () => {
    const { typed } = await addUnverified();
    const [began, other] = [openBrowser(), openBrowser()];
    await other.press(await other.open('/signin'), '/signin', typed);
    const first = await began.press(await began.open(address), '/signin', typed);
    service.clock.advance(1);
    await began.press(first, '/verify/resend');

    const page = await verifyIn(other, await verifyPathTo(service, typed.email));

    expect(textOf(page.body)).toContain('Verified. Go back to where you started.');
  });

  test('to reset the password, opened in another browser, ends at the saved password (contract §3)', async () => {
    const user = await addUser(service);
    const [began, other] = [openBrowser(), openBrowser()];
    const path = await askForResetIn(began, await began.open(address), user.email);

    const page = await other.press(await other.open(path), path, { password: 'another password of mine' });

    expect(titleOf(page)).toBe('Password');
  });

  test('to reset the password of someone else, opened in the same browser, leads to no app (contract §3)', async () => {
    const [user, someone] = [await addUser(service), await addUser(service)];
    const browser = openBrowser();
    await askForResetIn(browser, await browser.open(address), user.email);

    const path = await obtainResetPath(service, someone.email);
    const page = await browser.press(await browser.open(path), path, {
      password: 'another password of mine',
    });

    expect(titleOf(page)).toBe('Password');
  });

  test('to reset the password, asked for again from the start page, leads to no app', async () => {
    const user = await addUser(service);
    const browser = openBrowser();
    await askForResetIn(browser, await browser.open(address), user.email);

    const page = await resetIn(browser, await browser.open('/signin'), user);

    expect(titleOf(page)).toBe('Password');
  });

  test('to reset the password leads back for an hour, and what is kept for it says nothing of the person', async () => {
    const user = await addUser(service);
    const browser = openBrowser();
    await askForResetIn(browser, await browser.open(address), user.email);
    const { db } = service.database;
    const rows = (await db.select().from(waysBack)).filter(({ returnTo }) => returnTo === address);
    service.clock.advance(hour);

    const late = await resetIn(browser, await browser.open('/signin'), user);

    expect(JSON.stringify(rows)).not.toContain(user.email);
    expect(titleOf(late)).toBe('Password');
  });
});

test.each(['~', '~x', `~${'A'.repeat(60_000)}`])(
  'a way back that is no way back (%#) leads home',
  async (sent) => {
    const page = await service.app.inject(`/signin?return_to=${encodeURIComponent(sent)}`);

    expect(page.statusCode).toBe(200);
    expect(hiddenFieldsOf(page.body)['return_to']).toBe('/');
  },
);
