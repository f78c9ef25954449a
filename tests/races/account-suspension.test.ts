import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { sessions, users } from '../../src/accounts/tables.ts';
import { codeOf, openDecision, requestOf } from '../support/authorization.ts';
import {
  addGroup,
  addMember as addGroupMember,
  addPerson,
  invitationsOf,
  newAddress,
  readyForm,
  rolesOf,
  statusesOf,
} from '../support/groups.ts';
import { type Held, holdPermissions, holdRow } from '../support/held.ts';
import {
  clientsOf,
  developerHome,
  formTokenOf,
  newRegistrationKey,
  registration,
  reviewDecisions,
  submitClient,
} from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { accountsHome, suspend } from '../support/suspension.ts';
import { dead, grantsOf, issueCode, refusalOf, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  clientFields,
  connect,
  deviceCookieOf,
  postForm,
  requestToken,
  signIn,
} from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const adminCookie = await signIn(service, admin);

/** Both wait for the same lock, the suspension first or last. */
async function inOrder(
  held: Held,
  acts: readonly [() => Promise<LightMyRequestResponse>, () => Promise<LightMyRequestResponse>],
): Promise<readonly [LightMyRequestResponse, LightMyRequestResponse]> {
  const [first, second] = acts;
  const one = first();
  await held.untilWaiting(1);
  const other = second();
  await held.untilWaiting(2);
  await held.release();
  return Promise.all([one, other]);
}

describe('while an account is suspended (security C72)', () => {
  test('an approval that comes second gives nothing, and one that came first is ended', async () => {
    const client = await addClient(service);
    for (const isFirst of [true, false]) {
      const { user, cookie } = await addPerson(service);
      const form = await openDecision(service, requestOf(client), cookie);
      const suspending = await readyForm(
        another,
        [`${accountsHome}/${user.id}/suspend`, { reason: 'Spam' }],
        adminCookie,
      );
      const approving = () => postForm(service, authorizePath, { ...form, action: 'allow' }, cookie);
      const held = await holdPermissions(service, user);

      const answers = await inOrder(held, isFirst ? [suspending, approving] : [approving, suspending]);

      const approved = isFirst ? answers[1] : answers[0];
      expect(statusesOf(answers)).toEqual([303, 303]);
      if (isFirst) expect(approved.headers.location).toMatch(/^\/signin\?/);
      const own = (await grantsOf(service, client)).filter(({ userId }) => userId === user.id);
      expect(own.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
      const request = {
        ...clientFields(client),
        grant_type: 'authorization_code',
        redirect_uri: client.redirectUri,
      };
      if (!isFirst)
        expect((await requestToken(service, { ...request, code: codeOf(approved) })).statusCode).toBe(400);
    }
  });

  test.each([true, false])(
    'an exchange gives no token that works, the suspension first: %s',
    async (isFirst) => {
      const client = await addClient(service);
      const { user } = await addPerson(service);
      const request = await issueCode(service, client, { user });
      const [issued] = await grantsOf(service, client);
      const suspending = await readyForm(
        another,
        [`${accountsHome}/${user.id}/suspend`, { reason: 'Spam' }],
        adminCookie,
      );
      const exchanging = () => requestToken(service, request);
      const held = await holdRow(service, 'grants', String(issued?.id));

      const answers = await inOrder(held, isFirst ? [suspending, exchanging] : [exchanging, suspending]);

      if (isFirst) expect(refusalOf(answers[1])).toEqual([400, 'invalid_grant', 'code_invalid_or_expired']);
      else expect(await use(service, client, answers[0].json())).toEqual(dead);
    },
  );

  test('a sign-in and a registration that had begun before open and make nothing', async () => {
    const { user, cookie } = await addPerson(service);
    const form = {
      form_token: await formTokenOf(service, cookie),
      ...registration,
      registration_key: newRegistrationKey(),
    };
    const suspending = await readyForm(
      another,
      [`${accountsHome}/${user.id}/suspend`, { reason: 'Spam' }],
      adminCookie,
    );
    const held = await holdPermissions(service, user);
    const suspended = suspending();
    await held.untilWaiting(1);
    const { email, password } = user;
    const late = [
      postForm(service, '/signin', { email, password }, deviceCookieOf(service, user)),
      postForm(service, `${developerHome}/new`, form, cookie),
    ];
    await held.untilWaiting(3);
    await held.release();

    expect((await suspended).statusCode).toBe(303);
    expect(statusesOf(await Promise.all(late))).toEqual([401, 403]);
    expect(await db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
    expect(await clientsOf(service, user.id)).toEqual([]);
  });

  test('an invitation and a role that it gives in a team come to nothing (security C151)', async () => {
    const group = await addGroup(service, 'team', await addUser(service));
    const { user, cookie } = await addGroupMember(service, group, 'admin');
    const friend = await addGroupMember(service, group, 'member');
    const acts = [
      await readyForm(service, [`${group.path}/invite`, { email: newAddress(), role: 'admin' }], cookie),
      await readyForm(service, [`${group.path}/members/${friend.user.id}/role`, { role: 'admin' }], cookie),
    ];
    const held = await holdRow(service, 'groups', group.id);
    const late = acts.map((act) => act());
    await held.untilWaiting(2);
    const suspended = await suspend(another, user, adminCookie);
    await held.release();

    expect(suspended.statusCode).toBe(303);
    expect(statusesOf(await Promise.all(late))).toEqual([403, 403]);
    expect(await invitationsOf(service, group)).toEqual([]);
    expect((await rolesOf(service, group))[friend.user.id]).toBe('member');
  });

  test('its app is not left approved by a review at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, owner } = await submitClient(service);

      const [suspended] = await Promise.all([
        suspend(another, owner, adminCookie),
        reviewDecisions.accept(service, id, adminCookie, undefined, 1),
      ]);

      expect(suspended.statusCode).toBe(303);
      expect((await clientsOf(service, owner.id)).map(({ status }) => status)).toEqual(['rejected']);
    }
  });

  test('a decision of an admin who is suspended meanwhile isn’t made (security C151)', async () => {
    const reviewer = await addUser(service, { isAdmin: true });
    const cookie = await signIn(service, reviewer);
    const { id, owner } = await submitClient(service);
    const held = await holdPermissions(service, reviewer);

    const suspending = suspend(another, reviewer, adminCookie);
    await held.untilWaiting(1);
    const deciding = reviewDecisions.accept(service, id, cookie, undefined, 1);
    await held.untilWaiting(2);
    await held.release();

    expect((await suspending).statusCode).toBe(303);
    expect((await deciding).statusCode).toBe(403);
    expect((await clientsOf(service, owner.id)).map(({ status }) => status)).toEqual(['pending']);
  });

  test('an admin who is suspended meanwhile restores nobody, not even their own account (security C151)', async () => {
    const other = await addUser(service, { isAdmin: true });
    const acts = [
      await readyForm(service, [`${accountsHome}/${other.id}/suspend`, { reason: 'Spam' }], adminCookie),
      await readyForm(another, [`${accountsHome}/${other.id}/restore`, {}], await signIn(service, other)),
    ] as const;
    const held = await holdPermissions(service, other);

    const answers = await inOrder(held, acts);

    expect(statusesOf(answers)).toEqual([303, 403]);
    const [row] = await db.select().from(users).where(eq(users.id, other.id));
    expect(row?.suspendedAt).not.toBeNull();
  });

  test('one of two admins who suspend each other stays', async () => {
    const others = await Promise.all([1, 2].map(() => addUser(service, { isAdmin: true })));
    const [one, two] = others;
    if (one === undefined || two === undefined) throw new Error('two admins are needed');
    const acts = await Promise.all([
      readyForm(
        service,
        [`${accountsHome}/${two.id}/suspend`, { reason: 'Spam' }],
        await signIn(service, one),
      ),
      readyForm(
        another,
        [`${accountsHome}/${one.id}/suspend`, { reason: 'Spam' }],
        await signIn(service, two),
      ),
    ]);

    const answers = await Promise.all(acts.map((act) => act()));

    // Whose account ends first is refused as no admin, or led to the sign-in, as the session is gone.
    const [done, refused] = statusesOf(answers);
    expect(done).toBe(303);
    expect([307, 403]).toContain(refused);
    const rows = await db.select().from(users).where(eq(users.isAdmin, true));
    const left = rows.filter(
      ({ id, suspendedAt }) => others.some((other) => other.id === id) && suspendedAt === null,
    );
    expect(left).toHaveLength(1);
  });

  test('what is connected meanwhile ends with it', async () => {
    const client = await addClient(service);
    const { user, cookie } = await addPerson(service);
    const tokens = await connect(service, client, cookie);

    await suspend(service, user, adminCookie);

    expect(await use(service, client, tokens)).toEqual(dead);
  });
});
