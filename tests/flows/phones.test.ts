import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { clients } from '../../src/oauth/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { addGroup, addInvitation, addMember } from '../support/groups.ts';
import { signInFrom } from '../support/guesser.ts';
import { developerHome } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';
import { listPages } from '../whole/every-page.ts';
import { findPhoneFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

/**
 * Finds faults on pages of the open service without a request for each: the answers are there, and their
 * styles cached.
 */
async function findFaultsOn(pages: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  const page = await openPage(browser, { origins: [appUrl] });
  await page.goto(`${appUrl}/signin`);
  const faults: string[] = [];
  for (const [name, html] of pages) {
    await page.setContent(html.replaceAll(/<script.*?<\/script>|<meta http-equiv[^>]*>/gs, ''));
    faults.push(...(await findPhoneFaults(page)).map((fault) => `${name}, ${fault}`));
  }
  return faults;
}

test('every page fits phones of 320 and 390 px: no sideways scroll, no word broken inside, no button above two lines', {
  timeout: 180_000,
}, async () => {
  const pages: (readonly [string, string])[] = [];
  // One after the other: one of them is the page of an outage.
  for (const { name, show } of await listPages(service)) {
    const { body, headers } = await show();
    if (`${headers['content-type']}`.startsWith('text/html')) pages.push([name, body]);
  }

  expect(pages.length).toBeGreaterThan(100);
  expect(await findFaultsOn(pages)).toEqual([]);
});

test('long names, three sessions and ten apps fit them, too', async () => {
  const { db } = service.database;
  const user = await addUser(service);
  const longName = 'Maria Theresia Aurelia Hohenfels-Brandenstein of the Upper Valley';
  await db.update(users).set({ name: longName }).where(eq(users.id, user.id));
  const cookie = await signIn(service, user);
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
  for (const remoteAddress of ['2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff', '198.51.100.170'])
    await signInFrom(service, user, { userAgent, remoteAddress });
  for (let app = 1; app <= 10; app += 1) {
    const name = `Calendar Synchronisation for Large Organisations, Edition ${app}`;
    const client = await addClient(service, { name, status: app === 10 ? 'pending' : 'accepted' });
    if (app < 10) await connect(service, client, cookie);
    await db.update(clients).set({ ownerId: user.id }).where(eq(clients.id, client.id));
  }
  const team = await addGroup(service, 'team', user, 'Friends of the Botanical Garden and its Neighbours');
  await addMember(service, team, 'admin');
  await addInvitation(service, team, user);

  const paths = ['/', '/settings/sessions', '/settings/apps', developerHome, '/settings/teams', team.page];
  const open = async (path: string) => {
    const { body } = await service.app.inject({ url: path, headers: { cookie } });
    return [path, body] as const;
  };

  expect(await findFaultsOn(await Promise.all(paths.map(open)))).toEqual([]);
});
