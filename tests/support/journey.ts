import type { Browser, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { startThirdPartyApp, type ThirdPartyApp } from '../../examples/third-party-app/app.ts';
import { openPage } from './browser.ts';
import { findFreePort } from './free-port.ts';
import type { TestService } from './service.ts';
import {
  addClient,
  addUser,
  authorizePath,
  type ClientOptions,
  signIn,
  type TestClient,
  type TestUser,
} from './world.ts';

/** What a test needs to know of a person to type it into a form. */
export type Credentials = Pick<TestUser, 'email' | 'password'>;

/** Signs in on the page that is open. */
export async function signInOn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Makes an account on the page that is open. */
export async function signUpOn(page: Page, person: Credentials & { readonly name: string }): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

/** Opens the service's home page, signed in. */
export async function openHome(page: Page, { appUrl }: TestService, user: Credentials): Promise<void> {
  await page.goto(`${appUrl}/signin`);
  await signInOn(page, user);
  await page.waitForURL(`${appUrl}/`);
}

/** Signs the browser in without the form, for what another page is about. */
export async function addSession(page: Page, service: TestService, user: Credentials): Promise<void> {
  const [name = '', value = ''] = (await signIn(service, user)).split('=');
  await page.context().addCookies([{ name, value, url: service.appUrl }]);
}

export const allowButton = (page: Page): Locator => page.getByRole('button', { name: 'Allow' });
export const denyButton = (page: Page): Locator => page.getByRole('button', { name: 'Deny' });
export const connectLink = (page: Page): Locator => page.getByRole('link', { name: 'Connect your calendar' });

/** The authorization page's address for a request. */
export function authorizeAddress(
  { appUrl }: TestService,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${appUrl}${authorizePath}?${new URLSearchParams(parameters).toString()}`;
}

/** The example app for a client, on this port; closed after the test. */
export async function startApp(
  { appUrl }: TestService,
  { id, secret }: Pick<TestClient, 'id' | 'secret'>,
  port: number,
): Promise<ThirdPartyApp> {
  const app = await startThirdPartyApp({
    issuer: appUrl,
    apiUrl: appUrl,
    clientId: id,
    clientSecret: secret,
    port,
  });
  onTestFinished(() => app.close());
  return app;
}

/** A client, and the example app that uses it. */
export async function addApp(
  service: TestService,
  options: ClientOptions = {},
): Promise<{ readonly client: TestClient; readonly app: ThirdPartyApp }> {
  const port = await findFreePort();
  const client = await addClient(service, {
    redirectUris: [`http://localhost:${port}/callback`],
    ...options,
  });
  return { client, app: await startApp(service, client, port) };
}

/** A person, and an app that they have just connected on this page. */
export async function connectApp(browser: Browser, service: TestService, options: ClientOptions = {}) {
  const user = await addUser(service);
  const { app } = await addApp(service, options);
  const page = await openPage(browser, { origins: [service.appUrl, app.url] });
  await addSession(page, service, user);
  await page.goto(`${app.url}/connect`);
  await allowButton(page).click();
  await page.waitForURL(`${app.url}/?done=connected`);
  return { user, app, page };
}

/** On a page for booking: the first day of next month that has times, which is open then. */
export async function chooseNextMonth(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Months' }).getByRole('link').last().click();
  await page.waitForURL(/month=/);
  await page.locator('#times .times a').first().waitFor();
}
