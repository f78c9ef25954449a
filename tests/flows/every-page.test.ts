import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { openTestSite } from '../support/site.ts';
import { findPages } from '../whole/found-pages.ts';
import { findFaultsAsShown, variants } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();

/** Nothing asks for a page again, everything is open, and names and addresses are as long as they may be, without a place to break. */
const widen = (html: string): string =>
  html
    .replaceAll(/<meta http-equiv[^>]*>|<script[^>]*\/live\.[^>]*><\/script>/g, '')
    .replaceAll(/<details(?! open)/g, '<details open')
    .replaceAll(/Test (?:user|client)[ -]\w+|Tid(?:y|ier) \w+/g, 'W'.repeat(80))
    .replaceAll('app.example/callback', `${'long-'.repeat(10)}name.example/${'path'.repeat(100)}`);

/** Of pages that differ in words and addresses alone, one is enough. */
const markupOf = (html: string): string =>
  html
    .replaceAll(/>[^<]+</g, '>x<')
    .replaceAll(/ (value|href|action|datetime|content|src|data-copy)="[^"]*"/g, ' $1')
    .replaceAll(/[0-9a-f-]{8,}|\d+/g, '0');

const pages = new Map<string, readonly [name: string, html: string]>();
for (const { name, show } of (await findPages(service)).pages) {
  const { body, headers } = await show();
  if (`${headers['content-type']}`.startsWith('text/html')) pages.set(markupOf(body), [name, widen(body)]);
}

test.each(variants)(
  'axe finds nothing on any page, whatever is open on it, and nothing is cut off: $viewport.width px, $colorScheme (WCAG 2.2 AA)',
  { timeout: 300_000 },
  async (variant) => {
    const page = await openPage(browser, { origins: [service.appUrl], ...variant });
    await page.goto(`${service.appUrl}/signin`);
    const faults: string[] = [];
    for (const [name, html] of pages.values()) {
      await page.setContent(html);
      faults.push(...(await findFaultsAsShown(page)).map((fault) => `${name}, ${fault}`));
    }

    expect(pages.size).toBeGreaterThan(200);
    expect(faults).toEqual([]);
  },
);
