import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { actionsOf } from '../support/audit.ts';
import {
  agentOf,
  answerJson,
  askForReview,
  callback,
  documentOf,
  nextUrl,
  startAgentHosts,
  visitAs,
} from '../support/client-documents.ts';
import { addPerson } from '../support/groups.ts';
import { expectErrorPage, textOf, titleOf } from '../support/page-content.ts';
import { findClientRow, mailTo, postOwnForm, reviewHome } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { callMe, connect, refresh } from '../support/world.ts';

const hosts = await startAgentHosts();
const service = await openTestService({}, undefined, undefined, { documents: hosts.documents });
const segmentOf = (url: string): string => `~${Buffer.from(url).toString('base64url')}`;

test('from an unknown address to a review, an approval and tokens (contract §2, draft, section 3)', async () => {
  const url = nextUrl();
  hosts.serve(url, answerJson(documentOf(url)));
  const admin = await addPerson(service, { isAdmin: true });
  const { user, cookie } = await addPerson(service);

  const unknown = await visitAs(service, url, cookie);
  expectErrorPage(unknown, callback);
  expect(titleOf(unknown)).toContain('This app isn’t approved yet');
  expect(textOf(unknown.body)).toContain(new URL(url).host);
  const readings = hosts.countReadings(url);

  const asked = await askForReview(service, url, cookie);
  expect([readings, hosts.countReadings(url), asked.statusCode]).toEqual([0, 1, 303]);
  expect(await findClientRow(service, url)).toMatchObject({
    ...{ ownerId: null, name: 'Desk Agent', type: 'public', status: 'pending', redirectUris: [callback] },
    scopes: ['BOOKING_READ', 'PROFILE_READ'],
  });
  expect(await actionsOf(service, user)).toContain('client.requested');
  expect((await mailTo(service, admin.user.email)).map(({ subject }) => subject)).toEqual([
    'Review requested: Desk Agent',
  ]);
  const waiting = await service.app.inject({ url: String(asked.headers.location), headers: { cookie } });
  expectErrorPage(waiting, callback);
  expect(titleOf(waiting)).toContain('This app is in review');

  const queue = await service.app.inject({ url: reviewHome, headers: { cookie: admin.cookie } });
  const reviewPath = `${reviewHome}/${segmentOf(url)}`;
  expect(queue.body).toContain(reviewPath);
  const review = await service.app.inject({ url: reviewPath, headers: { cookie: admin.cookie } });
  expect(textOf(review.body)).toContain('Any program on a user’s device can take this app’s name');
  const accepted = await postOwnForm(
    service,
    `${reviewPath}/accept`,
    { revision: '1', scopes: 'BOOKING_READ PROFILE_READ' },
    admin.cookie,
  );
  expect(accepted.headers.location).toBe(`${reviewHome}?done=accepted`);
  const decided = await service.app.inject({
    url: String(accepted.headers.location),
    headers: { cookie: admin.cookie },
  });
  expect(textOf(decided.body)).toContain('App approved.');

  const consent = await visitAs(service, url, cookie, { redirect_uri: 'http://127.0.0.1:49152/callback' });
  expect(consent.statusCode).toBe(200);
  expect(consent.body).toContain(`<strong><bdi>${new URL(url).host}</bdi></strong>`);
  const agent = agentOf(url);
  const tokens = await connect(service, agent, cookie);
  expect(decodeJwt(tokens.access_token)).toMatchObject({
    client_id: url,
    scope: 'BOOKING_READ PROFILE_READ',
  });
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  const next = (await refresh(service, agent, tokens.refresh_token)).json();
  expect(decodeJwt(next.access_token)['client_id']).toBe(url);
  const looked = await service.app.inject({
    url: `/v2/auth/oauth2/clients/${encodeURIComponent(url)}`,
    headers: { authorization: `Bearer ${next.access_token}` },
  });
  expect(looked.json().data).toMatchObject({ client_id: url, name: 'Desk Agent', client_type: 'public' });

  const apps = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  expect(textOf(apps.body)).toContain(new URL(url).host);
  const removal = `/settings/apps/${segmentOf(url)}/disconnect`;
  expect(apps.body).toContain(`action="${removal}"`);
  expect((await postOwnForm(service, removal, {}, cookie)).statusCode).toBe(303);
  expect((await callMe(service, next.access_token)).statusCode).toBe(401);
});
