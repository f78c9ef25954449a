import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { allowButton, connectLink, signInOn } from '../support/journey.ts';
import { makeDirectoryForFile } from '../support/temporary-directory.ts';

const browser = await openBrowser();
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Demo {
  readonly process: ChildProcess;
  readonly temporaryDirectory: string;
  /** What it has printed so far: all of the banner, and emails. */
  readonly text: string;
}

/** Starts the demo as `npm run demo` does. */
async function startDemo(environment: Readonly<Record<string, string>>): Promise<Demo> {
  const temporaryDirectory = await makeDirectoryForFile();
  const demo = spawn(process.execPath, ['examples/demo/demo.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], TMPDIR: temporaryDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterAll(() => void demo.kill('SIGKILL'));
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  demo.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.includes('with any port.')) resolve();
  });
  demo.once('exit', () => reject(new Error(`the demo ended without saying what to open: ${text}`)));
  await ready;
  return {
    process: demo,
    temporaryDirectory,
    get text() {
      return text;
    },
  };
}

/** What stands behind a label in the printed text. */
function readPrinted(text: string, label: string): string {
  const [, value] = new RegExp(`${label} {2,}(.+)`).exec(text) ?? [];
  if (value === undefined) throw new Error(`nothing is printed for ${label}`);
  return value;
}

// A start takes seconds, so that all tests share two demos; each ends its own.
const port = await findFreePort();
const dataDirectory = await makeDirectoryForFile();
/** With an environment that belongs to another installation. */
const first = await startDemo({
  PORT: String(port),
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  DATA_DIR: dataDirectory,
});
const second = await startDemo({ PORT: String(port) });
const addresses = [first, second].flatMap(({ text }) => [
  readPrinted(text, 'Latchkey itself'),
  readPrinted(text, 'Open the example app'),
]);
const answers = await Promise.all(addresses.map((address) => fetch(address)));

test('npm run demo prints what to open; its sign-in connects the example app; SIGTERM leaves nothing behind', async () => {
  const { text, temporaryDirectory } = first;
  const latchkeyUrl = readPrinted(text, 'Latchkey itself');
  const exampleUrl = readPrinted(text, 'Open the example app');
  const email = readPrinted(text, 'Sign in as');
  const password = readPrinted(text, 'with the password');
  const page = await openPage(browser, { origins: [latchkeyUrl, exampleUrl] });

  await page.goto(exampleUrl);
  await connectLink(page).click();
  await signInOn(page, { email, password });
  await allowButton(page).click();
  await page.waitForURL(`${exampleUrl}/?done=connected`);
  const profile = await page.locator('dl').innerText();
  const bookings = await page.locator('#bookings li').allInnerTexts();
  await page.getByRole('link', { name: 'Book A talk' }).click();
  const times = await page.locator('option').allInnerTexts();
  const filesMeanwhile = await readdir(temporaryDirectory);
  const exited = once(first.process, 'exit');
  first.process.kill('SIGTERM');
  const [code] = await exited;

  // What stands in the log of an installation is no news about a demo.
  expect(text).toMatch(/^\nLatchkey's demo is running\./);
  expect(latchkeyUrl).toBe(`http://localhost:${port}`);
  expect(profile).toContain(email);
  expect(bookings.map((text) => text.split(' between ')[0])).toEqual([
    'A talk',
    'A visit to the garden',
    'A talk',
    'Advice on plants',
  ]);
  expect(bookings.filter((text) => text.includes('to be confirmed'))).toHaveLength(1);
  // Lunch stands in the calendar elsewhere.
  expect(times.filter((time) => /1[13]:/.test(time)).length).toBeGreaterThan(0);
  expect(times.filter((time) => time.includes('12:'))).toEqual([]);
  expect(filesMeanwhile).toEqual([expect.stringMatching('^latchkey-demo-')]);
  expect(code).toBe(0);
  expect(await readdir(temporaryDirectory)).toEqual([]);
  expect(await readdir(dataDirectory)).toEqual([]);
});

test('the demo books at the printed address and prints the email with its private link; a second SIGINT does not stop it from cleaning up', async () => {
  const { text: banner, temporaryDirectory } = second;
  const [, bookingPage = ''] = /as anyone can: (\S+)/.exec(banner) ?? [];
  const page = await openPage(browser, { origins: [new URL(bookingPage).origin] });

  await page.goto(bookingPage);
  await page.getByRole('link', { name: 'A talk' }).click();
  await page.getByRole('navigation', { name: 'Months' }).getByRole('link').last().click();
  await page.locator('.month a').first().click();
  await page.locator('#times .times a').first().click();
  await page.getByLabel('Name').fill('Dana');
  await page.getByLabel('Email').fill('dana@example.com');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByText('You’re booked with').waitFor();
  const printedLink = (): string | undefined => /\S+\/booking\/\S+/.exec(second.text)?.[0];
  await expect.poll(printedLink).toBeDefined();
  await page.goto(printedLink() ?? '');
  const cancelLinks = await page.getByRole('link', { name: 'Cancel booking' }).count();
  const exited = once(second.process, 'exit');
  second.process.kill('SIGINT');
  second.process.kill('SIGINT');
  const [code] = await exited;

  expect(banner).not.toContain('Email to');
  expect(second.text).toContain('Email to dana@example.com: Booked: A talk between Demo Person and Dana');
  expect(cancelLinks).toBe(1);
  expect(code).toBe(0);
  expect(await readdir(temporaryDirectory)).toEqual([]);
});

test('a second demo takes the next free ports', () => {
  expect(new Set(addresses).size).toBe(4);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
