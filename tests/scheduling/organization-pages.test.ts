import { eq } from 'drizzle-orm';
import Fastify from 'fastify';
import fp from 'fastify-plugin';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessionsPlugin } from '../../src/accounts/sessions/session.ts';
import { users } from '../../src/accounts/tables.ts';
import { bookingPagesPlugin } from '../../src/scheduling/pages/routes.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { pageScopePlugin } from '../../src/web/page-scope.ts';
import { anyAddress, openWith, send } from '../support/any-visitor.ts';
import {
  addEventType,
  addTeamEventType,
  dana,
  fillIn,
  type TestEventType,
  uidIn,
} from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addressesOn, isOwnAddress, policyOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import { addOrganization, joinOrganization, moveTeam } from '../support/platform.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addUser, startSession, type TestUser } from '../support/world.ts';

const general = await openTestService();
const service = await openAnotherInstance(general, {
  APP_URL: 'https://app.example',
  ORG_HOST: 'cal.example',
});
const { db } = service.database;
const acme = { headers: { host: 'acme.cal.example' } };

async function addNamed(slug: string, isPlatform = false): Promise<number> {
  return (await addOrganization(service, { slug, name: slug, isPlatform })).id;
}

async function addMember(organizationId: number): Promise<TestUser> {
  const user = await addUser(service);
  await joinOrganization(service, user.id, organizationId);
  return user;
}

interface Place {
  readonly user: TestUser;
  readonly talk: TestEventType;
  readonly team: { readonly slug: string };
  readonly teamTalk: TestEventType;
}

async function addPlace(organizationId: number | null): Promise<Place> {
  const user = organizationId === null ? await addUser(service) : await addMember(organizationId);
  const team = await addTeam(service, user);
  await moveTeam(service, team.id, organizationId);
  const [talk, teamTalk] = [await addEventType(service, user), await addTeamEventType(service, team, [user])];
  return { user, talk, team, teamTalk };
}

let [ofAcme, ofOther, ofPlatform, ofNobody]: (Place | undefined)[] = [];
beforeAll(async () => {
  ofAcme = await addPlace(await addNamed('acme'));
  ofOther = await addPlace(await addNamed('other'));
  ofPlatform = await addPlace(await addNamed('platform', true));
  ofNobody = await addPlace(null);
});

function placeOf(place: Place | undefined): Place {
  if (place === undefined) throw new Error('not made yet');
  return place;
}

const pathsOf = ({ user, talk, team, teamTalk }: Place): string[] => [
  talk.path,
  teamTalk.path,
  `/${user.username}`,
  `/team/${team.slug}`,
];

describe('an organization’s subdomain', () => {
  test('shows the pages of its people and teams', async () => {
    for (const path of pathsOf(placeOf(ofAcme))) {
      const page = await openWith(service, path, {}, acme);

      expect(page.statusCode).toBe(200);
      expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
    }
  });

  test('shows nobody else’s', async () => {
    for (const place of [ofOther, ofPlatform, ofNobody])
      for (const path of pathsOf(placeOf(place))) {
        const page = await openWith(service, path, {}, acme);
        expect(page.statusCode).toBe(404);
        expect(page.headers).not.toHaveProperty('location');
      }
    const slot = inBerlin(nextDate(), '10:00');
    const sent = await send(service, placeOf(ofNobody).talk.path, { ...dana, slot }, acme);
    expect(sent.statusCode).toBe(404);
    expect(await db.$count(bookings)).toBe(0);
  });

  test('of no organization shows nothing, a platform’s neither', async () => {
    for (const host of ['nowhere.cal.example', 'platform.cal.example'])
      for (const place of [ofAcme, ofPlatform])
        expect(
          (await openWith(service, placeOf(place).talk.path, {}, { headers: { host } })).statusCode,
        ).toBe(404);
  });

  test('leads from all other pages to the general address, and accepts none of their forms', async () => {
    for (const path of ['/', '/signin', '/settings/apps', '/bookings', '/auth/oauth2/authorize?x=1']) {
      const answer = await service.app.inject({ url: path, headers: acme.headers });
      expect([answer.statusCode, answer.headers.location]).toEqual([302, `https://app.example${path}`]);
    }
    const { email, password } = placeOf(ofAcme).user;
    for (const origin of ['https://acme.cal.example', 'https://app.example']) {
      const sent = await send(
        service,
        '/signin',
        { email, password },
        { headers: { ...acme.headers, origin } },
      );
      expect(sent.statusCode).toBe(404);
      expect(sent.headers).not.toHaveProperty('set-cookie');
    }
    expect((await openWith(service, '/a/b/c', {}, acme)).statusCode).toBe(404);
  });

  test('knows nobody who is signed in', async () => {
    const { user, talk } = placeOf(ofAcme);
    const cookie = await startSession(service, user);
    const slot = inBerlin(nextDate(), '10:00');

    const page = await openWith(service, talk.path, { slot }, { headers: { ...acme.headers, cookie } });

    expect(typedIn(page, 'email')).toBe('');
    expect(page.body).not.toContain(user.email);
  });

  test('takes a booking from its own form, and leads on to the general address', async () => {
    const { talk } = placeOf(ofAcme);
    const slot = inBerlin(nextDate(), '10:00');
    const headers = { ...acme.headers, origin: 'https://acme.cal.example' };
    const page = await openWith(service, talk.path, { slot }, acme);

    const sent = await send(service, talk.path, await fillIn(service, talk.path, slot, {}, acme), {
      headers,
    });

    expect(page.body).toContain(`action="${talk.path}"`);
    expect(policyOf(page)['form-action']).toEqual(["'self'", 'https://app.example']);
    expect(sent.statusCode).toBe(303);
    expect(sent.headers.location).toMatch(/^https:\/\/app\.example\/booking\//);
    const own = new URL(sent.headers.location ?? '').pathname;
    expect((await openWith(service, own)).statusCode).toBe(200);
    expect((await openWith(service, own, {}, acme)).headers.location).toBe(`https://app.example${own}`);
    expect(await db.$count(bookings, eq(bookings.uid, uidIn(own)))).toBe(1);
  });

  test.each([
    'https://other.cal.example',
    'http://acme.cal.example',
    'https://acme.cal.example.evil.example',
    'https://app.example',
    'https://evil.example',
    'null',
  ])('takes none from a form at %s', async (origin) => {
    const { talk } = placeOf(ofAcme);
    const slot = inBerlin(nextDate(), '10:00');
    const form = await fillIn(service, talk.path, slot, { email: 'foreign@example.com' }, acme);

    const sent = await send(service, talk.path, form, { headers: { ...acme.headers, origin } });

    expect(sent.statusCode).toBe(403);
    expect(await db.$count(bookings, eq(bookings.attendeeEmail, 'foreign@example.com'))).toBe(0);
  });
});

describe('the general address', () => {
  test('leads to an organization’s pages, with what was chosen', async () => {
    const { talk, user } = placeOf(ofAcme);

    const page = await openWith(service, talk.path, { date: '2031-06-02', timeZone: 'Asia/Tokyo' });
    const list = await openWith(service, `/${user.username}`);
    const sent = await send(service, talk.path, { ...dana, slot: inBerlin(nextDate(), '10:00') });

    expect([page.statusCode, page.headers.location]).toEqual([
      302,
      `https://acme.cal.example${talk.path}?date=2031-06-02&timeZone=Asia%2FTokyo`,
    ]);
    expect(list.headers.location).toBe(`https://acme.cal.example/${user.username}`);
    expect([sent.statusCode, sent.headers.location]).toEqual([303, `https://acme.cal.example${talk.path}`]);
  });

  test('shows those of platforms and of all others', async () => {
    for (const place of [ofPlatform, ofNobody])
      for (const path of pathsOf(placeOf(place)))
        expect((await openWith(service, path)).statusCode).toBe(200);
  });

  test('shows those of all users where no host for organizations is configured', async () => {
    for (const place of [ofAcme, ofPlatform, ofNobody])
      for (const path of pathsOf(placeOf(place)))
        expect((await openWith(general, path, {}, acme)).statusCode).toBe(200);
  });

  test('has no page for a managed user (contract §8, bookingUrl)', async () => {
    const { user, talk } = await addPlace(null);
    await db.update(users).set({ managingClientId: 'a-platform' }).where(eq(users.id, user.id));

    for (const path of [talk.path, `/${user.username}`])
      expect((await openWith(service, path)).statusCode).toBe(404);
  });

  test.each([
    'evil.example',
    'acme.cal.example.evil.example',
    'acme.cal.example:8443',
    'a.acme.cal.example',
    '',
  ])('is what a Host %s gets, which is nowhere on the page (security C40)', async (host) => {
    const { talk } = placeOf(ofNobody);

    const page = await openWith(service, talk.path, {}, { headers: { host } });

    expect(page.statusCode).toBe(200);
    expect(page.body).toBe((await openWith(service, talk.path)).body);
  });
});

describe('a calendar that cannot be read', async () => {
  const person = await addUser(general);
  const talk = await addEventType(general, person);
  const app = Fastify();
  const read = async () => ({
    busy: [],
    unavailable: [{ calendarId: 1, userId: person.id, name: 'Private calendar of the host' }],
  });
  await app.register(
    fp(
      async (instance) => {
        const { brand, buckets, calendars, config, mail, parts, runtime, secrets } = general.app;
        const away = {
          brand,
          config,
          db,
          mail,
          parts,
          buckets,
          runtime,
          secrets,
          calendars: { ...calendars, read },
        };
        for (const [name, value] of Object.entries<unknown>(away)) instance.decorate(name, value);
      },
      { name: 'platform' },
    ),
  );
  await app.register(async (pages) => {
    await pages.register(pageScopePlugin);
    await pages.register(sessionsPlugin);
    await pages.register(bookingPagesPlugin);
  });
  const away = { ...general, app };
  const slot = inBerlin(nextDate(), '10:00');

  test.each([{}, { slot }])('shows a kind page without its name: %o (contract §8)', async (query) => {
    const page = await openWith(away, talk.path, query);

    expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '10']);
    expect(titleOf(page)).toBe('Talk');
    expect(textOf(page.body)).toContain('We can’t load available times right now');
    expect(page.body).not.toContain('Private calendar');
  });

  test('keeps what was typed, and books nothing', async () => {
    const fields = { ...dana, email: 'away@example.com', notes: '', guests: '', slot };

    const sent = await send(away, talk.path, fields, { remoteAddress: anyAddress() });

    expect([sent.statusCode, sent.headers['retry-after']]).toEqual([503, '10']);
    expect(typedIn(sent, 'email')).toBe('away@example.com');
    expect(sent.body).not.toContain('Private calendar');
    expect(await db.$count(bookings, eq(bookings.attendeeEmail, 'away@example.com'))).toBe(0);
  });

  test('neither reschedules a booking', async () => {
    const answer = await send(general, talk.path, await fillIn(general, talk.path, slot));
    const own = answer.headers.location ?? '';

    const calendar = await openWith(away, `${own}/reschedule`);
    const sent = await send(away, `${own}/reschedule`, { slot: inBerlin(nextDate(), '10:00') });

    expect([calendar.statusCode, sent.statusCode]).toEqual([503, 503]);
    expect((await openWith(general, own)).body).toContain('You’re booked with');
  });
});
