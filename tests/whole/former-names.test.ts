import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { formerNames } from '../../src/accounts/tables.ts';
import { findAccountRow, signUpFields } from '../support/accounts.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { addGroup, addPerson, type TestGroup, type TestPerson } from '../support/groups.ts';
import { faultOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
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
