import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addEventType } from '../support/booking.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { addSession, allowButton } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser } from '../support/world.ts';
import { findFaults, findPhoneFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
/** Nothing else is asked for anything, and no policy is violated: `openPage` sees to it (security C19). */
const desktop = { origins: [appUrl, 'data:'], viewport: { width: 1400, height: 1000 } };
const slow = 120_000;
const openShared = sharePage(browser, desktop);

async function openDocs(page: Page, query = ''): Promise<void> {
  await page.goto(`${appUrl}/docs${query}`);
  await page.getByRole('heading', { name: 'Latchkey API' }).waitFor();
}

test('the reader shows the guide and every operation', { timeout: slow }, async () => {
  const operations = listOperations(await fetchDocument(service.app));
  const page = await openPage(browser, desktop);
  await openDocs(page);
  const contents = page.getByRole('complementary');
  const closed = contents.getByRole('button', { name: /^Open Group/ });
  for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click();

  const listed = await contents.getByRole('link').allInnerTexts();
  const missing = operations.filter(
    ({ operation: { summary } }) => !listed.some((text) => text.includes(summary)),
  );
  expect(missing).toEqual([]);
  await page.getByRole('heading', { name: 'Idempotent requests' }).waitFor();
});

/** The reader itself has these faults: fields of its OAuth form without names, and code that scrolls. */
const readersOwn =
  /: (?:aria-input-field-name|aria-required-attr|button-name|scrollable-region-focusable) at /;

test('it has no faults but the reader’s own (WCAG 2.2 AA)', { timeout: slow }, async () => {
  const page = await openPage(browser, desktop);
  await openDocs(page);

  expect((await findFaults(page)).filter((fault) => !readersOwn.test(fault))).toEqual([]);
});

test('without JavaScript the page leads to the document', async () => {
  const page = await openPage(browser, { ...desktop, javaScriptEnabled: false });
  await page.goto(`${appUrl}/docs`);
  await page.getByRole('link', { name: 'openapi.json' }).click();

  expect(page.url()).toBe(`${appUrl}/openapi.json`);
});

test('it wears the header of all pages, and fits a phone without breaking a word', {
  timeout: slow,
}, async () => {
  const page = await openPage(browser, { ...desktop, viewport: { width: 390, height: 844 } });
  await openDocs(page);
  await page.getByRole('link', { name: 'Latchkey', exact: true }).waitFor();

  const font = await page.evaluate<string>('getComputedStyle(document.querySelector("h1")).fontFamily');
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(font).toMatch(/^"?Geist/);
  expect(width).toBeLessThanOrEqual(390);
  expect((await findPhoneFaults(page)).filter((fault) => fault.includes('broken'))).toEqual([]);
});

test.each([
  ['get', 'bookings', '/v2/bookings', [], '2024-08-13'],
  ['get', 'event-types', '/v2/event-types', [], '2024-06-14'],
  ['get', 'slots', '/v2/slots', ['start', 'end', 'eventTypeId'], '2024-09-04'],
  ['post', 'bookings', '/v2/bookings', [], '2024-08-13'],
])(
  'the sample and the form of %s %s send what is needed alone, and have the version that answers (contract §7)',
  {
    timeout: slow,
  },
  async (method, family, path, needed, version) => {
    const page = await openShared();
    await openDocs(page, `#tag/${family}/${method.toUpperCase()}${path}`);
    const open = page.getByRole('button', { name: `Test Request (${method} ${path})` });
    const sample = page.locator('section').filter({ has: open }).last().locator('pre').first();
    const written = await sample.innerText();
    const { searchParams } = new URL(/http:[^\s']+/.exec(written)?.[0] ?? '');
    await open.click();
    const form = page.getByRole('dialog');
    await form.getByText(version, { exact: true }).waitFor();
    const sent = form.getByRole('checkbox', { name: /^Include (?!accept|Content-Type)/i, checked: true });

    expect([...searchParams.keys()]).toEqual(needed);
    expect(written).not.toContain('cal-api-version');
    expect(written.includes('"attendee"')).toBe(method === 'post');
    expect(await sent.evaluateAll((boxes) => boxes.map((box) => box.ariaLabel))).toEqual(
      needed.map((name) => `Include ${name} in request`),
    );
    // The reader stays open: the next address leads to another operation in it.
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
  },
);

test('an operation opens with what it does, and Test Request has the reader’s own event type', {
  timeout: slow,
}, async () => {
  const user = await addUser(service);
  // The first one's ID may be the example's.
  await addEventType(service, await addUser(service));
  const { id } = await addEventType(service, user);
  const page = await openPage(browser, desktop);
  await addSession(page, service, user);
  await openDocs(page, '#tag/slots/GET/v2/slots');
  const open = page.getByRole('button', { name: 'Test Request (get /v2/slots)' });
  const section = page.locator('section').filter({ has: open }).last();

  await section.getByText('Coming from Cal.com').waitFor();
  const said = await section.innerText();
  expect(said).toContain('The free start times of an event type');
  expect(said).not.toContain('routedTeamMemberIds');
  await section.getByText('Coming from Cal.com').click();
  await section.getByText('routedTeamMemberIds').first().waitFor();
  expect(await section.locator('pre').first().innerText()).toContain(`eventTypeId=${id}`);
});

test('a developer comes from their app, connects it on the page, and tries an operation', {
  timeout: slow,
}, async () => {
  const user = await addUser(service);
  const client = await addClient(service, { redirectUris: [`${appUrl}/docs`] });
  const page = await openPage(browser, desktop);
  await addSession(page, service, user);
  await openDocs(page, `?client_id=${client.id}`);

  const authentication = page.getByRole('region', { name: 'Authentication' });
  await authentication.getByRole('textbox', { name: 'Client Secret' }).fill(client.secret ?? '');
  await authentication.getByRole('button', { name: 'Select All' }).click();
  const opened = page.waitForEvent('popup');
  await authentication.getByRole('button', { name: 'Authorize' }).click();
  const popup = await opened;
  // The popup may close before click() returns, and a closed page never emits the event.
  await Promise.all([popup.waitForEvent('close'), allowButton(popup).click()]);
  // The page exchanges the code when the popup is closed, and shows the token then.
  await authentication.getByRole('textbox', { name: 'Access Token' }).waitFor();
  await page.getByRole('complementary').getByRole('link', { name: 'Me', exact: true }).click();
  await page.getByRole('button', { name: 'Test Request (get /v2/me)' }).click();
  await page.getByRole('button', { name: 'Send get request to' }).click();
  const response = page.getByRole('dialog').getByRole('region', { name: 'Response' });

  await response.getByText(user.email).waitFor();
});

test('an operation that needs no token is tried without one; the guide has the reader’s own event type (contract §7)', {
  timeout: slow,
}, async () => {
  const user = await addUser(service);
  const { id } = await addEventType(service, user);
  const page = await openPage(browser, desktop);
  await addSession(page, service, user);
  await openDocs(page);

  await page.getByText(`eventTypeId=${id}&start`).first().waitFor({ state: 'attached' });
  // The reader sends this where no token was entered.
  const answered = await page.evaluate<number>(
    `fetch('/v2/event-types?username=${user.username}', { headers: { authorization: 'Bearer ' } }).then(({ status }) => status)`,
  );

  expect(answered).toBe(200);
});
