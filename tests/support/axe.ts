import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The widths and colours in which every page must be good: a small phone and a desktop, by day and by night. */
const variants = [
  { width: 320, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

const height = 800;

/** What axe finds wrong with the open page in each variant, and where it is wider than the window; nothing when all is well. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { width, colorScheme } of variants) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // Our pages have no frames, so axe needs no second window to put its findings together in: that takes half of its time.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const where = `${width} px, ${colorScheme}`;
    for (const { id, nodes } of violations)
      for (const { target } of nodes) faults.push(`${where}: ${id} at ${String(target)}`);
    const excess = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    if (excess > 0) faults.push(`${where}: wider than the window by ${excess} px`);
  }
  return faults;
}
