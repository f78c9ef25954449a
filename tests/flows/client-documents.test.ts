import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { answerJson, documentOf, nextUrl, startAgentHosts } from '../support/client-documents.ts';
import { startFeedServer } from '../support/feed-server.ts';
import { addSession, allowButton, authorizeAddress, signInOn } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser, callMe, createPkce, requestToken } from '../support/world.ts';
import { findFaults } from './axe.ts';

const hosts = await startAgentHosts();
const service = await openTestSite({}, undefined, { documents: hosts.documents });
const browser = await openBrowser();
const { appUrl } = service;

test('an agent that nobody knows is reviewed once, and connects (contract §2, security C98)', async () => {
  const user = await addUser(service);
  const admin = await addUser(service, { isAdmin: true });
  const agent = await startFeedServer();
  const redirectUri = agent.serve('/callback', (_request, response) => response.end('Back in the agent'));
  const local = new URL(redirectUri).origin;
  const url = nextUrl();
  hosts.serve(url, answerJson(documentOf(url)));
  const pkce = createPkce();
  const request = {
    ...{ client_id: url, redirect_uri: `${local}/callback`, scope: 'PROFILE_READ', state: 'x' },
    code_challenge: pkce.challenge,
  };

  const page = await openPage(browser, { origins: [appUrl, local] });
  await page.goto(authorizeAddress(service, request));
  await signInOn(page, user);
  await page.getByRole('heading', { name: 'This app isn’t approved yet' }).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Request review' }).click();
  await page.getByRole('heading', { name: 'This app is in review' }).waitFor();
  expect(await findFaults(page)).toEqual([]);

  const review = await openPage(browser, { origins: [appUrl] });
  await addSession(review, service, admin);
  await review.goto(`${appUrl}/settings/admin/oauth`);
  await review.getByRole('link', { name: 'Desk Agent' }).click();
  await review.getByText('Metadata document', { exact: true }).waitFor();
  expect(await findFaults(review)).toEqual([]);
  await review.getByRole('button', { name: 'Approve app' }).click();
  await review.getByText('App approved.').waitFor();

  await page.goto(authorizeAddress(service, request));
  expect(await page.locator('.origin strong').innerText()).toBe(new URL(url).host);
  const back = page.waitForRequest((sent) => sent.url().startsWith(`${local}/callback?`));
  await page.locator('button[value="allow"]:not([aria-disabled])').waitFor();
  await allowButton(page).click();
  const code = new URL((await back).url()).searchParams.get('code');
  const exchange = await requestToken(service, {
    ...{ grant_type: 'authorization_code', client_id: url, code, redirect_uri: request.redirect_uri },
    code_verifier: pkce.verifier,
  });

  expect(exchange.json()).toMatchObject({ scope: 'PROFILE_READ' });
  expect((await callMe(service, exchange.json().access_token)).json().data).toMatchObject({ id: user.id });
});
