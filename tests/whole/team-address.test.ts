import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { groups } from '../../src/accounts/tables.ts';
import { bookingUrlOf, publicPages } from '../../src/scheduling/core/booking-url.ts';
import { addTeamEventType } from '../support/booking.ts';
import { addGroup, addMember, addPerson, openAs } from '../support/groups.ts';
import { addressesOn, textOf, titleOf } from '../support/page-content.ts';
import { addOrganization, moveTeam } from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

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
