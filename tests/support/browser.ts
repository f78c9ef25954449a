import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { findChromium } from './chromium.ts';
import { findMemoryFolder } from './memory-folder.ts';

/** A journey has many steps, and the machine may be busy. */
const journeyTimeoutMs = 60_000;
/** Less than that, so that the step that hangs is named. */
const stepTimeoutMs = 15_000;

const launchArguments = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The sites of the tests are on this machine, and there is no other machine.
  '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE ::1',
] as const;

let browser: Browser | undefined;

/**
 * The worker's Chromium, at the top of a file, whose tests get the time that journeys need. It ends
 * with the worker; what keeps the files apart are the contexts of their pages.
 */
export async function openBrowser(): Promise<Browser> {
  if (browser?.isConnected() !== true) {
    const { executablePath, env } = await findChromium();
    browser = await chromium.launch({
      executablePath,
      env: { ...env, TMPDIR: await findMemoryFolder() },
      args: [...launchArguments],
    });
  }
  vi.setConfig({ testTimeout: journeyTimeoutMs });
  return browser;
}

/** The locale is the browser's and says how a user reads the time; some journeys are about another one. */
const locale = 'en-GB';

export interface PageOptions extends BrowserContextOptions {
  /** Every origin that the journey may touch; for a private-use scheme, `scheme:`. */
  readonly origins: readonly string[];
}

/**
 * A page in a context of its own: another person at another machine. When the test is over it fails if the page asked any other origin
 * for anything (security C19), reported an error, or violated a Content Security Policy.
 */
export async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const { context, faults } = await openContext(browser, options);
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return context.newPage();
}

/**
 * One page for the tests of a file that only look at pages, where a context for each would be
 * processes for each. A test gets it signed out, and fails as with `openPage`.
 */
export function sharePage(browser: Browser, options: PageOptions): () => Promise<Page> {
  let opened: Promise<{ readonly page: Page; readonly faults: string[] }> | undefined;
  async function open() {
    const { context, faults } = await openContext(browser, options);
    return { page: await context.newPage(), faults };
  }
  afterAll(async () => (await opened)?.page.context().close());
  return async () => {
    opened ??= open();
    const { page, faults } = await opened;
    onTestFinished(() => expect(faults.splice(0)).toEqual([]));
    await page.context().clearCookies();
    return page;
  };
}

async function openContext(
  browser: Browser,
  { origins, ...options }: PageOptions,
): Promise<{ readonly context: BrowserContext; readonly faults: string[] }> {
  const context = await browser.newContext({ locale, ...options });
  context.setDefaultTimeout(stepTimeoutMs);
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusalOfPage(message)) faults.push(message.text());
  });
  context.on('weberror', (fault) => faults.push(fault.error().message));
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!origins.includes(origin === 'null' ? protocol : origin))
      faults.push(`${request.method()} ${request.url()}`);
  });
  return { context, faults };
}

/** Chromium calls it an error when a page itself is answered with 400 or 404; that is what such tests are about. */
function isRefusalOfPage(message: ConsoleMessage): boolean {
  const isRefusal = /^Failed to load resource: the server responded with a status of 4\d\d/.test(
    message.text(),
  );
  return isRefusal && message.location().url === message.page()?.url();
}
