import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const height = 800;

/**
 * A small phone by day, a desktop by night. The four combinations of them find no more, as no colour
 * depends on the width.
 */
export const variants = [
  { viewport: { width: 320, height }, colorScheme: 'light' },
  { viewport: { width: 1280, height }, colorScheme: 'dark' },
] as const;

/** What holds is not of interest, and takes time to be told. */
const options: RunOptions = { resultTypes: ['violations'] };
/** The rules that look at colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the open page in each variant, and where it is wider than the window; nothing when all is well. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { viewport, colorScheme } of variants) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    const found = await findFaultsAsShown(page);
    faults.push(...found.map((fault) => `${viewport.width} px, ${colorScheme}: ${fault}`));
  }
  return faults;
}

/** The same of one variant, which the page has already. */
export async function findFaultsAsShown(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(source);
  const { violations, broken, excess } = await page.evaluate<Found>(examine);
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id} at ${String(target)}`),
  );
  if (broken > 0) faults.push('a table whose cells aren’t beside each other');
  if (excess > 0) faults.push(`wider than the window by ${excess} px`);
  return faults;
}

interface Found extends Pick<AxeResults, 'violations'> {
  readonly excess: number;
  /** Tables whose cells aren't beside each other, though there is room. */
  readonly broken: number;
}

/**
 * In the browser, as text, because there are no types of the DOM here. Colours are looked at where no element of an
 * earlier page had the same look in elements of the same looks. What a page has and says is the same in a wide window,
 * but for what only that shows, such as its menu.
 */
const examine = `(async () => {
  const looks = (globalThis.looks ??= new Map());
  const fresh = [];
  const look = (element, around, isFresh) => {
    if (!element.checkVisibility()) return;
    const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element);
    const marks = [around, element.tagName, element.getAttribute('class'), color, backgroundColor, fontSize, fontWeight];
    const own = marks.join();
    const isNew = !looks.has(own);
    if (isNew) looks.set(own, looks.size);
    if (isNew && !isFresh) fresh.push(element);
    for (const child of element.children) look(child, looks.get(own), isNew);
  };
  look(document.body, '', false);
  const isWide = innerWidth > 1000;
  const colours = { runOnly: ${JSON.stringify(ofColours)} };
  const others = { rules: ${JSON.stringify(Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])))} };
  const find = async (where, rules) => (await axe.run(where, { ...${JSON.stringify(options)}, ...rules })).violations;
  const violations = [
    ...(isWide ? [] : await find(document, others)),
    ...(fresh.length === 0 ? [] : await find({ include: fresh }, isWide ? {} : colours)),
  ];
  const broken = [...document.querySelectorAll('table')].filter((table) => isWide && getComputedStyle(table).display !== 'table');
  const { scrollWidth, clientWidth } = document.documentElement;
  return { violations, broken: broken.length, excess: scrollWidth - clientWidth };
})()`;

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
