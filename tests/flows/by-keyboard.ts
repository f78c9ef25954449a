import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import type { TestService } from '../support/service.ts';
import type { TestUser } from '../support/world.ts';

/** A page without JavaScript, on which nothing is done but by keys. */
export interface KeyboardPage {
  readonly page: Page;
  press(role: 'button' | 'link', name: string | RegExp): Promise<void>;
  /** Replaces what a field has. */
  type(label: string, text: string): Promise<void>;
  /** Chooses in a list by the first letters of an option. */
  choose(label: string, letters: string): Promise<void>;
  /** Sends the form that has the focus, and waits for the next page. */
  enter(): Promise<void>;
  /** Waits for words, and checks that nothing is wider than the window. */
  reads(words: string | RegExp): Promise<void>;
}

/** Opens such a page for a person who is signed in. */
export async function openByKeyboard(
  browser: Browser,
  service: TestService,
  user: TestUser,
  width: number,
): Promise<KeyboardPage> {
  const { appUrl } = service;
  const viewport = { width, height: 800 };
  const page = await openPage(browser, { origins: [appUrl], javaScriptEnabled: false, viewport });
  await addSession(page, service, user);
  const { keyboard } = page;
  async function enter(): Promise<void> {
    const loaded = page.waitForEvent('load');
    await keyboard.press('Enter');
    await loaded;
  }
  return {
    page,
    async press(role, name) {
      await page.getByRole(role, { name, exact: true }).focus();
      await enter();
    },
    async type(label, text) {
      await page.getByLabel(label, { exact: true }).focus();
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
    },
    async choose(label, letters) {
      await page.getByLabel(label, { exact: true }).focus();
      await keyboard.type(letters);
    },
    enter,
    async reads(words) {
      await page.getByText(words).first().waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  };
}
