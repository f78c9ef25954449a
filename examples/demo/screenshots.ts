import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type CaldavAccount, createCaldavAccount } from '../../tests/support/caldav-account.ts';
import { consentPath, enter, openScene, type Scene as Stage } from './scene.ts';
import { type DemoWorld, person } from './world.ts';

const variants = [1280, 390, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Pictures go into the folder of the first argument; the second matches names of pages. */
async function main(): Promise<void> {
  const [folder = 'screenshots', part = ''] = process.argv.slice(2);
  await mkdir(folder, { recursive: true });
  await using stage = await openScene();
  const camera = createCamera(folder, part);
  const caldav = createCaldavAccount(['personal', 'garden-club']);
  const scene = { ...stage, camera, caldav };
  await photographStranger(scene);
  await photographDeveloper(scene);
  await photographAdmin(scene);
  await photographOwner(scene);
  await photographPerson(scene);
  await photographVisitor(scene);
  await photographLanguages(scene);
  await photographHost(scene);
  await photographEmails(scene);
  process.stdout.write(`${camera.count()} pictures in ${folder}\n`);
}

interface Camera {
  shoot(page: Page, name: string): Promise<void>;
  count(): number;
}

interface Scene extends Stage {
  readonly camera: Camera;
  readonly caldav: CaldavAccount;
}

function createCamera(folder: string, part: string): Camera {
  let [pages, pictures] = [0, 0];
  return {
    count: () => pictures,
    async shoot(page, name) {
      pages += 1;
      if (!new RegExp(part).test(name)) return;
      for (const { width, colorScheme } of variants) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const file = `${String(pages).padStart(2, '0')}-${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: true });
        pictures += 1;
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  };
}

async function visit({ camera, appUrl }: Scene, page: Page, path: string, name: string): Promise<void> {
  const answer = await page.goto(`${appUrl}${path}`);
  if (answer?.status() === 404 && !/not-found|dead-link/.test(name)) throw new Error(`${path} is no page`);
  await camera.shoot(page, name);
}

/** The browser's own checks are off, so that the page with its faults comes back. */
async function sendUnchecked(page: Page, button: string): Promise<void> {
  for (const form of await page.locator('main form').all())
    await form.evaluate((element) => element.setAttribute('novalidate', ''));
  await page.locator('button:not(.sr-only)', { hasText: button }).first().click();
  await page.locator('.fault').first().waitFor();
}

async function photographStranger(scene: Scene): Promise<void> {
  const { browser, camera, appUrl, world } = scene;
  const page = await (await browser.newContext()).newPage();
  await visit(scene, page, '/', 'home-signed-out');
  await visit(scene, page, '/signup', 'sign-up');
  await sendUnchecked(page, 'Create account');
  await camera.shoot(page, 'sign-up-faults');
  await visit(scene, page, '/signin', 'sign-in');
  await page.getByLabel('Email address').fill(world.admin.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await camera.shoot(page, 'sign-in-wrong');
  await visit(scene, page, '/forgot', 'forgot');
  await page.getByLabel('Email address').fill('nobody@demo.example');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await camera.shoot(page, 'forgot-sent');
  await visit(scene, page, '/reset/unknown', 'reset-dead-link');
  await visit(scene, page, '/nowhere', 'not-found');
  await page.goto(`${appUrl}/auth/oauth2/authorize?client_id=unknown`);
  await camera.shoot(page, 'authorize-refused');
}

const developerHome = '/settings/developer/oauth';

async function photographDeveloper(scene: Scene): Promise<void> {
  const { camera, appUrl, world } = scene;
  const page = await enter(scene, world.developer);
  await visit(scene, page, '/', 'home');
  await visit(scene, page, developerHome, 'own-apps');
  await visit(scene, page, `${developerHome}/new`, 'register');
  await page.getByLabel('Redirect URI 1').fill('https://app.example/cb#top');
  await sendUnchecked(page, 'Register app');
  await camera.shoot(page, 'register-faults');
  await register(page, 'Tidy Weeks', 'https://tidy-weeks.example:8443/callback');
  await camera.shoot(page, 'app-with-secret');
  await register(page, 'Noisy Day', 'https://noisy.example/callback');
  const own = `${developerHome}/${world.confidentialClient.id}`;
  await visit(scene, page, own, 'app-accepted');
  await visit(scene, page, `${own}/quickstart`, 'quickstart');
  await visit(scene, page, `${own}/logo`, 'logo');
  await visit(scene, page, `${own}/secrets`, 'secrets');
  await page.getByRole('button', { name: 'Add secret' }).click();
  await camera.shoot(page, 'secret-added');
  await page
    .getByRole('link', { name: /Delete/ })
    .first()
    .click();
  await camera.shoot(page, 'secret-deletion');
  await visit(scene, page, `${own}/failed-requests`, 'no-failed-requests');
  await failRequests(appUrl, world);
  await visit(scene, page, `${own}/failed-requests`, 'failed-requests');
  await visit(scene, page, `${own}/edit`, 'edit');
  await page.getByLabel('Name', { exact: true }).fill('Tidier Week');
  await page.locator('button:not(.sr-only)', { hasText: /Submit|Save/ }).click();
  await camera.shoot(page, 'app-with-waiting-changes');
  await photographWebhooks(scene, page, `${own}/webhooks`, 'app-webhooks');
  await visit(scene, page, `${own}/delete`, 'app-deletion');
}

/** The server ends with the program. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}/`;
}

/** The server of a webhook answers, then fails, then is away. */
async function photographWebhooks(scene: Scene, page: Page, home: string, name: string): Promise<void> {
  const { camera } = scene;
  let status = 200;
  const url = await listen((request, response) => {
    if (status === 0) request.destroy();
    else response.writeHead(status).end();
  });
  await visit(scene, page, home, `${name}-none`);
  await page.getByRole('link', { name: 'Create webhook' }).click();
  await sendUnchecked(page, 'Create webhook');
  await camera.shoot(page, `${name}-form-faults`);
  await page.getByLabel('URL').fill(`${url}integrations/latchkey/events?workspace=garden-club`);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.locator('#webhook_secret').waitFor();
  await camera.shoot(page, `${name}-created`);
  for (status of [200, 503, 0]) {
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.waitForTimeout(1000);
  }
  await page.reload();
  await camera.shoot(page, `${name}-log`);
  await visit(scene, page, home, name);
}

async function register(page: Page, name: string, redirectUri: string): Promise<void> {
  await page.goto(new URL(`${developerHome}/new`, page.url()).href);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Purpose').fill('It keeps your week in order, and tells you when it is not.');
  await page.getByLabel('Redirect URI 1').fill(redirectUri);
  await page.getByRole('radio', { name: 'Full access' }).check();
  await page.locator('button:not(.sr-only)', { hasText: 'Register app' }).click();
  await page.locator('#client_secret').waitFor();
}

async function failRequests(appUrl: string, { confidentialClient }: DemoWorld): Promise<void> {
  const { id: client_id, secret: client_secret } = confidentialClient;
  const bodies = [
    { client_id, client_secret: `${client_secret} `, grant_type: 'refresh_token', refresh_token: 'x' },
    { client_id, client_secret, grant_type: 'refresh_token', refresh_token: 'lkr_short' },
    { client_id, client_secret, grant_type: 'authorization_code', code: 'x' },
  ];
  for (const body of bodies)
    await fetch(`${appUrl}/v2/auth/oauth2/token`, { method: 'POST', body: new URLSearchParams(body) });
}

async function photographAdmin(scene: Scene): Promise<void> {
  const { camera, appUrl, world } = scene;
  const page = await enter(scene, world.admin);
  const home = '/settings/admin/oauth';
  await visit(scene, page, home, 'review-queue');
  await page.getByRole('link', { name: 'Tidy Weeks' }).click();
  await camera.shoot(page, 'review-new-app');
  await visit(scene, page, `${home}/${world.confidentialClient.id}`, 'review-changes');
  await page.goto(`${appUrl}${home}`);
  await page.getByRole('link', { name: 'Noisy Day' }).click();
  await page.locator('summary').filter({ hasText: 'Reject app…' }).click();
  await sendUnchecked(page, 'Reject app');
  await camera.shoot(page, 'review-faults');
  await page
    .getByLabel(/Reason/)
    .first()
    .fill('The name says nothing about what it does.');
  await page.getByRole('button', { name: 'Reject app' }).click();
  await camera.shoot(page, 'review-decided');
  await visit(scene, page, `${home}?q=tidy&status=all`, 'review-search');
  await visit(scene, page, '/settings/admin', 'overview');
  await visit(scene, page, '/settings/admin/accounts', 'accounts');
  await page.locator('main').getByRole('link', { name: person.name }).first().click();
  await camera.shoot(page, 'account');
  await visit(scene, page, '/settings/admin/audit', 'audit');
  await visit(scene, page, '/settings/admin/outbox?show=sent', 'outbox');
  await page.locator('main table a').first().click();
  await camera.shoot(page, 'outbox-message');
}

async function photographOwner(scene: Scene): Promise<void> {
  const page = await enter(scene, scene.world.developer);
  await page.goto(`${scene.appUrl}${developerHome}`);
  await page.getByRole('link', { name: 'Noisy Day' }).click();
  await scene.camera.shoot(page, 'app-rejected');
}

async function photographPerson(scene: Scene): Promise<void> {
  const { camera, appUrl, world } = scene;
  const page = await enter(scene, world.teamOwner);
  await visit(scene, page, '/settings/profile', 'profile');
  await visit(scene, page, '/settings/event-types', 'own-event-types');
  await visit(scene, page, '/settings/event-types/new', 'event-type-form');
  await photographEventType(scene, page);
  await visit(scene, page, '/settings/availability', 'availability');
  await visit(scene, page, '/settings/availability/new', 'schedule-form');
  await visit(scene, page, '/settings/calendars', 'calendars');
  await visit(scene, page, '/settings/calendars/google', 'calendar-google');
  await visit(scene, page, '/settings/calendars/caldav', 'calendar-form');
  await photographDestination(scene, page);
  await photographWebhooks(scene, page, '/settings/webhooks', 'webhooks');
  await visit(scene, page, '/settings/password', 'password');
  await visit(scene, page, '/settings/profile/email', 'email-change');
  await visit(scene, page, '/settings/security', 'security');
  await photographTokens(scene, page);
  await visit(scene, page, '/settings/activity', 'activity');
  await visit(scene, page, '/settings/data', 'data');
  await visit(scene, page, '/settings/data/delete', 'account-deletion');
  await visit(scene, page, '/settings/sessions', 'sessions');
  await visit(scene, page, '/settings/apps', 'no-connected-apps');
  await photographConsent(scene, page);
  await visit(scene, page, '/settings/apps', 'connected-apps');
  await visit(scene, page, '/settings/apps/disconnect-all', 'disconnect-all');
  await visit(scene, page, '/settings/teams', 'teams');
  await visit(scene, page, '/settings/teams/new', 'team-form');
  await page.goto(`${appUrl}/settings/teams`);
  await page.getByRole('link', { name: world.team.name }).click();
  await page.getByLabel('Email address').fill('friend@demo.example');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await camera.shoot(page, 'team');
  await photographWebhooks(scene, page, `${new URL(page.url()).pathname}/webhooks`, 'team-webhooks');
  await visit(scene, page, '/settings/organization', 'no-organization');
  await visit(scene, page, '/settings/organization/new', 'organization-form');
  await page.getByLabel('Name', { exact: true }).fill('Allotment Society');
  await page.getByRole('textbox', { name: 'Address' }).fill('allotments');
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /Create/ }).click();
  await camera.shoot(page, 'organization');
}

async function photographTokens(scene: Scene, page: Page): Promise<void> {
  await visit(scene, page, '/settings/tokens/new', 'personal-token-form');
  await page.getByLabel('Name', { exact: true }).fill('Backup script');
  await page.getByRole('radio', { name: 'Read', exact: true }).first().check();
  await page.getByRole('button', { name: 'Create token' }).click();
  await scene.camera.shoot(page, 'personal-tokens');
  await visit(scene, page, '/auth/oauth2/logout', 'sign-out-of-an-app');
}

/** Bookings are written to this account until its password changes. */
async function photographDestination({ camera, appUrl, caldav }: Scene, page: Page): Promise<void> {
  await page.goto(`${appUrl}/settings/calendars/caldav`);
  await page.getByLabel('Server address').fill(await listen(caldav.listener));
  await page.getByLabel('Username').fill('person');
  await page.getByLabel('Password').fill('an app password');
  await page.getByRole('button', { name: /Connect/ }).click();
  await page.getByLabel(/Write bookings to/).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Save choice' }).click();
  await camera.shoot(page, 'calendars-destination');
  caldav.answer((response) => response.writeHead(401).end());
}

async function photographEventType({ camera, appUrl }: Scene, page: Page): Promise<void> {
  await page.goto(`${appUrl}/settings/event-types/new`);
  await page.getByLabel('Title').fill('A picture');
  await page.getByRole('button', { name: 'Create event type' }).click();
  await camera.shoot(page, 'event-type-basics');
  await page.getByRole('link', { name: 'Questions' }).click();
  await page.getByRole('button', { name: 'Add question' }).click();
  await camera.shoot(page, 'event-type-questions');
  await page.goto(page.url().replace(/questions$/, 'limits'));
  await camera.shoot(page, 'event-type-limits');
}

async function photographConsent({ camera, appUrl, world }: Scene, page: Page): Promise<void> {
  await page.goto(`${appUrl}${consentPath(world)}`);
  // Buttons arm a moment after the page is there.
  await page.waitForTimeout(600);
  await camera.shoot(page, 'consent');
  // The app isn't there: what counts is that the browser asks for its address.
  const callback = page.waitForRequest('https://tidy-week.example/**');
  await page.getByRole('button', { name: 'Allow' }).click();
  const callbackUrl = new URL((await callback).url());
  await page.waitForURL((url) => url.protocol === 'chrome-error:');
  const { id, secret } = world.confidentialClient;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    code: callbackUrl.searchParams.get('code') ?? '',
    redirect_uri: 'https://tidy-week.example/callback',
  });
  await fetch(`${appUrl}/v2/auth/oauth2/token`, { method: 'POST', body });
}

async function photographVisitor(scene: Scene): Promise<void> {
  const { browser, camera, world } = scene;
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: person.timeZone });
  const page = await context.newPage();
  const { username } = world.teamOwner;
  await visit(scene, page, `/${username}`, 'event-types');
  await visit(scene, page, `/${username}/talk`, 'booking-calendar');
  await chooseTime(page, 'first');
  await camera.shoot(page, 'booking-form');
  await sendUnchecked(page, 'Book');
  await camera.shoot(page, 'booking-form-faults');
  await page.getByLabel('Name').fill('Robin Visitor');
  await page.getByLabel('Email').fill('robin@demo.example');
  await page.getByLabel(/Notes/).fill('I bring tea.');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.waitForURL(/\/booking\//);
  await camera.shoot(page, 'own-booking');
  const own = page.url();
  await page.getByRole('link', { name: 'Reschedule' }).click();
  await camera.shoot(page, 'reschedule-calendar');
  await chooseTime(page, 'last');
  await camera.shoot(page, 'reschedule-form');
  await page.getByRole('button', { name: 'Reschedule booking' }).click();
  await page.waitForURL((url) => /\/booking\/[^/]+\/[^/]+$/.test(url.pathname) && url.href !== own);
  await camera.shoot(page, 'own-booking-rescheduled');
  await page.getByRole('link', { name: 'Cancel booking' }).click();
  await camera.shoot(page, 'cancel-own');
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  await page.getByText('This booking was cancelled.').waitFor();
  await camera.shoot(page, 'own-booking-cancelled');
  await visit(scene, page, `/team/${world.team.slug}/advice`, 'team-booking-calendar');
  await visit(scene, page, '/docs', 'docs');
}

/** One language from right to left, one without spaces, one with long words. */
async function photographLanguages(scene: Scene): Promise<void> {
  const { browser, camera, world } = scene;
  for (const locale of ['ar', 'ja', 'de']) {
    const context = await browser.newContext({ locale, timezoneId: person.timeZone });
    const page = await context.newPage();
    await visit(scene, page, `/${world.teamOwner.username}/talk`, `choose-${locale}`);
    await chooseTime(page, 'first');
    await camera.shoot(page, `book-${locale}`);
    await page.locator('#name').fill('Robin Visitor');
    await page.locator('#email').fill('robin@demo.example');
    await page.locator('main button[type=submit]').click();
    await page.waitForURL(/\/booking\//);
    await camera.shoot(page, `booked-${locale}`);
  }
}

async function chooseTime(page: Page, which: 'first' | 'last'): Promise<void> {
  await page.locator('a.day').last().click();
  await page.waitForURL(/#times$/);
  await page.locator('#times li a')[which]().click();
  await page.locator('input[name=slot]').first().waitFor({ state: 'attached' });
}

async function photographHost(scene: Scene): Promise<void> {
  const { camera, world } = scene;
  const page = await enter(scene, world.teamOwner);
  await visit(scene, page, '/', 'home-of-host');
  await visit(scene, page, '/bookings', 'hosted-bookings');
  await page.getByRole('link', { name: 'Demo Visitor' }).first().click();
  await camera.shoot(page, 'hosted-booking');
  await page.getByRole('link', { name: 'Decline booking' }).click();
  await camera.shoot(page, 'decline-hosted');
  await page.goBack();
  await page.getByRole('button', { name: 'Confirm booking' }).click();
  await page.waitForTimeout(1000);
  await visit(scene, page, '/settings/calendars', 'calendars-unwritten');
}

async function photographEmails({ browser, camera, emails }: Scene): Promise<void> {
  const headingOf = (html: string): string => /<h1[^>]*>([^<]*)/.exec(html)?.[1] ?? '';
  const latest = new Map(emails.map((html) => [headingOf(html), html]));
  const page = await (await browser.newContext()).newPage();
  for (const [heading, html] of latest) {
    await page.setContent(html);
    await camera.shoot(page, `email-${heading.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`);
  }
}

await main();
