import { describe, expect, test } from 'vitest';
import { type ApiMethod, bodyOf, callApi, represent } from '../support/api.ts';
import { basicOf } from '../support/basic.ts';
import { addEventType } from '../support/booking.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import {
  addOrganization,
  addPlatformClient,
  joinOrganization,
  makeManagedUser,
  moveTeam,
  usersPath,
} from '../support/platform.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const { service, ann, ben, team, addTeamEventType } = await openBookingsApi();
const [anns, bens] = [await addEventType(service, ann.user), await addEventType(service, ben.user)];

await addEventType(service, ann.user, { hidden: true });

const acme = await addOrganization(service, { isPlatform: false });

await joinOrganization(service, ann.user.id, acme.id);

const get = (path: string, token?: string) => callApi(service, 'GET', path, { token });

describe('GET /v2/event-types by several names (contract §8)', () => {
  const names = `${ann.user.username},${ben.user.username?.toUpperCase()}`;

  test.each([
    ['with commas', `usernames=${names}`, [anns.id, bens.id]],
    ['repeated', `usernames=${ann.user.username}&usernames=${ben.user.username}`, [anns.id, bens.id]],
    ['with one name', `usernames=${ben.user.username}`, [bens.id]],
    ['beside a username', `usernames=${ben.user.username}&username=${ann.user.username}`, [anns.id, bens.id]],
    ['inside an organization', `usernames=${names}&orgSlug=${acme.slug.toUpperCase()}`, [anns.id]],
    ['inside an organization, by its number', `usernames=${names}&orgId=${acme.id}`, [anns.id]],
    ['inside two organizations', `usernames=${names}&orgId=${acme.id}&orgSlug=other`, []],
    ['of no organization', `username=${ann.user.username}&orgSlug=nobodys`, []],
  ])('lists the public ones of each: %s', async (_, query, ids) => {
    const { data } = bodyOf(await get(`/event-types?${query}&take=250`));
    const found = data.map(({ id }: { id: number }) => id);

    expect(found.filter((id: number) => [anns.id, bens.id].includes(id))).toEqual(ids);
    expect(data.filter(({ hidden }: { hidden: boolean }) => hidden)).toEqual([]);
  });

  test('takes ten names, and an organization only with them', async () => {
    const many = Array.from({ length: 11 }, (_, index) => `name-${index}`).join();

    expect(Object.keys(bodyOf(await get(`/event-types?usernames=${many}`), 400).error.details)).toEqual([
      'usernames',
    ]);
    for (const [name, value] of [
      ['orgSlug', 'acme'],
      ['orgId', '1'],
    ] as const) {
      const answer = bodyOf(await get(`/event-types?${name}=${value}`, ann.token), 400);
      expect(Object.keys(answer.error.details)).toEqual([name]);
    }
  });
});

test('hostsLimit cuts the hosts of a team’s event types', async () => {
  const { id } = await addTeamEventType('collective', [ann, ben]);
  const hostsOf = async (query: string) => {
    const { data } = bodyOf(await get(`/teams/${team.id}/event-types${query}`, ann.token));
    return data.find((one: { id: number }) => one.id === id).hosts.length;
  };

  expect([await hostsOf(''), await hostsOf('?hostsLimit=1'), await hostsOf('?hostsLimit=9')]).toEqual([
    2, 1, 2,
  ]);
});

describe('GET /v2/slots', () => {
  const { path } = anns;
  const slug = path.split('/').at(-1) ?? '';
  const range = 'start=2031-06-02&end=2031-06-02';

  test.each([
    ['usernames with one name', () => `eventTypeSlug=${slug}&usernames=${ann.user.username}`, 200],
    ['two names', () => `eventTypeSlug=${slug}&usernames=${ann.user.username},${ben.user.username}`, 400],
    ['two names, repeated', () => `eventTypeSlug=${slug}&usernames=a&usernames=b`, 400],
    [
      'their organization',
      () => `eventTypeSlug=${slug}&username=${ann.user.username}&organizationSlug=${acme.slug}`,
      200,
    ],
    ['another one', () => `eventTypeSlug=${slug}&username=${ann.user.username}&organizationSlug=other`, 404],
    [
      'a team of none',
      () => `eventTypeSlug=${slug}&teamSlug=${team.slug}&organizationSlug=${acme.slug}`,
      404,
    ],
  ])('with %s', async (_, query, status) => {
    const answer = await get(`/slots?${range}&${query()}`);

    expect(answer.statusCode).toBe(status);
    if (status === 400) expect(Object.keys(answer.json().error.details)).toEqual(['usernames']);
  });
});

describe('a platform’s client', () => {
  async function openPlatform() {
    const client = await addPlatformClient(service);
    const make = async (email: string) => bodyOf(await makeManagedUser(service, client, { email }), 201).data;
    const call = (method: ApiMethod, path: string, body?: object) =>
      callApi(service, method, `${usersPath(client)}${path}`, {
        headers: { authorization: basicOf(client) },
        ...(body === undefined ? {} : { body }),
      });
    return { make, call };
  }

  test('finds its users by address, with the suffix or without, and nobody else’s', async () => {
    const [{ make, call }, other] = [await openPlatform(), await openPlatform()];
    const [one, two] = [(await make('one@example.com')).user, (await make('two@example.com')).user];
    const theirs = (await other.make('one@example.com')).user;
    const idsOf = async (query: string) =>
      bodyOf(await call('GET', `?emails=${query}`)).data.map(({ id }: { id: number }) => id);

    expect(await idsOf('One@Example.com')).toEqual([one.id]);
    expect(await idsOf(encodeURIComponent(`${two.email},one@example.com`))).toEqual([one.id, two.id]);
    expect(await idsOf(encodeURIComponent(theirs.email))).toEqual([]);
    expect(await idsOf(encodeURIComponent(ann.user.email))).toEqual([]);
    expect((await call('GET', '?emails=x')).statusCode).toBe(400);
  });

  test('chooses the default schedule among those of the user', async () => {
    const { make, call } = await openPlatform();
    const { user, accessToken: token } = await make('three@example.com');
    const hours = { name: 'Hours', timeZone: 'UTC', isDefault: true };
    const add = async (as: string) =>
      bodyOf(await callApi(service, 'POST', '/schedules', { token: as, body: hours }), 201).data.id;
    const [first, , strangers] = [await add(token), await add(token), await add(ann.token)];

    const body = { defaultScheduleId: first };
    expect(bodyOf(await call('PATCH', `/${user.id}`, body)).data).toMatchObject(body);
    const refused = await call('PATCH', `/${user.id}`, { defaultScheduleId: strangers, name: 'Other' });
    expect(Object.keys(bodyOf(refused, 400).error.details)).toEqual(['defaultScheduleId']);
    const unchanged = bodyOf(await call('GET', `/${user.id}`)).data;
    expect(unchanged).toMatchObject({ ...body, name: user.name });
    expect((await call('PATCH', `/${ann.user.id}`, { defaultScheduleId: strangers })).statusCode).toBe(404);
  });
});

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
