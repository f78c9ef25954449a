import { expect, test } from 'vitest';
import { english, type Words } from '../../src/platform/words.ts';
import { findFaults, findPhoneFaults } from '../flows/axe.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { openTestSite } from '../support/site.ts';
import { listPages } from '../whole/every-page.ts';
import { pseudo, speak, wordsIn } from './pseudo-language.ts';

const service = await openTestSite();
const browser = await openBrowser();

type Find = (page: Awaited<ReturnType<typeof openPage>>) => Promise<readonly string[]>;

/** Shows every page that is in the language, without a request for each. */
async function findOn(words: Words, find: Find) {
  speak(english);
  const pages = await listPages(service);
  speak(words);
  const page = await openPage(browser, { origins: [service.appUrl] });
  await page.goto(`${service.appUrl}/signin`);
  const faults: string[] = [];
  let count = 0;
  for (const { name, show } of pages) {
    const { body } = await show();
    if (!body.includes(`<html lang="${words.tag}"`)) continue;
    count += 1;
    await page.setContent(body.replaceAll(/<script.*?<\/script>|<meta http-equiv[^>]*>/gs, ''));
    faults.push(...(await find(page)).map((fault) => `${name}, ${fault}`));
  }
  expect(count).toBeGreaterThan(30);
  return faults;
}

const patient = { timeout: 180_000 } as const;

test.each([
  ['the pseudo-language, which is longer', pseudo],
  ['German', await wordsIn('de')],
  ['Japanese', await wordsIn('ja')],
  ['Arabic', await wordsIn('ar')],
])('translated pages fit phones of 320 and 390 px in %s', patient, async (_name, words) => {
  expect(await findOn(words, findPhoneFaults)).toEqual([]);
});

test('pages from right to left have no fault for axe, and fit (WCAG 2.2)', patient, async () => {
  expect(await findOn(await wordsIn('ar'), findFaults)).toEqual([]);
});
