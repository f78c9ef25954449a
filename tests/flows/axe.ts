import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * A small phone by day, a desktop by night. The four combinations of them find no more, as no colour
 * depends on the width.
 */
const variants = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;
/** What holds is not of interest, and takes time to be told. */
const options: RunOptions = { resultTypes: ['violations'] };
/** The rules that look at colours and places. The others say the same of a page in both variants. */
const ofLooks: RunOptions = {
  ...options,
  runOnly: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'],
};

const height = 800;

/** Shorter than `axe.source`, and so sooner on the page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the open page in each variant, and where it is wider than the window; nothing when all is well. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await runAxe(page);
  for (const [index, { width, colorScheme }] of variants.entries()) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const { violations, excess } = await page.evaluate<Found>(index === 0 ? examine : examineAgain);
    const where = `${width} px, ${colorScheme}`;
    for (const { id, nodes } of violations)
      for (const { target } of nodes) faults.push(`${where}: ${id} at ${String(target)}`);
    if (excess > 0) faults.push(`${where}: wider than the window by ${excess} px`);
  }
  return faults;
}

interface Found extends Pick<AxeResults, 'violations'> {
  readonly excess: number;
}

/** In the browser, as text, because there are no types of the DOM here. */
const inBrowser = (violations: string): string => `(async () => {
  const listShown = () => [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility());
  const violations = ${violations};
  const { scrollWidth, clientWidth } = document.documentElement;
  return { violations, excess: scrollWidth - clientWidth };
})()`;

const examine = inBrowser(`await (async () => {
  globalThis.shown = new Set(listShown());
  return (await axe.run(${JSON.stringify(options)})).violations;
})()`);

/** Every rule is asked of what the first variant hid, as the menu of a wide window. */
const examineAgain = inBrowser(`await (async () => {
  const { violations } = await axe.run(${JSON.stringify(ofLooks)});
  const isFirst = (element) => !shown.has(element) && shown.has(element.parentElement);
  const fresh = listShown().filter(isFirst);
  if (fresh.length === 0) return violations;
  return [...violations, ...(await axe.run({ include: fresh }, ${JSON.stringify(options)})).violations];
})()`);

/**
 * Runs axe by `eval`, because V8 keeps the compiled code from page to page. Playwright's own `evaluate`
 * would read the script several times over before it is run.
 */
async function runAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const run = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  };
  const runKept = `(0, eval)(sessionStorage.getItem('axe') ?? ''); typeof axe === 'object'`;
  const isThere = await run(runKept);
  if (isThere !== true) await run(`sessionStorage.setItem('axe', ${JSON.stringify(source)}); ${runKept}`);
  await session.detach();
}

/** Phones, from the smallest that people still have. */
const phoneWidths = [320, 390] as const;

/** Where the open page doesn't fit phones: too wide, the service's name cut off, buttons of many lines, choices cut off though there is room, plain words broken inside. */
export async function findPhoneFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of phoneWidths) {
    await page.setViewportSize({ width, height });
    const found = await page.evaluate<string[]>(measure);
    faults.push(...found.map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

/**
 * In the browser, as text, because there are no types of the DOM here. Addresses, codes and words of
 * more than 18 letters may be broken: they fit no phone. Japanese breaks between any two letters.
 */
const measure = `(() => {
  const faults = [];
  const root = document.documentElement;
  const excess = root.scrollWidth - root.clientWidth;
  if (excess > 0) faults.push('wider than the window by ' + excess + ' px');
  const name = document.querySelector('.brand span');
  if (name !== null && name.scrollWidth > name.clientWidth) faults.push('the name of the service cut off');
  const range = document.createRange();
  const bottoms = () => [...range.getClientRects()].filter(({ width }) => width > 2).map(({ bottom }) => Math.round(bottom / 4));
  const textsIn = function* (element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentElement.closest('code, pre, .sr-only, .skip')) yield walker.currentNode;
  };
  for (const button of document.querySelectorAll('button, .button, nav a')) {
    const lines = new Set();
    for (const text of textsIn(button)) {
      range.selectNodeContents(text);
      bottoms().forEach((bottom) => lines.add(bottom));
    }
    if (button.checkVisibility() && lines.size > 2) faults.push('more than two lines: ' + button.textContent.trim());
  }
  for (const select of document.querySelectorAll('select')) {
    const whole = select.cloneNode(false);
    whole.append(...[...select.selectedOptions].map((option) => option.cloneNode(true)));
    whole.style = 'position: absolute; width: auto; max-width: none;';
    select.after(whole);
    const row = getComputedStyle(select.parentElement);
    const room = select.parentElement.clientWidth - parseFloat(row.paddingLeft) - parseFloat(row.paddingRight);
    if (select.checkVisibility() && select.offsetWidth < Math.min(whole.offsetWidth, Math.floor(room)))
      faults.push('a choice cut off: ' + whole.textContent.trim());
    whole.remove();
  }
  for (const text of textsIn(document.body)) {
    if (!text.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<!\\S)[\\p{L}’'"“”(),.:;!?…]{2,18}(?!\\S)/gu)) {
      if (/[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]/u.test(word)) continue;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set(bottoms()).size > 1) faults.push('broken: ' + word);
    }
  }
  return faults;
})()`;
