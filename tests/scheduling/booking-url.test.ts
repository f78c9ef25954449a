import { describe, expect, test } from 'vitest';
import { bodyOf, callApi, represent } from '../support/api.ts';
import {
  addOrganization,
  addPlatformClient,
  joinOrganization,
  makeManagedUser,
  moveTeam,
} from '../support/platform.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const eventType = { title: 'Half an hour', slug: '30min', lengthInMinutes: 30 } as const;

async function urlOf(service: TestService, token: string): Promise<string> {
  const made = bodyOf(await callApi(service, 'POST', '/event-types', { token, body: eventType }), 201).data;
  const shown = bodyOf(await callApi(service, 'GET', `/event-types/${made.id}`, { token })).data;
  expect(shown.bookingUrl).toBe(made.bookingUrl);
  return made.bookingUrl;
}

/** bookingUrl by whose the event type is, as the rows say (S). */
describe.each([
  ['with ORG_HOST', { ORG_HOST: 'cal.example' }, (slug: string) => `https://${slug}.cal.example`],
  ['without ORG_HOST', {}, () => 'https://app.example'],
])('%s the bookingUrl (contract §8)', async (_name, environment, orgBase) => {
  const addresses = { APP_URL: 'https://app.example/', API_URL: 'https://api.example' };
  const service = await openTestService({ ...addresses, ...environment });
  const general = 'https://app.example';

  test('of a user is the general address with the username', async () => {
    const { user, token } = await represent(service);

    expect(await urlOf(service, token)).toBe(`${general}/${user.username}/30min`);
  });

  test('of a user in a regular organization is below the organization’s subdomain, if there are any', async () => {
    const { user, token } = await represent(service);
    const organization = await addOrganization(service, { isPlatform: false });
    await joinOrganization(service, user.id, organization.id);

    expect(await urlOf(service, token)).toBe(`${orgBase(organization.slug)}/${user.username}/30min`);
  });

  test('of a user with an account of its own in a platform organization is the general address', async () => {
    const { user, token } = await represent(service);
    await joinOrganization(service, user.id, (await addOrganization(service)).id);

    expect(await urlOf(service, token)).toBe(`${general}/${user.username}/30min`);
  });

  test('of a managed user is empty', async () => {
    const answer = await makeManagedUser(service, await addPlatformClient(service));

    expect(await urlOf(service, bodyOf(answer, 201).data.accessToken)).toBe('');
  });

  test.each([false, true])('of a team, in a regular organization: %s', async (isInOrganization) => {
    const { user, token } = await represent(service);
    const team = await addTeam(service, user);
    const organization = await addOrganization(service, { isPlatform: false });
    if (isInOrganization) await moveTeam(service, team.id, organization.id);

    const body = { ...eventType, schedulingType: 'collective', hosts: [{ userId: user.id }] };
    const made = bodyOf(
      await callApi(service, 'POST', `/teams/${team.id}/event-types`, { token, body }),
      201,
    ).data;

    const base = isInOrganization ? orgBase(organization.slug) : general;
    expect(made.bookingUrl).toBe(`${base}/team/${team.slug}/30min`);
  });
});
