import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { formerNames, groups } from '../../src/accounts/tables.ts';
import { bookingUrlOf, publicPages } from '../../src/scheduling/core/booking-url.ts';
import { findAccountRow, signUpFields } from '../support/accounts.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import {
  addGroup,
  addMember,
  addPerson,
  openAs,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { addressesOn, faultOf, textOf, titleOf } from '../support/page-content.ts';
import { addOrganization, moveTeam } from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { postForm } from '../support/world.ts';

const general = await openTestService();

const service = await openAnotherInstance(general, {
  APP_URL: 'https://app.example',
  ORG_HOST: 'cal.example',
});

const { db } = service.database;
const day = 86_400;
const newName = (): string => `name-${randomBytes(6).toString('hex')}`;

async function rename({ cookie }: TestPerson, username: string) {
  const fields = { name: 'Ann', username, time_zone: 'UTC', week_start: 'Monday', time_format: '24' };
  return postOwnForm(service, '/settings/profile', fields, cookie);
}

/** The username that someone of this name is given. */
async function signUpAs(name: string) {
  const fields = { ...signUpFields(), name };
  expect((await postForm(service, '/signup', fields)).statusCode).toBe(303);
  return (await findAccountRow(service, fields.email))?.username;
}

async function changeSlug({ cookie }: TestPerson, group: TestGroup, slug: string) {
  return postOwnForm(service, `${group.path}/edit`, { name: group.name, slug }, cookie);
}

async function createOrganization({ cookie }: TestPerson, slug: string) {
  const fields = { name: 'Taken over', slug, kind: 'regular' };
  return postOwnForm(service, '/settings/organization/new', fields, cookie);
}

async function whereTo(url: string, host = 'app.example') {
  const { statusCode, headers } = await service.app.inject({ url, headers: { host } });
  return [statusCode, headers.location];
}

describe('a former username (security C61)', () => {
  test('is nobody else’s for 90 days', async () => {
    const [person, other] = [await addPerson(service), await addPerson(service)];
    const former = person.user.username;
    await rename(person, newName());

    const signedUp = await signUpAs(former);
    const renamed = await rename(other, former);
    service.clock.advance(90 * day - 1);
    const late = await signUpAs(former);
    service.clock.advance(1);
    const free = await signUpAs(former);

    expect(renamed.statusCode).toBe(409);
    expect(faultOf(renamed, 'username')).toBe('This username is taken. Choose another.');
    expect([signedUp, late, free]).toEqual([`${former}-2`, `${former}-3`, former]);
    expect((await findAccountRow(service, other.user.email))?.username).toBe(other.user.username);
  });

  test('is nobody else’s from the moment it is given up', async () => {
    const person = await addPerson(service);
    const former = person.user.username;

    const [renamed, ...signUps] = await Promise.all([
      rename(person, newName()),
      ...Array.from({ length: 5 }, () => signUpAs(former)),
    ]);

    expect(renamed.statusCode).toBe(303);
    expect(signUps).not.toContain(former);
  });

  test('is one of the owner’s last three: nobody reserves names by renaming again and again', async () => {
    const person = await addPerson(service);
    const names = [person.user.username, ...Array.from({ length: 5 }, newName)];
    for (const name of names.slice(1)) {
      service.clock.advance(60);
      await rename(person, name);
    }

    const kept = await db.select().from(formerNames).where(eq(formerNames.ownerId, person.user.id));
    expect(kept.map(({ name }) => name).toSorted()).toEqual(names.slice(2, 5).toSorted());
    expect(await signUpAs(names[0] ?? '')).toBe(names[0]);
    expect(await signUpAs(names[4] ?? '')).toBe(`${names[4]}-2`);
  });

  test('can be taken back by its owner', async () => {
    const person = await addPerson(service);
    const former = person.user.username;
    await rename(person, newName());

    expect((await rename(person, former)).statusCode).toBe(303);
    expect((await findAccountRow(service, person.user.email))?.username).toBe(former);
  });

  test('leads to the pages of today', async () => {
    const person = await addPerson(service);
    const { path } = await addEventType(service, person.user);
    const [former, between, current] = [person.user.username, newName(), newName()];
    await rename(person, between);
    await rename(person, current);

    for (const name of [former, between, former.toUpperCase()]) {
      expect(await whereTo(`/${name}`)).toEqual([302, `/${current}`]);
      const talk = path.replace(former, name);
      expect(await whereTo(`${talk}?month=2026-12`)).toEqual([
        302,
        `${path.replace(former, current)}?month=2026-12`,
      ]);
    }
    expect((await whereTo(`/${current}`))[0]).toBe(200);
    service.clock.advance(90 * day);
    expect(await whereTo(`/${former}`)).toEqual([404, undefined]);
  });

  test('leads nowhere while its owner has it again, or from a name that nobody had', async () => {
    const person = await addPerson(service);
    const former = person.user.username;
    await rename(person, newName());
    await rename(person, former);

    expect(await whereTo(`/${former}`)).toEqual([404, undefined]);
    expect(await whereTo(`/${newName()}`)).toEqual([404, undefined]);
    expect(await whereTo(`//${former}`)).toEqual([404, undefined]);
  });
});

describe('a former address of an organization (security C61)', () => {
  test('is nobody else’s, and leads from its subdomain to the one of today', async () => {
    const person = await addPerson(service);
    const group = await addGroup(service, 'organization', person.user);
    const { path } = await addEventType(service, person.user);
    const [former, current] = [newName(), newName()];
    await changeSlug(person, group, former);
    await changeSlug(person, group, current);

    const other = await addPerson(service);
    const taken = await createOrganization(other, former);

    expect(faultOf(taken, 'slug')).toBe('This address is taken. Choose another.');
    for (const url of [`/${person.user.username}`, path])
      expect(await whereTo(url, `${former}.cal.example`)).toEqual([
        302,
        `https://${current}.cal.example${url}`,
      ]);
    expect((await whereTo(path, `${current}.cal.example`))[0]).toBe(200);
    expect((await changeSlug(person, group, former)).statusCode).toBe(303);
  });

  test('is kept when the organization is deleted, and leads nowhere then', async () => {
    const [person, other] = [await addPerson(service), await addPerson(service)];
    const group = await addGroup(service, 'organization', person.user);
    const former = newName();
    await changeSlug(person, group, former);
    await postOwnForm(service, `${group.path}/delete`, { confirmation: group.name }, person.cookie);

    expect((await createOrganization(other, former)).statusCode).toBe(400);
    expect(await whereTo('/ann', `${former}.cal.example`)).toEqual([404, undefined]);
    service.clock.advance(90 * day);
    const later = await addPerson(service);
    expect((await createOrganization(later, former)).statusCode).toBe(303);
  });
});

test('a former team address leads to the one of today', async () => {
  const person = await addPerson(service);
  const group = await addGroup(service, 'team', person.user);
  const [former, current] = [newName(), newName()];
  await changeSlug(person, group, former);
  await addTeamEventType(service, { ...group, slug: former }, [person.user]);
  await changeSlug(person, group, current);

  expect(await whereTo(`/team/${former}`)).toEqual([302, `/team/${current}`]);
  expect((await whereTo(`/team/${current}`))[0]).toBe(200);
});

test.each([
  [null, undefined],
  [null, 'cal.example'],
  [{ slug: 'acme', isPlatform: false }, undefined],
  [{ slug: 'acme', isPlatform: false }, 'cal.example'],
  [{ slug: 'acme', isPlatform: true }, 'cal.example'],
])(
  'in the organization %j with ORG_HOST %s it is where the event types are (contract §8, bookingUrl)',
  (organization, orgHost) => {
    const hosts = { appUrl: 'https://app.example', orgHost };
    const team = { slug: 'garden' };

    const address = publicPages.teamAddress({ ...team, organization }, hosts);

    expect(`${address}/30min`).toBe(
      bookingUrlOf(
        {
          eventType: { slug: '30min' },
          user: null,
          userOrganization: null,
          team,
          teamOrganization: organization,
        },
        hosts,
      ),
    );
  },
);

describe('the address of a team', async () => {
  const service = await openTestService({ APP_URL: 'https://app.example', ORG_HOST: 'cal.example' });
  const { db } = service.database;
  const owner = await addPerson(service);
  const team = await addGroup(service, 'team', owner.user);
  const member = await addMember(service, team, 'member');
  const [row] = await db.select().from(groups).where(eq(groups.id, team.id));
  const slug = row?.slug ?? '';

  const expectLinked = async (path: string, cookie: string, address: string, href: string) => {
    const { body } = await openAs(service, path, cookie);
    expect(addressesOn(body)).toContain(href);
    expect(body).toContain(`data-copy="${address}"`);
    expect(textOf(body)).toContain(address);
  };

  test.each([
    ['owner', owner],
    ['member', member],
  ])('is there in full for its %s, to be opened and copied', async (_, { cookie }) => {
    for (const path of ['/settings/teams', `/settings/teams/${team.id}`])
      await expectLinked(path, cookie, `https://app.example/team/${slug}`, `/team/${slug}`);
  });

  test('is on the subdomain of its regular organization', async () => {
    const acme = await addOrganization(service, { isPlatform: false, slug: 'acme' });
    await moveTeam(service, team.id, acme.id);

    const address = `https://acme.cal.example/team/${slug}`;
    for (const path of ['/settings/teams', `/settings/teams/${team.id}`])
      await expectLinked(path, member.cookie, address, address);
  });
});

describe('a new team', async () => {
  const service = await openTestService();

  test.each([
    ['Garden Club', 'garden-club'],
    ['Ärzte & Söhne', 'arzte-sohne'],
    ['園芸', 'team'],
    ['Admin', 'team'],
  ])('called %s has an address by itself, and another one if that is taken', async (name, slug) => {
    const { db } = service.database;
    const [ann, ben] = [await addPerson(service), await addPerson(service)];
    await db.delete(groups);

    for (const { cookie } of [ann, ann, ben])
      await postOwnForm(service, '/settings/teams/new', { name, slug: '' }, cookie);

    const made = await db.select({ slug: groups.slug }).from(groups).orderBy(groups.id);
    expect(made.map((one) => one.slug)).toEqual([slug, `${slug}-2`]);
  });

  test('shows its members what it lacks where others find nothing, and its page has its event types', async () => {
    const owner = await addPerson(service);
    const team = await addTeam(service, owner.user);
    const path = `/team/${team.slug}`;
    const at = (url: string, cookie?: string) => openAs(service, url, cookie);
    const form = `/settings/event-types/new?team=${team.id}`;

    const [own, others, before] = [
      await at(path, owner.cookie),
      await at(path),
      await at(`/settings/teams/${team.id}`, owner.cookie),
    ];
    const { id } = await addTeamEventType(service, team, [owner.user]);
    const after = await at(`/settings/teams/${team.id}`, owner.cookie);

    expect([own.statusCode, others.statusCode]).toEqual([200, 404]);
    expect(titleOf(own)).toBe('No event types yet');
    expect(addressesOn(own.body)).toContain(form);
    expect(textOf(before.body)).toContain('Nobody can book the team yet');
    expect(addressesOn(before.body)).toContain(form);
    expect(addressesOn(after.body)).toContain(`/settings/event-types/${id}`);
  });
});
