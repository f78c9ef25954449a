import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { openPage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { allowButton, connectLink, openHome, signUpOn, startApp } from '../support/journey.ts';
import type { TestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

/** The account's username is made of the name. */
function inventPerson() {
  const name = `Pérson ${randomBytes(4).toString('hex')}`;
  const username = name.replace('Pérson ', 'person-');
  return { email: `${username}@example.com`, name, username, password: 'a few words of my own' };
}

async function registerClient(
  page: Page,
  appUrl: string,
  type: ClientType,
  redirectUri: string,
): Promise<{ readonly id: string; readonly secret: string | undefined }> {
  await page.goto(`${appUrl}/signup`);
  await signUpOn(page, inventPerson());
  await page.getByRole('link', { name: 'Developer' }).click();
  await page.getByRole('link', { name: 'Register app' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Tidy Week');
  await page.getByLabel('Purpose').fill('Keeps the week in order.');
  await page.getByLabel(type === 'public' ? 'Public' : 'Confidential').check();
  await page.getByLabel('Redirect URI 1', { exact: true }).fill(redirectUri);
  await page.getByRole('radio', { name: 'Full access' }).check();
  await page.getByRole('button', { name: 'Register app' }).click();
  const id = await page.locator('#client_id').innerText();
  const secret = type === 'public' ? undefined : await page.locator('#client_secret').innerText();
  return { id, secret };
}

/** An app's whole story: a developer registers it, an admin accepts it, a person allows it, it calls /v2/me and refreshes. */
export async function tellStory(
  service: TestService,
  browser: Browser,
  type: ClientType,
  javaScriptEnabled: boolean,
): Promise<void> {
  const { appUrl } = service;
  const port = await findFreePort();
  const admin = await addUser(service, { isAdmin: true });
  const person = inventPerson();
  const origins = [appUrl, `http://localhost:${port}`];
  const [developerPage, adminPage, personPage] = [
    await openPage(browser, { origins, javaScriptEnabled }),
    await openPage(browser, { origins, javaScriptEnabled }),
    await openPage(browser, { origins, javaScriptEnabled }),
  ];

  const client = await registerClient(developerPage, appUrl, type, `http://localhost:${port}/callback`);
  const statusAtFirst = await developerPage.locator('.badge').innerText();
  const app = await startApp(service, client, port);

  await openHome(adminPage, service, admin);
  await adminPage.getByRole('link', { name: 'Review apps' }).click();
  await adminPage.locator(`#app-${client.id}`).getByRole('link').click();
  await adminPage.getByRole('button', { name: /^Approve/ }).click();
  await adminPage.getByRole('status').waitFor();
  await developerPage.reload();
  const statusAtLast = await developerPage.locator('.badge').innerText();
  const secretsShownAgain = await developerPage.locator('#client_secret').count();

  await personPage.goto(app.url);
  await connectLink(personPage).click();
  await personPage.getByRole('link', { name: 'Create an account' }).click();
  await signUpOn(personPage, person);
  await allowButton(personPage).click();
  await personPage.waitForURL(`${app.url}/?done=connected`);
  const profile = await personPage.locator('dl').innerText();
  const tokensAtFirst = await personPage.locator('main .soft code').allInnerTexts();
  await personPage.getByRole('button', { name: 'Refresh' }).click();
  await personPage.waitForURL(`${app.url}/?done=refreshed`);
  const profileAfterRefresh = await personPage.locator('dl').innerText();
  const tokensAtLast = await personPage.locator('main .soft code').allInnerTexts();
  await personPage.getByRole('button', { name: 'Disconnect' }).click();
  await personPage.waitForURL(`${app.url}/?done=disconnected`);

  expect(statusAtFirst).toBe('In review');
  expect(statusAtLast).toBe('Approved');
  expect(secretsShownAgain).toBe(0);
  expect(profile).toContain(person.email);
  expect(profile).toContain(person.username);
  expect(profileAfterRefresh).toBe(profile);
  expect(tokensAtFirst).toHaveLength(2);
  expect(tokensAtLast).toHaveLength(2);
  for (const token of tokensAtFirst) expect(tokensAtLast).not.toContain(token);
  expect(await connectLink(personPage).isVisible()).toBe(true);
}
