import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The widths and colours in which every page must be good: a small phone and a desktop, by day and by night. What a rule finds depends on the
 * width or on the colours, and contrast alone on both: so that rule is asked in all four, and the others wherever either is new.
 */
const variants = [
  { width: 320, colorScheme: 'light', rules: 'all' },
  { width: 320, colorScheme: 'dark', rules: 'contrast' },
  { width: 1280, colorScheme: 'light', rules: 'contrast' },
  { width: 1280, colorScheme: 'dark', rules: 'all' },
] as const;
/** What holds is not of interest, and takes time to be told. */
const everyRule: RunOptions = { resultTypes: ['violations'] };
const contrastAlone: RunOptions = { ...everyRule, runOnly: ['color-contrast', 'link-in-text-block'] };

const height = 800;

/** What axe finds wrong with the open page in each variant, and where it is wider than the window; nothing when all is well. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await page.evaluate(axe.source);
  for (const { width, colorScheme, rules } of variants) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(
      (options): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run(options),
      rules === 'all' ? everyRule : contrastAlone,
    );
    const where = `${width} px, ${colorScheme}`;
    for (const { id, nodes } of violations)
      for (const { target } of nodes) faults.push(`${where}: ${id} at ${String(target)}`);
    const excess = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    if (excess > 0) faults.push(`${where}: wider than the window by ${excess} px`);
  }
  return faults;
}
