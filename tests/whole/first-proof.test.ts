import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ensureAdmin } from '../../src/accounts/admin/admins.ts';
import { promoteAccount } from '../../src/accounts/admin/store.ts';
import { addMember as addToGroup } from '../../src/accounts/groups/store.ts';
import { groupKinds } from '../../src/accounts/person.ts';
import {
  devices,
  emailVerifications,
  invitations,
  memberships,
  passkeys,
  sessions,
  users,
} from '../../src/accounts/tables.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { calendars, eventTypeHosts } from '../../src/scheduling/tables.ts';
import { allCookiesOf, cookieOf, findAccountRow, isSignedIn, signUpFields } from '../support/accounts.ts';
import { contextOf } from '../support/audit.ts';
import { addTeamEventType } from '../support/booking.ts';
import {
  addGroup,
  addInvitation,
  addPerson,
  answerInvitation,
  openAs,
  rolesOf,
  type TestGroup,
} from '../support/groups.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, type TestService } from '../support/service.ts';
import { openVerifyingService, pressVerify, verifyPathTo } from '../support/verification.ts';
import { addClient, addUser, connect, postForm, signIn, type TestUser } from '../support/world.ts';
import { addWebhookRow, countWebhooks } from './webhook-rows.ts';

const service = await openVerifyingService();
/** The same accounts, where nobody has to verify anything. */
const off = await openAnotherInstance(service);
const { db } = service.database;

/** Beyond every window in which something is counted. */
beforeEach(() => service.clock.advance(3600));

describe.each(groupKinds)('an invitation to a %s', (kind) => {
  test('is accepted by nobody whose address is not verified, and leads back to itself (security C201)', async () => {
    const owner = await addUser(service);
    const group = await addGroup(service, kind, owner);
    const { link } = await addInvitation(service, group, owner);
    const stranger = await addUser(service, { isVerified: false });
    const cookie = await signIn(service, stranger);

    const refused = await answerInvitation(service, link, 'accept', group, cookie);

    expect([refused.statusCode, titleOf(refused)]).toEqual([403, 'Verify your email to continue']);
    expect(refused.body).toContain(`name="return_to" value="${link}"`);
    expect(await rolesOf(service, group)).toEqual({ [owner.id]: 'owner' });
    expect((await openAs(service, link, cookie)).statusCode).toBe(200);
    expect((await answerInvitation(off, link, 'accept', group, await signIn(off, stranger))).statusCode).toBe(
      303,
    );
  });
});

/** What a stranger can have left in an account, from before or where nothing had to be verified. */
async function addLeftovers(user: TestUser) {
  const owner = await addPerson(service);
  const team = await addGroup(service, 'team', owner.user);
  await addToGroup(db, team, user.id, 'member');
  await addTeamEventType(service, { id: team.id, slug: 'left' }, [user]);
  const own = await addGroup(service, 'team', user);
  const helper = await addPerson(service);
  await addToGroup(db, own, helper.user.id, 'member');
  await addInvitation(service, own, user);
  const alone = await addGroup(service, 'team', user);
  const app = await addClient(service);
  await db.update(clients).set({ ownerId: user.id }).where(eq(clients.id, app.id));
  await connect(off, await addClient(service), await signIn(off, user));
  const now = service.clock.now();
  const encryptedSecret = Buffer.from('secret');
  for (const owned of [{ userId: user.id }, { teamId: team.id, makerId: user.id }])
    await addWebhookRow(db, owned);
  const calendar = { userId: user.id, name: 'Other', kind: 'ics_feed' } as const;
  const encryptedAccess = encryptedSecret;
  await db.insert(calendars).values({ ...calendar, encryptedAccess, createdAt: now });
  const passkey = { id: randomUUID(), name: 'Other', publicKey: 'key', counter: 0 };
  await db.insert(passkeys).values({ ...passkey, userId: user.id, createdAt: now });
  return { team, own, alone, owner: owner.user, helper: helper.user, cookie: await signIn(off, owner.user) };
}

/** What is there of it. */
const devicesOf = ({ id }: Pick<TestUser, 'id'>) => db.select().from(devices).where(eq(devices.userId, id));

async function listLeft({ id }: Pick<TestUser, 'id'>) {
  const groups = await db.select().from(memberships).where(eq(memberships.userId, id));
  const live = (await db.select().from(grants).where(eq(grants.userId, id))).filter((one) => !one.revokedAt);
  return {
    groups: groups.map(({ groupId }) => groupId),
    hosts: await db.$count(eventTypeHosts, eq(eventTypeHosts.userId, id)),
    invitations: await db.$count(invitations, eq(invitations.inviterId, id)),
    apps: await db.$count(clients, eq(clients.ownerId, id)),
    grants: live.length,
    webhooks: await countWebhooks(db, sql`${id} in (user_id, app_user_id)`),
    calendars: await db.$count(calendars, eq(calendars.userId, id)),
    passkeys: await db.$count(passkeys, eq(passkeys.userId, id)),
  };
}

const none = { hosts: 0, invitations: 0, apps: 0, grants: 0, webhooks: 0, calendars: 0, passkeys: 0 };
const all = { hosts: 1, invitations: 1, apps: 1, grants: 1, webhooks: 2, calendars: 1, passkeys: 1 };

const { grants: _grants, ...allButGrants } = all;

const proofs: readonly (readonly [string, (user: TestUser, at: TestService) => Promise<unknown>])[] = [
  [
    'a password reset',
    async ({ email }, at) =>
      postForm(at, await obtainResetPath(service, email), { password: 'words of the owner' }),
  ],
  ['a promotion at the command line', async ({ id }, at) => promoteAccount(at.app, id, contextOf(at))],
  [
    'ADMIN_EMAIL',
    async ({ email }, at) => ensureAdmin(at.app, { email, password: 'words of the operator' }, contextOf(at)),
  ],
];

describe.each(proofs)('the first proof of an address, by %s', (name, prove) => {
  test('ends everything that a stranger may have left in the account (security C201)', async () => {
    const user = await addUser(service, { isVerified: false });
    const { team, own, alone, owner, helper } = await addLeftovers(user);
    expect(await listLeft(user)).toEqual({ ...all, groups: [team.id, own.id, alone.id] });

    await prove(user, service);

    expect(await listLeft(user)).toEqual({ ...none, groups: [alone.id] });
    expect(await rolesOf(service, team)).toEqual({ [owner.id]: 'owner' });
    expect(await rolesOf(service, own)).toEqual({ [helper.id]: 'owner' });
  });

  test('of an address that was verified before, ends sessions and known browsers, and no team, app of their own, webhook or calendar', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const { team, own, alone } = await addLeftovers(user);
    const [known] = await devicesOf(user);

    await prove(user, service);

    const { groups, apps, webhooks, calendars } = await listLeft(user);
    expect([groups, apps, webhooks, calendars]).toEqual([[team.id, own.id, alone.id], 1, 2, 1]);
    expect(await isSignedIn(service, cookie)).toBe(false);
    expect(known?.idHash).toMatch(/^[\w-]{43}$/);
    expect(await devicesOf(user)).not.toContainEqual(known);
  });

  test('where no address has to be verified, ends sessions and passkeys, and nothing that its owner made', async () => {
    const user = await addUser(service, { isVerified: false });
    const cookie = await signIn(off, user);
    const { team, own, alone, helper } = await addLeftovers(user);

    await prove(user, off);

    const { grants, ...left } = await listLeft(user);
    expect(left).toEqual({ ...allButGrants, passkeys: 0, groups: [team.id, own.id, alone.id] });
    expect(await rolesOf(service, own)).toEqual({ [user.id]: 'owner', [helper.id]: 'member' });
    expect(await isSignedIn(off, cookie)).toBe(false);
    expect(grants).toBe(name === 'a promotion at the command line' ? 1 : 0);
  });

  test('of an account that signed up while addresses had to be verified, ends all where they no longer have to', async () => {
    const user = await addUser(service, { isVerified: false });
    const { alone } = await addLeftovers(user);
    const link = { userId: user.id, tokenHash: randomUUID(), email: user.email, returnTo: '/' };
    await db
      .insert(emailVerifications)
      .values({ ...link, browserHash: 'that signed up', createdAt: service.clock.now() });

    await prove(user, off);

    expect(await listLeft(user)).toEqual({ ...none, groups: [alone.id] });
  });
});

test('an account that was suspended while the operator was asked is made no admin (security C72)', async () => {
  const { id } = await addUser(service);
  await db.update(users).set({ suspendedAt: service.clock.now() }).where(eq(users.id, id));

  expect(await promoteAccount(service.app, id, contextOf(service))).toBe(false);

  expect(await db.select({ isAdmin: users.isAdmin }).from(users).where(eq(users.id, id))).toEqual([
    { isAdmin: false },
  ]);
});

test('who resets the password of an account that was never verified can keep what is in it, but no passkey', async () => {
  const user = await addUser(service, { isVerified: false });
  const { team, own, alone } = await addLeftovers(user);
  const path = await obtainResetPath(service, user.email);

  const page = await service.app.inject(path);
  await postForm(service, path, { password: 'words of the owner', keep_apps: 'on' });

  expect(textOf(page.body)).toContain('Keep what’s in this account');
  expect(await listLeft(user)).toEqual({ ...all, passkeys: 0, groups: [team.id, own.id, alone.id] });
});

test('the page of a reset speaks of connected apps alone where no address has to be verified', async () => {
  const user = await addUser(service, { isVerified: false });
  const path = await obtainResetPath(service, user.email);

  const page = textOf((await off.app.inject(path)).body);

  expect(page).toContain('Keep apps, personal tokens, webhooks and the chosen calendar');
  expect(page).not.toContain('webhooks end');
});

describe('the first proof of an address by a link', () => {
  test('keeps its browser signed in, and ends the sessions elsewhere and every hold of others (security C201)', async () => {
    const fields = signUpFields();
    const signedUp = await postForm(service, '/signup', fields);
    const own = await signIn(service, fields);
    const elsewhere = await signIn(service, fields);
    const user = await findAccountRow(service, fields.email);
    const group: TestGroup = await addGroup(service, 'team', await addUser(service));
    if (user !== undefined) await addToGroup(db, group, user.id, 'member');

    const answer = await pressVerify(service, await verifyPathTo(service, fields.email), own);

    expect([answer.statusCode, signedUp.statusCode]).toEqual([303, 303]);
    expect(await isSignedIn(service, own)).toBe(true);
    expect(await isSignedIn(service, elsewhere)).toBe(false);
    expect(Object.keys(await rolesOf(service, group))).not.toContain(String(user?.id));
  });

  test('in the browser that signed up ends the sessions that there were', async () => {
    const fields = signUpFields();
    const cookie = allCookiesOf(await postForm(service, '/signup', fields));
    const earlier = await signIn(service, fields);

    const answer = await pressVerify(service, await verifyPathTo(service, fields.email), cookie);

    expect(await isSignedIn(service, cookieOf(answer))).toBe(true);
    expect(await isSignedIn(service, earlier)).toBe(false);
  });

  test('leaves an account from before addresses had to be verified what its owner made', async () => {
    const user = await addUser(service, { isVerified: false });
    const { team, own, alone } = await addLeftovers(user);
    await db.delete(passkeys).where(eq(passkeys.userId, user.id));
    const cookie = await signIn(service, user);
    await postOwnForm(service, '/verify/resend', {}, cookie);

    await pressVerify(service, await verifyPathTo(service, user.email), cookie);

    expect((await findAccountRow(service, user.email))?.emailVerifiedAt).not.toBeNull();
    expect(await listLeft(user)).toEqual({ ...all, passkeys: 0, groups: [team.id, own.id, alone.id] });
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
    expect(await db.$count(emailVerifications, eq(emailVerifications.userId, user.id))).toBe(0);
  });
});
