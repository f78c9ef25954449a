import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as openid from 'openid-client';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../tests/support/chromium.ts';
import { addDevice } from '../../tests/support/device.ts';
import { startFeed } from './feed.ts';
import { Journey, openShell } from './journey.ts';
import { findFreePort } from './ports.ts';

const password = 'a few words of my own';

interface App {
  /** Where its owner sees it. */
  readonly path: string;
  readonly id: string;
  readonly secret: string;
}

/** Prints the steps and seconds of the journeys. A dead end is an error. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-journeys-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const browser = await chromium.launch({ ...(await findChromium()), args: ['--no-sandbox'] });
  stack.defer(() => browser.close());
  const port = await findFreePort(3900);
  const appUrl = `http://localhost:${port}`;
  /** Everybody has a browser of their own. */
  const open = async (): Promise<Page> => {
    const viewport = { width: 1400, height: 1000 };
    const context = await browser.newContext({ baseURL: appUrl, timezoneId: 'Europe/Berlin', viewport });
    context.setDefaultTimeout(15_000);
    return context.newPage();
  };
  const walked: Journey[] = [];
  const begin = (name: string): Journey => {
    const journey = new Journey(name);
    walked.push(journey);
    return journey;
  };
  const [operator, developer, host, visitor] = [await open(), await open(), await open(), await open()];

  const start = begin('Operator: from `npm start` to an app of their own, approved');
  const server = await start.wait(() => startServer(port, directory));
  stack.defer(() => stop(server));
  const own = await approveOwn(start, operator, appUrl);
  const app = await registerAnew(begin('Developer: from sign-up to a registered app'), developer, appUrl);
  await review(begin('Operator: an app that waits is reviewed'), operator);
  await getToken(begin('Developer: from an approved app to `/v2/me`, in Bash'), developer, app);
  await tryInReference(begin('Developer: the same in the API reference'), operator, own, appUrl);
  await findCauses(begin('Developer: from three wrong token requests to their causes'), developer, app);
  await removeAccess(begin('Person: the access of an app is removed'), developer);

  const link = await getLink(begin('Newcomer: from sign-up to a link to share'), host, appUrl);
  await bookByLink(begin('Visitor: books by a link'), visitor, link);
  await change(begin('Visitor: reschedules, then cancels'), visitor);
  await setLinkAndJoin(begin('Host and visitor: a link is set, booked and joined'), host, await open());
  await reschedule(begin('Host: a booking is rescheduled'), host);
  await setHours(begin('Host: a schedule with a lunch break and a day off'), host);
  await askQuestions(begin('Host: an event type with two questions'), host);
  await connectCalendar(begin('Host: an ICS calendar is connected'), host, stack);
  await takeTurns(begin('Team: created, joined by invitation, and hosts take turns'), host, await open());
  await testWebhook(begin('Host: a webhook, and its test'), host, stack);
  await callByScript(begin('Script: a personal token, and a first call with it'), host);
  const signIn = begin('Developer: an app that signs people in');
  const site = await offerSignIn(signIn, developer, operator, appUrl, stack);
  await signInWithLatchkey(begin('Person: signs in to an app with Latchkey'), await open(), site);
  await usePasskey(begin('Person: a passkey is added, and signs in'), host);
  process.stdout.write(
    `| Journey | Steps | Seconds of a person who knows the way | Seconds of waiting |\n|---|---|---|---|\n${walked.map((journey) => journey.line()).join('')}`,
  );
}

async function startServer(port: number, directory: string): Promise<ChildProcess> {
  const env = {
    ...{ PATH: process.env['PATH'], PORT: String(port), DATA_DIR: directory, LOG_LEVEL: 'warn' },
    CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8',
  };
  const server = spawn(process.execPath, ['dist/server.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    if (server.exitCode !== null) throw new Error('the service did not start');
    const answer = await fetch(`http://localhost:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return server;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/** What others have, such as an app or a calendar, answers at a port of its own. */
async function serve(
  stack: AsyncDisposableStack,
  answer: (path: string) => string | Promise<string>,
): Promise<string> {
  const server = createServer(async ({ url = '/' }, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(await Promise.resolve(answer(url)).catch(String));
  });
  stack.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const port = await findFreePort(4900);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return `http://localhost:${port}/`;
}

/** The words of an outcome are there once all is saved. */
const untilSaid = (journey: Journey, page: Page, words: string | RegExp): Promise<void> =>
  journey.wait(() => page.getByText(words).first().waitFor());

/** A journey of someone who is signed in begins at their home page, which is no step. */
async function openSettings(journey: Journey, page: Page, words: string): Promise<void> {
  await page.goto('/');
  await journey.click(page.locator('.menu-button'));
  await journey.click(page.locator('#menu').getByRole('link', { name: 'Settings' }));
  await journey.click(page.locator('#sections').getByRole('link', { name: words, exact: true }));
}

async function openMain(journey: Journey, page: Page, words: string): Promise<void> {
  await page.goto('/');
  await journey.click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: words }));
}

async function signUp(journey: Journey, page: Page, name: string): Promise<void> {
  await journey.click(page.getByRole('link', { name: 'Create account' }).first());
  await journey.type(page.getByLabel('Name', { exact: true }), name);
  await journey.type(
    page.getByLabel('Email address'),
    `${name.replace(/ .*/, '').toLowerCase()}@example.com`,
  );
  await journey.type(page.getByLabel('Password'), password);
  await journey.click(page.getByRole('button', { name: 'Create account' }));
  await journey.wait(() => page.waitForURL(/\/$|\/invitations\//));
}

async function register(
  journey: Journey,
  page: Page,
  [name, purpose, redirectUri]: readonly [string, string, string],
  asked = /^Full access/,
): Promise<App> {
  await openMain(journey, page, 'Developer');
  await journey.click(page.getByRole('link', { name: 'Register app' }).first());
  await journey.type(page.getByLabel('Name', { exact: true }), name);
  await journey.type(page.getByLabel('Purpose'), purpose);
  await journey.type(page.getByLabel('Redirect URI 1', { exact: true }), redirectUri);
  await journey.click(page.getByRole('radio', { name: asked }));
  await journey.click(page.getByRole('button', { name: 'Register app' }));
  const secret = await page.locator('#client_secret').innerText();
  const path = new URL(page.url()).pathname;
  return { path, id: path.split('/').at(-1) ?? '', secret };
}

async function approveOwn(journey: Journey, page: Page, appUrl: string): Promise<App> {
  await journey.open(page, appUrl);
  await signUp(journey, page, 'Olive Operator');
  const app = await register(journey, page, ['Own Week', 'Tries the API.', `${appUrl}/docs`]);
  await journey.click(page.getByRole('link', { name: 'Review app' }));
  await approve(journey, page);
  return app;
}

async function approve(journey: Journey, page: Page): Promise<void> {
  await journey.click(page.getByRole('button', { name: /^Approve/ }));
  await journey.wait(() => page.getByRole('status').waitFor());
}

/** Beginners register an address at which nothing listens. */
async function registerAnew(journey: Journey, page: Page, appUrl: string): Promise<App> {
  await journey.open(page, appUrl);
  await signUp(journey, page, 'Dara Developer');
  return register(journey, page, ['Tidy Week', 'Keeps the week in order.', 'http://localhost:9/callback']);
}

/** The home page says that an app waits. */
async function review(journey: Journey, page: Page): Promise<void> {
  await page.goto('/');
  await journey.click(page.getByRole('link', { name: 'Review apps' }));
  await journey.click(page.getByRole('link', { name: 'Tidy Week' }));
  await approve(journey, page);
}

/** The quickstart's second step prints the tokens, the third calls the API. */
async function getToken(journey: Journey, page: Page, { secret }: App): Promise<void> {
  await journey.click(page.getByRole('link', { name: 'Open quickstart' }));
  await journey.click(page.getByRole('link', { name: 'curl' }));
  const [authorize = '', exchange = '', call = ''] = await page.locator('.steps pre').allInnerTexts();
  const shell = openShell();
  await journey.paste(() => shell.enter(authorize));
  let address = '';
  await journey.paste(async () => {
    await shell.enter(secret);
    address = (await shell.until(/http\S+state=\S+/))[0];
  });
  await journey.paste(() => page.goto(address));
  const callback = page.waitForRequest(/localhost:9\/callback/);
  await journey.click(page.getByRole('button', { name: 'Allow' }));
  const returned = (await callback).url();
  await journey.paste(() => shell.enter(exchange));
  await journey.paste(async () => {
    await shell.enter(returned);
    await shell.until(/HTTP 200/);
  });
  await journey.paste(async () => {
    await shell.enter(call);
    await shell.until(/dara@example\.com/);
  });
  shell.close();
}

/** The app comes back to the reference. Its ID is in the address that the quickstart ends with. */
async function tryInReference(journey: Journey, page: Page, app: App, appUrl: string): Promise<void> {
  await page.goto(app.path);
  await journey.click(page.getByRole('link', { name: 'Open quickstart' }));
  await journey.paste(() => page.goto(`${appUrl}/docs?client_id=${app.id}`));
  const authentication = page.getByRole('region', { name: 'Authentication' });
  const field = authentication.getByRole('textbox', { name: 'Client Secret' });
  await journey.paste(() => field.fill(app.secret));
  await journey.click(authentication.getByRole('button', { name: 'Select All' }));
  const opened = page.waitForEvent('popup');
  await journey.click(authentication.getByRole('button', { name: 'Authorize' }));
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  // The popup may close before the click is over.
  await journey.click(popup.getByRole('button', { name: 'Allow' })).catch(() => closed);
  await journey.wait(() => authentication.getByRole('textbox', { name: 'Access Token' }).waitFor());
  await journey.click(page.getByRole('complementary').getByRole('link', { name: 'Me', exact: true }));
  await journey.click(page.getByRole('button', { name: 'Test Request (get /v2/me)' }));
  await journey.click(page.getByRole('button', { name: 'Send get request to' }));
  const response = page.getByRole('dialog').getByRole('region', { name: 'Response' });
  await journey.wait(() => response.getByText('olive@example.com').waitFor());
}

/** The requests are the app's, so that no step of the person sends them. */
async function findCauses(journey: Journey, page: Page, { id, secret }: App): Promise<void> {
  const usual = { grant_type: 'authorization_code', code: 'made-up', redirect_uri: 'http://localhost:9/' };
  const wrong = [
    { ...usual, client_secret: 'wrong' },
    { ...usual, client_secret: secret },
    { grant_type: 'refresh_token', refresh_token: 'made-up', client_secret: secret },
  ];
  await page.goto('/');
  for (const fields of wrong)
    await page.request.post('/v2/auth/oauth2/token', { form: { client_id: id, ...fields } });
  await openMain(journey, page, 'Developer');
  await journey.click(page.getByRole('link', { name: 'Tidy Week' }));
  await journey.click(page.getByRole('link', { name: 'Failed requests' }));
  for (const cause of [/secret/, /code/, /refresh token/])
    await journey.wait(() => page.locator('summary strong', { hasText: cause }).first().waitFor());
}

async function removeAccess(journey: Journey, page: Page): Promise<void> {
  await openMain(journey, page, 'Apps');
  await journey.click(page.getByRole('button', { name: 'Remove access' }));
  await untilSaid(journey, page, 'No connected apps');
}

async function getLink(journey: Journey, page: Page, appUrl: string): Promise<string> {
  await journey.open(page, appUrl);
  await signUp(journey, page, 'Nia Newcomer');
  await journey.click(page.getByRole('button', { name: 'Copy Your booking link' }));
  return page.locator('main code').first().innerText();
}

async function bookByLink(journey: Journey, page: Page, link: string): Promise<void> {
  await journey.follow(page, link);
  await journey.click(page.locator('main a').first());
  await book(journey, page, 'Robin Visitor');
}

async function book(journey: Journey, visitor: Page, name: string): Promise<void> {
  await journey.click(visitor.locator('#times li a').first());
  await journey.type(visitor.getByLabel('Name'), name);
  await journey.type(visitor.getByLabel('Email'), `${name.replace(/ .*/, '').toLowerCase()}@example.org`);
  await journey.click(visitor.getByRole('button', { name: 'Book' }));
  await journey.wait(() => visitor.waitForURL(/\/booking\//));
}

async function change(journey: Journey, visitor: Page): Promise<void> {
  await journey.click(visitor.getByRole('link', { name: 'Reschedule' }));
  await journey.click(visitor.locator('#times li a').last());
  await journey.click(visitor.getByRole('button', { name: 'Reschedule' }));
  await untilSaid(journey, visitor, 'Rescheduled from');
  await journey.click(visitor.getByRole('link', { name: 'Cancel booking' }));
  await journey.click(visitor.getByRole('button', { name: 'Cancel booking' }));
  await journey.wait(() => visitor.getByRole('link', { name: 'Book another time' }).waitFor());
}

async function setLinkAndJoin(journey: Journey, host: Page, visitor: Page): Promise<void> {
  await host.goto('/');
  await journey.click(host.getByRole('link', { name: 'Say where you meet' }));
  await journey.choose(host.getByLabel('Where'), 'Online, at this link');
  await journey.type(host.getByRole('textbox', { name: 'Link', exact: true }), 'https://meet.example/nia');
  await journey.click(host.getByRole('button', { name: 'Save event type' }));
  await untilSaid(journey, host, 'Event type saved.');
  const address = await host.getByRole('link', { name: 'View booking page' }).getAttribute('href');
  await journey.paste(() => visitor.goto(address ?? ''));
  await book(journey, visitor, 'Jo Joiner');
  // Nobody answers there: it counts that the button leads to the meeting.
  const asked = visitor.waitForRequest('https://meet.example/nia');
  await visitor.route('https://meet.example/**', (route) => route.fulfill({ body: 'Welcome' }));
  await journey.click(visitor.getByRole('link', { name: 'Join' }).first());
  await journey.click(visitor.getByRole('link', { name: 'Continue to meet.example' }));
  await journey.wait(() => asked);
}

async function reschedule(journey: Journey, host: Page): Promise<void> {
  await openMain(journey, host, 'Bookings');
  await journey.click(host.getByRole('link', { name: 'Jo Joiner', exact: true }));
  await journey.click(host.getByRole('link', { name: 'Reschedule' }));
  await journey.click(host.locator('#times li a').last());
  await journey.click(host.getByRole('button', { name: 'Reschedule' }));
  await journey.wait(() => host.waitForURL(/\/bookings\/[0-9a-f]{32}$/));
}

async function setHours(journey: Journey, host: Page): Promise<void> {
  await openMain(journey, host, 'Availability');
  await journey.click(host.getByRole('link', { name: 'Working hours' }));
  await journey.type(host.getByLabel('Monday to'), '12:00');
  await journey.click(host.getByRole('button', { name: 'Add hours on Monday' }));
  await journey.type(host.getByLabel('Monday from').nth(1), '13:00');
  await journey.type(host.getByLabel('Monday to').nth(1), '17:00');
  await journey.click(host.getByRole('button', { name: 'Copy hours of Monday' }));
  await journey.click(host.getByRole('button', { name: 'Add date' }));
  const nextYear = new Date().getFullYear() + 1;
  await journey.type(host.getByLabel('Date 1', { exact: true }), `${nextYear}-12-24`);
  await journey.click(host.getByRole('button', { name: 'Save schedule' }));
  await untilSaid(journey, host, 'Schedule saved.');
}

async function askQuestions(journey: Journey, host: Page): Promise<void> {
  await openMain(journey, host, 'Event types');
  await journey.click(host.getByRole('link', { name: 'Create event type' }));
  await journey.type(host.getByLabel('Title'), 'First call');
  await journey.click(host.getByRole('button', { name: 'Create event type' }));
  await journey.click(host.getByRole('link', { name: 'Questions' }));
  await journey.click(host.getByRole('button', { name: 'Add question' }));
  await journey.type(host.getByLabel('Question 1', { exact: true }), 'What is it about?');
  await journey.click(host.getByRole('button', { name: 'Add question' }));
  await journey.type(host.getByLabel('Question 2', { exact: true }), 'Which day suits you?');
  await journey.choose(host.getByLabel('Answer', { exact: true }).nth(1), 'Dropdown');
  await journey.type(host.getByLabel('Options, one per line').nth(1), 'Tuesday\nFriday');
  await journey.click(host.getByRole('button', { name: 'Save event type' }));
  await untilSaid(journey, host, 'Event type saved.');
}

async function connectCalendar(journey: Journey, host: Page, stack: AsyncDisposableStack): Promise<void> {
  const feed = await startFeed('Europe/Berlin');
  stack.defer(() => feed.close());
  await host.goto('/');
  await journey.click(host.getByRole('link', { name: 'Connect a calendar' }));
  await journey.click(host.getByRole('link', { name: 'Google Calendar' }));
  await journey.paste(() => host.getByLabel('Address').first().fill(feed.url));
  await journey.click(host.getByRole('button', { name: 'Connect calendar' }));
  await untilSaid(journey, host, 'Calendar connected.');
}

async function takeTurns(journey: Journey, host: Page, member: Page): Promise<void> {
  await openSettings(journey, host, 'Teams');
  await journey.click(host.getByRole('link', { name: 'Create team' }).first());
  await journey.type(host.getByLabel('Name', { exact: true }), 'Garden Club');
  await journey.click(host.getByRole('button', { name: 'Create team' }));
  await journey.type(host.getByLabel('Email address'), 'milo@example.com');
  await journey.click(host.getByRole('button', { name: 'Create invitation' }));
  const link = await host.locator('code', { hasText: '/invitations/' }).first().innerText();
  await journey.paste(() => member.goto(link));
  await signUp(journey, member, 'Milo Member');
  await journey.click(member.getByRole('button', { name: 'Accept invitation' }));
  await untilSaid(journey, member, 'You joined Garden Club.');
  await journey.click(host.getByRole('link', { name: 'Create event type' }));
  await journey.type(host.getByLabel('Title'), 'Advice');
  await journey.click(host.getByRole('button', { name: 'Create event type' }));
  await untilSaid(journey, host, 'Event type created.');
}

async function testWebhook(journey: Journey, page: Page, stack: AsyncDisposableStack): Promise<void> {
  const address = await serve(stack, () => 'Thank you');
  await openSettings(journey, page, 'Webhooks');
  await journey.click(page.getByRole('link', { name: 'Create webhook' }));
  await journey.type(page.getByLabel('URL'), address);
  await journey.click(page.getByRole('checkbox').first());
  await journey.click(page.getByRole('button', { name: 'Create webhook' }));
  await journey.click(page.getByRole('button', { name: 'Send test event' }));
  await untilSaid(journey, page, 'Event sent. Its result is below.');
}

async function callByScript(journey: Journey, host: Page): Promise<void> {
  await openSettings(journey, host, 'Personal tokens');
  await journey.click(host.getByRole('link', { name: 'New token' }));
  await journey.type(host.getByLabel('Name', { exact: true }), 'Backup script');
  await journey.click(host.getByRole('radio', { name: /^Full access/ }));
  await journey.click(host.getByRole('button', { name: 'Create token' }));
  const command = await host.locator('code', { hasText: 'curl' }).innerText();
  const shell = openShell();
  await journey.paste(async () => {
    await shell.enter(command);
    await shell.until(/"name":"Nia Newcomer"/);
  });
  shell.close();
}

/** The app knows the issuer, its ID and its secret; the review is no step of the developer. */
async function offerSignIn(
  journey: Journey,
  developer: Page,
  operator: Page,
  appUrl: string,
  stack: AsyncDisposableStack,
): Promise<string> {
  let greet = async (_path: string): Promise<string> => 'Not ready';
  const address = await serve(stack, (path) => greet(path));
  const redirect_uri = `${address}callback`;
  const described = ['Tidy Desk', 'Signs people in.', redirect_uri] as const;
  const app = await register(journey, developer, described, /^Sign-in only/);
  await operator.goto(`/settings/admin/oauth/${app.id}`);
  await operator.getByRole('button', { name: /^Approve/ }).click();
  await operator.getByRole('status').waitFor();
  await journey.paste(async () => {
    const config = await openid.discovery(new URL(appUrl), app.id, app.secret, undefined, {
      execute: [openid.allowInsecureRequests],
    });
    const checks = { pkceCodeVerifier: openid.randomPKCECodeVerifier(), expectedNonce: openid.randomNonce() };
    const start = openid.buildAuthorizationUrl(config, {
      ...{ redirect_uri, scope: 'openid profile email', nonce: checks.expectedNonce },
      code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    greet = async (path) => {
      if (!path.startsWith('/callback')) return `<a href="${start.href}">Sign in with Latchkey</a>`;
      const cameBackTo = new URL(path, redirect_uri);
      const tokens = await openid.authorizationCodeGrant(config, cameBackTo, checks);
      return `Hello, ${String(tokens.claims()?.['name'])}`;
    };
  });
  return address;
}

async function signInWithLatchkey(journey: Journey, person: Page, address: string): Promise<void> {
  await journey.open(person, address);
  await journey.click(person.getByRole('link', { name: 'Sign in with Latchkey' }));
  await journey.type(person.getByLabel('Email address'), 'nia@example.com');
  await journey.type(person.getByLabel('Password'), password);
  await journey.click(person.getByRole('button', { name: 'Sign in', exact: true }));
  await journey.wait(() => person.getByRole('button', { name: 'Allow' }).waitFor());
  await journey.click(person.getByRole('button', { name: 'Allow' }));
  await untilSaid(journey, person, 'Hello, Nia Newcomer');
}

async function usePasskey(journey: Journey, page: Page): Promise<void> {
  await addDevice(page);
  await openSettings(journey, page, 'Security');
  await journey.click(page.getByRole('link', { name: 'Add passkey' }));
  await journey.click(page.getByRole('button', { name: 'Add passkey' }));
  await journey.click(page.getByRole('link', { name: 'Done' }));
  await journey.click(page.locator('.menu-button'));
  await journey.click(page.getByRole('button', { name: 'Sign out' }));
  await journey.click(page.getByRole('link', { name: 'Sign in' }).first());
  await journey.click(page.getByRole('link', { name: 'Sign in with a passkey' }));
  await journey.click(page.getByRole('button', { name: 'Use passkey' }));
  await journey.wait(() => page.locator('.menu-button', { hasText: 'Nia Newcomer' }).waitFor());
}

await main();
