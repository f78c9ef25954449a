import { expect, test } from 'vitest';
import { openBrowser, sharePage } from '../support/browser.ts';
import { openAs } from '../support/groups.ts';
import { openTestSite } from '../support/site.ts';
import { listDeletions } from '../whole/deletions.ts';
import { listPages } from '../whole/every-page.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const openShared = sharePage(browser, { origins: [service.appUrl] });

const pages: (readonly [string, string])[] = [];
// One after the other: one of them is the page of an outage.
for (const { name, show } of await listPages(service)) {
  const { body, headers } = await show();
  if (`${headers['content-type']}`.startsWith('text/html')) pages.push([name, body]);
}
for (const [name, cookie, place, action] of await listDeletions(service)) {
  const page = await openAs(service, `${place}${action}`, cookie);
  if (page.statusCode === 200) pages.push([`the page that deletes ${name}`, page.body]);
}

/** Nothing asks for a page again, everything is open, and names and addresses are as long as they may be, without a place to break. */
const widen = (html: string): string =>
  html
    .replaceAll(/<meta http-equiv[^>]*>|<script[^>]*\/live\.[^>]*><\/script>/g, '')
    .replaceAll(/<details(?! open)/g, '<details open')
    .replaceAll(/Test (?:user|client)[ -]\w+|Tid(?:y|ier) \w+/g, 'W'.repeat(80))
    .replaceAll('app.example/callback', `${'long-'.repeat(10)}name.example/${'path'.repeat(100)}`);

const parts = 12;

test.each(Array.from({ length: parts }, (_, part) => part + 1))(
  'axe finds nothing on any page, whatever is open on it, and nothing is cut off: 320 and 1280 px, light and dark, part %i (WCAG 2.2 AA)',
  { timeout: 120_000 },
  async (part) => {
    const page = await openShared();
    await page.goto(`${service.appUrl}/signin`);
    const faults: string[] = [];
    for (const [name, html] of pages.filter((_, index) => index % parts === part - 1)) {
      await page.setContent(widen(html));
      faults.push(...(await findFaults(page)).map((fault) => `${name}, ${fault}`));
    }

    expect(faults).toEqual([]);
  },
);
