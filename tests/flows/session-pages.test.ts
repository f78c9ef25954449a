import { eq } from 'drizzle-orm';
import { test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { openHome } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test.each([true, false])(
  'what was typed is sent once its person has confirmed or signed in, with JavaScript: %s (security C321)',
  async (javaScriptEnabled) => {
    const page = await openPage(browser, { origins: [appUrl], javaScriptEnabled });
    const user = await addUser(service);
    await openHome(page, service, user);
    await page.goto(`${appUrl}/settings/teams/new`);
    await page.getByLabel('Name').fill('Garden Club & Söhne');
    service.clock.advance(600);

    await page.getByRole('button', { name: 'Create team' }).click();
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Garden Club & Söhne' }).waitFor();

    await page.goto(`${appUrl}/settings/teams/new`);
    await page.getByLabel('Name').fill('Second Club');
    await service.database.db.delete(sessions).where(eq(sessions.userId, user.id));
    await page.getByRole('button', { name: 'Create team' }).click();
    await page.getByText('You were signed out.').waitFor();
    await page.getByLabel('Email address').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Second Club' }).waitFor();
  },
);
