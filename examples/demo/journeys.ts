import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as openid from 'openid-client';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { findChromium } from '../../tests/support/chromium.ts';
import { findFreePort } from './ports.ts';

/** Seconds are those of the keystroke-level model (Card, Moran and Newell, 1980). */
const seconds = { think: 1.35, move: 1.5, click: 0.2, key: 0.28 } as const;

class Journey {
  steps = 0;
  #person = 0;
  #machine = 0;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }

  async #step(inSeconds: number, action: () => Promise<unknown>): Promise<void> {
    const start = performance.now();
    await action();
    this.#machine += (performance.now() - start) / 1000;
    this.steps += 1;
    this.#person += seconds.think + inSeconds;
  }

  open = (page: Page, url: string): Promise<void> =>
    this.#step(seconds.move + url.length * seconds.key, () => page.goto(url));
  /** A link takes one click, unlike `open`. */
  follow = (page: Page, url: string): Promise<void> =>
    this.#step(seconds.move + seconds.click, () => page.goto(url));
  click = (target: Locator): Promise<void> => this.#step(seconds.move + seconds.click, () => target.click());
  type = (target: Locator, text: string): Promise<void> =>
    this.#step(seconds.move + text.length * seconds.key, () => target.fill(text));
  /** A paste includes the copying and what follows from both. */
  paste = (action: () => Promise<unknown>): Promise<void> =>
    this.#step(2 * (seconds.move + seconds.click + 2 * seconds.key), action);
  /** A page that comes and a program that starts are no steps of the person. */
  async wait<T>(action: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await action();
    this.#machine += (performance.now() - start) / 1000;
    return result;
  }

  line(): string {
    const [person, machine] = [this.#person, this.#machine].map((value) => value.toFixed(0));
    return `| ${this.name} | ${this.steps} | ${person} | ${machine} |\n`;
  }
}

const password = 'a few words of my own';

/** Prints the steps and seconds of the journeys. A dead end is an error. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-journeys-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const browser = await chromium.launch({ ...(await findChromium()), args: ['--no-sandbox'] });
  stack.defer(() => browser.close());
  const open = (): Promise<Page> => openPage(browser);
  const [operator, developer, newcomer, joined, hours, asking, team, moving, script, offering, entering] = [
    new Journey('Operator: from `npm start` to a reviewed app'),
    new Journey('Developer: from sign-up to a token'),
    new Journey('Newcomer: from sign-up to being booked'),
    new Journey('Host and visitor: a link is set, booked and joined'),
    new Journey('Host: a schedule with a lunch break and a day off'),
    new Journey('Host: an event type with two questions'),
    new Journey('Team: created, and joined by a copied link'),
    new Journey('Host: a booking is rescheduled'),
    new Journey('Script: a personal token, and a first call with it'),
    new Journey('Developer: an app that signs people in'),
    new Journey('Person: signs in to an app with Latchkey'),
  ];
  const port = await findFreePort(3900);
  const appUrl = `http://localhost:${port}`;
  const server = await operator.wait(() => startServer(port, directory));
  stack.defer(() => stop(server));

  const operatorPage = await open();
  await operator.open(operatorPage, appUrl);
  await signUp(operator, operatorPage, 'Olive Operator');

  const developerPage = await open();
  await developer.open(developerPage, appUrl);
  await signUp(developer, developerPage, 'Dara Developer');
  const secret = await register(developer, developerPage);

  // The home page says that an app waits.
  await operator.follow(operatorPage, appUrl);
  await operator.click(operatorPage.getByRole('link', { name: 'Review apps' }));
  await operator.click(operatorPage.getByRole('link', { name: 'Tidy Week' }));
  await operator.click(operatorPage.getByRole('button', { name: /^Approve/ }));
  await operator.wait(() => operatorPage.getByRole('status').waitFor());

  await getToken(developer, developerPage, secret);
  const host = await getBooked(newcomer, open, appUrl);
  await setLinkAndJoin(joined, host, open);
  await reschedule(moving, host, appUrl);
  await setHours(hours, host, appUrl);
  await askQuestions(asking, host, appUrl);
  await joinTeam(team, host, open, appUrl);
  await callByScript(script, host, appUrl);
  const signInApp = await offerSignIn(offering, developerPage, operatorPage, appUrl);
  stack.defer(() => void signInApp.server.close());
  await signInWithLatchkey(entering, await open(), signInApp.address);
  process.stdout.write(
    `| Journey | Steps | Seconds of a person who knows the way | Seconds of waiting |\n|---|---|---|---|\n${[newcomer, developer, operator, joined, hours, asking, team, moving, script, offering, entering].map((journey) => journey.line()).join('')}`,
  );
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin' });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return page;
}

async function startServer(port: number, directory: string): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: directory, LOG_LEVEL: 'warn' };
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

async function signUp(journey: Journey, page: Page, name: string): Promise<void> {
  await journey.click(page.getByRole('link', { name: 'Create account' }).first());
  await journey.type(page.getByLabel('Name', { exact: true }), name);
  await journey.type(
    page.getByLabel('Email address'),
    `${name.replace(/ .*/, '').toLowerCase()}@example.com`,
  );
  await journey.type(page.getByLabel('Password'), password);
  await journey.click(page.getByRole('button', { name: 'Create account' }));
  await journey.wait(() => page.waitForURL(/\/$/));
}

/** Beginners register an address at which nothing listens. */
async function register(journey: Journey, page: Page): Promise<string> {
  await journey.click(page.getByRole('link', { name: 'Developer' }).first());
  await journey.click(page.getByRole('link', { name: 'Register app' }).first());
  await journey.type(page.getByLabel('Name', { exact: true }), 'Tidy Week');
  await journey.type(page.getByLabel('Purpose'), 'Keeps the week in order.');
  await journey.type(page.getByLabel('Redirect URIs'), 'http://localhost:9/callback');
  await journey.click(page.getByRole('button', { name: 'Register app' }));
  return page.locator('#client_secret').innerText();
}

/** The quickstart's second step prints the tokens. */
async function getToken(journey: Journey, page: Page, secret: string): Promise<void> {
  await journey.click(page.getByRole('link', { name: 'Open quickstart' }));
  const [authorize = '', exchange = ''] = await page.locator('.steps pre').allInnerTexts();
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
  shell.close();
}

function openShell() {
  const child = spawn('bash', [], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return {
    enter: async (text: string): Promise<void> => void child.stdin.write(`${text}\n`),
    close: (): void => void child.stdin.end(),
    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(printed);
        if (found !== null) return found;
        if (child.exitCode !== null) throw new Error(`the shell ended after: ${printed}`);
        await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
      }
    },
  };
}

/** The words of an outcome are there once all is saved. */
const untilSaid = (journey: Journey, page: Page, words: string): Promise<void> =>
  journey.wait(() => page.getByText(words).first().waitFor());

async function setLinkAndJoin(journey: Journey, host: Page, open: () => Promise<Page>): Promise<void> {
  await journey.click(host.getByRole('link', { name: 'Say where you meet' }));
  await journey.click(host.getByLabel('Where'));
  await host.getByLabel('Where').selectOption('Online, at this link');
  await journey.type(host.getByLabel('Address, link or number'), 'https://meet.example/nia');
  await journey.click(host.getByRole('button', { name: 'Save event type' }));
  await untilSaid(journey, host, 'Event type saved.');
  const visitor = await open();
  const address = await host.getByRole('link', { name: 'View booking page' }).getAttribute('href');
  await journey.paste(() => visitor.goto(new URL(address ?? '', host.url()).href));
  await book(journey, visitor, 'Jo Joiner');
  // Nobody answers there: it counts that the button leads to the meeting.
  const asked = visitor.waitForRequest('https://meet.example/nia');
  await visitor.route('https://meet.example/**', (route) => route.fulfill({ body: 'Welcome' }));
  await journey.click(visitor.getByRole('link', { name: 'Join' }).first());
  await journey.wait(() => asked);
}

async function reschedule(journey: Journey, host: Page, appUrl: string): Promise<void> {
  await journey.follow(host, `${appUrl}/bookings`);
  await journey.click(host.getByRole('link', { name: 'Jo Joiner' }));
  await journey.click(host.getByRole('link', { name: 'Reschedule' }));
  await journey.click(host.locator('#times li a').last());
  await journey.click(host.getByRole('button', { name: 'Reschedule' }));
  await journey.wait(() => host.waitForURL(/\/bookings\/[0-9a-f]{32}$/));
}

async function setHours(journey: Journey, host: Page, appUrl: string): Promise<void> {
  await journey.follow(host, `${appUrl}/settings/availability`);
  await journey.click(host.getByRole('link', { name: 'Working hours' }));
  await journey.type(host.getByLabel('Monday to'), '12:00');
  await journey.click(host.getByRole('button', { name: 'Add hours on Monday' }));
  await journey.type(host.getByLabel('Monday from').nth(1), '13:00');
  await journey.type(host.getByLabel('Monday to').nth(1), '17:00');
  await journey.click(host.getByRole('button', { name: 'Copy to all days from Monday' }));
  await journey.click(host.getByRole('checkbox', { name: 'Saturday' }));
  await journey.click(host.getByRole('checkbox', { name: 'Sunday' }));
  await journey.click(host.getByRole('button', { name: 'Add date' }));
  const nextYear = new Date().getFullYear() + 1;
  await journey.type(host.getByLabel('Date 1', { exact: true }), `${nextYear}-12-24`);
  await journey.click(host.getByRole('button', { name: 'Save schedule' }));
  await untilSaid(journey, host, 'Schedule saved.');
}

async function askQuestions(journey: Journey, host: Page, appUrl: string): Promise<void> {
  await journey.follow(host, `${appUrl}/settings/event-types`);
  await journey.click(host.getByRole('link', { name: 'Create event type' }));
  await journey.type(host.getByLabel('Title'), 'First call');
  await journey.click(host.getByRole('button', { name: 'Create event type' }));
  await journey.click(host.getByRole('link', { name: 'Questions' }));
  await journey.click(host.getByRole('button', { name: 'Add question' }));
  await journey.type(host.getByLabel('Question 1', { exact: true }), 'What is it about?');
  await journey.click(host.getByRole('button', { name: 'Add question' }));
  await journey.type(host.getByLabel('Question 2', { exact: true }), 'Which day suits you?');
  await journey.click(host.getByLabel('Answer', { exact: true }).nth(1));
  await host.getByLabel('Answer', { exact: true }).nth(1).selectOption('One of a list');
  await journey.type(host.getByLabel('Options, one per line').nth(1), 'Tuesday\nFriday');
  await journey.click(host.getByRole('button', { name: 'Save event type' }));
  await untilSaid(journey, host, 'Event type saved.');
}

async function joinTeam(
  journey: Journey,
  host: Page,
  open: () => Promise<Page>,
  appUrl: string,
): Promise<void> {
  await journey.follow(host, `${appUrl}/settings/teams`);
  await journey.click(host.getByRole('link', { name: 'Create team' }).first());
  await journey.type(host.getByLabel('Name', { exact: true }), 'Garden Club');
  await journey.click(host.getByRole('button', { name: 'Create team' }));
  await journey.type(host.getByLabel('Email address'), 'milo@example.com');
  await journey.click(host.getByRole('button', { name: 'Create invitation' }));
  const link = await host.locator('code', { hasText: '/invitations/' }).first().innerText();
  const member = await open();
  await journey.open(member, appUrl);
  await signUp(journey, member, 'Milo Member');
  await journey.paste(() => member.goto(link));
  await journey.click(member.getByRole('button', { name: /^(Join|Accept)/ }));
  await untilSaid(journey, member, 'You joined Garden Club.');
}

async function callByScript(journey: Journey, host: Page, appUrl: string): Promise<void> {
  await journey.follow(host, `${appUrl}/settings/tokens`);
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
async function offerSignIn(journey: Journey, developer: Page, operator: Page, appUrl: string) {
  const port = await findFreePort(4900);
  const redirect_uri = `http://localhost:${port}/callback`;
  await journey.follow(developer, `${appUrl}/settings/developer/oauth/new`);
  await journey.type(developer.getByLabel('Name', { exact: true }), 'Tidy Desk');
  await journey.type(developer.getByLabel('Purpose'), 'Signs people in.');
  await journey.type(developer.getByLabel('Redirect URIs'), redirect_uri);
  for (const scope of ['openid', 'profile', 'email'])
    await journey.click(developer.locator(`input[name="scopes"][value="${scope}"]`));
  await journey.click(developer.getByRole('button', { name: 'Register app' }));
  const secret = await developer.locator('#client_secret').innerText();
  const id = developer.url().split('/').at(-1)?.split('?')[0] ?? '';
  await operator.goto(`${appUrl}/settings/admin/oauth/${id}`);
  await operator.getByRole('button', { name: /^Approve/ }).click();
  await operator.getByRole('status').waitFor();
  const server = createServer();
  await journey.paste(async () => {
    const config = await openid.discovery(new URL(appUrl), id, secret, undefined, {
      execute: [openid.allowInsecureRequests],
    });
    const checks = { pkceCodeVerifier: openid.randomPKCECodeVerifier(), expectedNonce: openid.randomNonce() };
    const start = openid.buildAuthorizationUrl(config, {
      ...{ redirect_uri, scope: 'openid profile email', nonce: checks.expectedNonce },
      code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const greet = async (path: string): Promise<string> => {
      if (!path.startsWith('/callback')) return `<a href="${start.href}">Sign in with Latchkey</a>`;
      const cameBackTo = new URL(path, redirect_uri);
      const tokens = await openid.authorizationCodeGrant(config, cameBackTo, checks);
      return `Hello, ${String(tokens.claims()?.['name'])}`;
    };
    server.on('request', async ({ url = '/' }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(await greet(url).catch(String));
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
  });
  return { server, address: `http://localhost:${port}/` };
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

async function book(journey: Journey, visitor: Page, name: string): Promise<void> {
  await journey.click(visitor.locator('#times li a').first());
  await journey.type(visitor.getByLabel('Name'), name);
  await journey.type(visitor.getByLabel('Email'), `${name.replace(/ .*/, '').toLowerCase()}@example.org`);
  await journey.click(visitor.getByRole('button', { name: 'Book' }));
  await journey.wait(() => visitor.waitForURL(/\/booking\//));
}

async function getBooked(journey: Journey, open: () => Promise<Page>, appUrl: string): Promise<Page> {
  const page = await open();
  await journey.open(page, appUrl);
  await signUp(journey, page, 'Nia Newcomer');
  const link = await page.locator('main code').first().innerText();
  const visitor = await open();
  await journey.paste(() => visitor.goto(link));
  await journey.click(visitor.locator('main a').first());
  await book(journey, visitor, 'Robin Visitor');
  return page;
}

await main();
