import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { allowButton, connectLink, signInOn } from '../support/journey.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const browser = await openBrowser();
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Demo {
  readonly process: ChildProcess;
  /** What it has printed so far: all of the banner, and emails. */
  readonly text: string;
}

/** Starts the demo as `npm run demo` does, with an environment that belongs to another installation. */
async function startDemo(
  temporaryDirectory: string,
  environment: Readonly<Record<string, string>>,
): Promise<Demo> {
  const demo = spawn(process.execPath, ['examples/demo/demo.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], TMPDIR: temporaryDirectory, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void demo.kill('SIGKILL'));
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

test('npm run demo prints what to open; its sign-in connects the example app; SIGTERM leaves nothing behind', async () => {
  const temporaryDirectory = await makeTemporaryDirectory();
  const dataDirectory = await makeTemporaryDirectory();
  const port = await findFreePort();
  const demo = await startDemo(temporaryDirectory, {
    PORT: String(port),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATA_DIR: dataDirectory,
  });
  const latchkeyUrl = readPrinted(demo.text, 'Latchkey itself');
  const exampleUrl = readPrinted(demo.text, 'Open the example app');
  const email = readPrinted(demo.text, 'Sign in as');
  const password = readPrinted(demo.text, 'with the password');
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
  const exited = once(demo.process, 'exit');
  demo.process.kill('SIGTERM');
  const [code] = await exited;

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

test('the demo books at the printed address, and prints the email with its private link', async () => {
  const demo = await startDemo(await makeTemporaryDirectory(), { PORT: String(await findFreePort()) });
  const [, bookingPage = ''] = /as anybody can: (\S+)/.exec(demo.text) ?? [];
  const banner = demo.text;
  const page = await openPage(browser, { origins: [new URL(bookingPage).origin] });

  await page.goto(bookingPage);
  await page.getByRole('link', { name: 'A talk' }).click();
  await page.getByRole('navigation', { name: 'Months' }).getByRole('link').last().click();
  await page.locator('.month a').first().click();
  await page.locator('#times .times a').first().click();
  await page.getByLabel('Name').fill('Dana');
  await page.getByLabel('Email').fill('dana@example.com');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByText('You’re booked.').waitFor();
  const printedLink = (): string | undefined => /\S+\/booking\/\S+/.exec(demo.text)?.[0];
  await expect.poll(printedLink).toBeDefined();
  await page.goto(printedLink() ?? '');

  expect(banner).not.toContain('Email to');
  expect(demo.text).toContain('Email to dana@example.com: Booked: A talk between Demo Person and Dana');
  expect(await page.getByRole('link', { name: 'Cancel booking' }).count()).toBe(1);
});

test('a second demo takes the next free ports, and a second SIGINT does not stop it from cleaning up', async () => {
  const temporaryDirectory = await makeTemporaryDirectory();
  const port = String(await findFreePort());
  const first = await startDemo(temporaryDirectory, { PORT: port });
  const second = await startDemo(temporaryDirectory, { PORT: port });
  const addresses = [first, second].flatMap(({ text }) => [
    readPrinted(text, 'Latchkey itself'),
    readPrinted(text, 'Open the example app'),
  ]);
  const answers = await Promise.all(addresses.map((address) => fetch(address)));
  const exited = Promise.all([first, second].map((demo) => once(demo.process, 'exit')));
  for (const demo of [first, second]) demo.process.kill('SIGINT');
  for (const demo of [first, second]) demo.process.kill('SIGINT');
  const codes = (await exited).map(([code]) => code);

  expect(new Set(addresses).size).toBe(4);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(codes).toEqual([0, 0]);
  expect(await readdir(temporaryDirectory)).toEqual([]);
});
