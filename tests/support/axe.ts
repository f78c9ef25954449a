import { AxeBuilder } from '@axe-core/playwright';
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
const contrastRules = ['color-contrast', 'link-in-text-block'];

const height = 800;

/** What axe finds wrong with the open page in each variant, and where it is wider than the window; nothing when all is well. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { width, colorScheme, rules } of variants) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // Our pages have no frames, so axe needs no second window to put its findings together in: that takes half of its time.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (rules === 'all' ? axe : axe.withRules(contrastRules)).analyze();
    const where = `${width} px, ${colorScheme}`;
    for (const { id, nodes } of violations)
      for (const { target } of nodes) faults.push(`${where}: ${id} at ${String(target)}`);
    const excess = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    if (excess > 0) faults.push(`${where}: wider than the window by ${excess} px`);
  }
  return faults;
}
