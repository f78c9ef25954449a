import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  inviteTo,
  linkTo,
  newAddress,
  rolesOf,
  type TestGroup,
} from '../support/groups.ts';
import { addSession, sendUnchecked, signInOn, signUpOn } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser, signIn } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

/** The name is as long as one may be, without a place to break. */
const longName = 'W'.repeat(80);

const newcomer = await addUser(service);
const owner = await addUser(service);
const team = await addGroup(service, 'team', owner, longName);
const organization = await addGroup(service, 'organization', owner, longName);
const { user: admin } = await addMember(service, team, 'admin');
const { user: member } = await addMember(service, team, 'member');
const { user: colleague } = await addMember(service, organization, 'admin');
const invitation = await addInvitation(service, team, owner);
await inviteTo(service, team, await signIn(service, owner), newAddress(), 'owner');
const toOrganization = await addInvitation(service, organization, owner);
const elsewhere = await addUser(service);
await addGroup(service, 'organization', elsewhere, longName);

const open =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(`${appUrl}${path}`);
    for (const summary of await page.locator('main summary').all()) await summary.click();
  };

const sendEmpty =
  (path: string, button: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(`${appUrl}${path}`);
    await sendUnchecked(page, page.getByRole('button', { name: button }));
  };

async function leaveAsLastOwner(page: Page): Promise<void> {
  const last = await addUser(service);
  const group = await addGroup(service, 'team', last, longName);
  await page.context().clearCookies();
  await addSession(page, service, last);
  await page.goto(`${appUrl}${group.page}`);
}

test.each([
  ['no teams', newcomer, open('/settings/teams')],
  ['the list of teams', owner, open('/settings/teams')],
  ['the form for a team within an organization', owner, open('/settings/teams/new')],
  ['the form for a team with faults', newcomer, sendEmpty('/settings/teams/new', 'Create team')],
  ['a team with everything open, for an owner', owner, open(team.page)],
  ['a team with everything open, for an admin', admin, open(team.page)],
  ['a team for a member', member, open(team.page)],
  ['a team of one owner alone', newcomer, leaveAsLastOwner],
  ['an invitation form with faults', owner, sendEmpty(team.page, 'Create invitation')],
  ['the form of a team', owner, open(`${team.path}/edit`)],
  ['the page to delete a team', owner, open(`${team.path}/delete`)],
  ['a deletion without the name', owner, sendEmpty(`${team.path}/delete`, 'Delete team')],
  ['what a member may not do', member, open(`${team.path}/delete`)],
  ['no organization', newcomer, open('/settings/organization')],
  ['the form for an organization', newcomer, open('/settings/organization/new')],
  [
    'the form for an organization with faults',
    newcomer,
    sendEmpty('/settings/organization/new', 'Create organization'),
  ],
  ['an organization with everything open', owner, open('/settings/organization')],
  ['the form of an organization, for an admin', colleague, open(`${organization.path}/edit`)],
  ['an invitation to another address', newcomer, open(invitation.link)],
  ['an invitation for a member', member, open(invitation.link)],
  ['an invitation into a second organization', elsewhere, open(toOrganization.link)],
  ['an invitation that does not work', newcomer, open('/invitations/nothing')],
  ['a declined invitation', newcomer, open('/invitations/declined')],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, viewer, act) => {
    const page = await openShared();
    await addSession(page, service, viewer);
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('axe finds nothing on an invitation for a visitor who is signed out (WCAG 2.2 AA)', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await page.goto(`${appUrl}${invitation.link}`);

  expect(await findFaults(page)).toEqual([]);
});

function inventPerson(email: string) {
  const username = `person-${randomBytes(4).toString('hex')}`;
  return { email, name: `Test ${username}`, username, password: 'a few words of my own' };
}

async function createOn(page: Page, kind: TestGroup['kind'], name: string): Promise<void> {
  await page.goto(`${appUrl}${kind === 'team' ? '/settings/teams' : '/settings/organization'}`);
  await page.getByRole('link', { name: `Create ${kind}` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Address' }).fill(`slug-${randomBytes(4).toString('hex')}`);
  await page.getByRole('button', { name: kind === 'team' ? 'Create team' : 'Create organization' }).click();
}

const memberRow = (page: Page, username: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: `Test ${username}` }) });

test.each([
  { kind: 'team', javaScriptEnabled: true, javaScript: 'with' },
  { kind: 'organization', javaScriptEnabled: false, javaScript: 'without' },
] as const)(
  'an owner creates a $kind and invites a person, who signs up by the link, joins, and is made an admin, $javaScript JavaScript',
  async ({ kind, javaScriptEnabled }) => {
    const email = newAddress();
    const person = inventPerson(email);
    const founder = await addUser(service);
    const ownerPage = await openPage(browser, { origins: [appUrl], javaScriptEnabled });
    const personPage = await openPage(browser, { origins: [appUrl], javaScriptEnabled });

    await addSession(ownerPage, service, founder);
    await createOn(ownerPage, kind, 'Garden Club');
    await ownerPage.getByLabel('Email address').fill(email);
    await ownerPage.getByRole('button', { name: 'Create invitation' }).click();
    await ownerPage.getByRole('heading', { name: email }).waitFor();

    await personPage.goto(`${appUrl}${await linkTo(service, email)}`);
    const invitationText = await personPage.locator('main').innerText();
    await personPage.getByRole('link', { name: 'Create account' }).click();
    await signUpOn(personPage, person);
    await personPage.getByRole('button', { name: 'Accept invitation' }).click();
    const roleAtFirst = await memberRow(personPage, person.username).locator('.badge').innerText();
    const toolsAtFirst = await personPage.getByRole('button', { name: 'Create invitation' }).count();

    await ownerPage.reload();
    const row = memberRow(ownerPage, person.username);
    await row.getByText('Manage').click();
    await row.getByLabel('Role').selectOption('admin');
    await row.getByRole('button', { name: 'Save' }).click();
    await row.locator('.badge').getByText('admin').waitFor();

    await personPage.reload();
    const toolsAtLast = await personPage.getByRole('button', { name: 'Create invitation' }).count();
    await personPage.getByRole('link', { name: `Leave ${kind}` }).click();
    await personPage.getByRole('button', { name: `Leave ${kind}` }).click();
    await personPage.waitForURL(`${appUrl}/settings/${kind === 'team' ? 'teams' : 'organization'}?done=left`);

    expect(invitationText).toContain(`invites you to join the ${kind} Garden Club as a member`);
    expect([roleAtFirst, toolsAtFirst, toolsAtLast]).toEqual(['Member', 0, 1]);
    expect(await personPage.locator('.empty').count()).toBe(1);
    await ownerPage.reload();
    expect(await memberRow(ownerPage, person.username).count()).toBe(0);
  },
);

test('a user with another account switches to the invited one, and comes back to the invitation', async () => {
  const [wrong, invited] = [await addUser(service), await addUser(service)];
  const group = await addGroup(service, 'team', owner, 'Garden Club');
  const link = await inviteTo(service, group, await signIn(service, owner), invited.email);
  const page = await openPage(browser, { origins: [appUrl] });

  await addSession(page, service, wrong);
  await page.goto(`${appUrl}${link}`);
  const warnings = await page.getByText('another email address').count();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInOn(page, invited);
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.waitForURL(`${appUrl}${group.page}?done=joined`);

  expect(warnings).toBe(1);
  const roles = await rolesOf(service, group);
  expect(roles[invited.id]).toBe('member');
  expect(roles).not.toHaveProperty(String(wrong.id));
});

test('an owner deletes a team by its name, and Chromium leads back to the teams', async () => {
  const group = await addGroup(service, 'team', owner, 'Short-lived');
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, owner);
  await page.goto(`${appUrl}${group.page}`);
  await page.getByRole('link', { name: 'Delete team' }).click();
  await page.getByLabel('To confirm').fill('Short-lived');
  await page.getByRole('button', { name: 'Delete team' }).click();
  await page.waitForURL(`${appUrl}/settings/teams?done=deleted`);

  expect(await page.getByText('Short-lived').count()).toBe(0);
});
