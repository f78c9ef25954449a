import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { expiredSignUps } from '../../src/accounts/sign-up/store.ts';
import { emailVerifications, users } from '../../src/accounts/tables.ts';
import { createCleanup } from '../../src/cleanup.ts';
import { loadParts } from '../../src/parts.ts';
import { batchRows, deleteBatch, pastLife } from '../../src/platform/retention/store.ts';
import { calendars } from '../../src/scheduling/tables.ts';
import { findAccountRow, signUpFields } from '../support/accounts.ts';
import { addEventType } from '../support/booking.ts';
import { addGroup } from '../support/groups.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { queryRows } from '../support/query-rows.ts';
import { postOwnForm } from '../support/registration.ts';
import { openVerifyingService, pressVerify, verifyPathTo } from '../support/verification.ts';
import { addUser, postForm, signIn, type TestUser } from '../support/world.ts';

const parts = await loadParts();

const service = await openVerifyingService();
const { db } = service.database;
const { config } = service.app;
const day = 86_400;

const cleanUp = (as = config) =>
  createCleanup({ db, runtime: service.clock, config: as, parts, log: pino({ level: 'silent' }) }).run();

async function signUp(changes: Partial<ReturnType<typeof signUpFields>> = {}) {
  const fields = { ...signUpFields(), ...changes };
  expect((await postForm(service, '/signup', fields)).statusCode).toBe(303);
  const row = await findAccountRow(service, fields.email);
  if (row === undefined) throw new Error('no account');
  return { ...fields, id: row.id, username: row.username ?? '' } satisfies TestUser;
}

/** Accounts that were never verified, with links as old as they are. */
const addSignUps = (count: number, days: number) =>
  db.execute(sql`
    with added as (
      insert into users (email, name, password_hash, created_at)
      select gen_random_uuid() || '@example.com', 'x', 'x', ${at(days)} from generate_series(1, ${count}::int)
      returning id, email)
    insert into email_verifications (user_id, token_hash, email, browser_hash, return_to, created_at)
    select id, email, email, 'x', '/', ${at(days)} from added`);

const at = (daysAgo: number) =>
  sql`${new Date(service.clock.now().getTime() - daysAgo * day * 1000).toISOString()}::timestamptz`;

test('an account that is never verified goes after 30 days with its hours and event types, and its address and username are free', async () => {
  const fields = await signUp();
  await addEventType(service, fields);
  service.clock.advance(30 * day - 1);
  await cleanUp();
  expect(await findAccountRow(service, fields.email)).toBeDefined();
  service.clock.advance(1);

  await cleanUp();

  expect(await findAccountRow(service, fields.email)).toBeUndefined();
  const again = await signUp({ email: fields.email, name: fields.name });
  expect(again.id).not.toBe(fields.id);
  expect(again.username).toBe(fields.username);
});

test('whoever asks for new links, or another address, keeps it no longer', async () => {
  const fields = await signUp();
  service.clock.advance(29 * day);
  const cookie = await signIn(service, fields);
  await postOwnForm(service, '/verify/resend', {}, cookie);
  await postOwnForm(service, '/settings/profile/email', { email: signUpFields().email }, cookie);
  service.clock.advance(day);

  await cleanUp();

  expect(await findAccountRow(service, fields.email)).toBeUndefined();
});

describe('an account stays', () => {
  const keep = async (user: TestUser, as = config) => {
    service.clock.advance(40 * day);
    await cleanUp(as);
    return db.$count(users, eq(users.id, user.id));
  };

  test('that was verified, by its link or by a reset', async () => {
    const [one, other] = [await signUp(), await signUp()];
    const cookie = await signIn(service, one);
    await pressVerify(service, await verifyPathTo(service, one.email), cookie);
    await postForm(service, await obtainResetPath(service, other.email), { password: 'some other words' });

    expect([await keep(one), await keep(other)]).toEqual([1, 1]);
  });

  test('in which there is something', async () => {
    const [member, busy] = [await signUp(), await signUp()];
    await addGroup(service, 'team', member);
    const calendar = { kind: 'ics_feed', name: 'x', encryptedAccess: new Uint8Array(60) } as const;
    await db.insert(calendars).values({ ...calendar, userId: busy.id, createdAt: service.clock.now() });

    expect([await keep(member), await keep(busy)]).toEqual([1, 1]);
  });

  test('from before anybody had to verify, even once it has asked for a link', async () => {
    const user = await addUser(service, { isVerified: false });
    await postOwnForm(service, '/verify/resend', {}, await signIn(service, user));

    expect(await keep(user)).toBe(1);
  });

  test('that was suspended, so that nobody begins anew with its address (security C72)', async () => {
    const user = await signUp();
    await db.update(users).set({ suspendedAt: service.clock.now() }).where(eq(users.id, user.id));

    expect(await keep(user)).toBe(1);
  });

  test('where nobody has to verify anything', async () => {
    const user = await signUp();

    expect(await keep(user, { ...config, emailVerification: 'off' })).toBe(1);
  });
});

describe('the cleanup of accounts and links is bounded (security C77)', () => {
  beforeAll(async () => {
    await addSignUps(3000, 1);
    await db.execute(sql`analyze`);
  });

  test('a batch is a thousand rows, and leaves what is younger', async () => {
    await cleanUp();
    const [accounts, links] = [await db.$count(users), await db.$count(emailVerifications)];
    await addSignUps(1200, 30);
    const expired = () => expiredSignUps(service.clock.now(), config, parts);

    expect([await deleteBatch(db, expired()), await deleteBatch(db, expired())]).toEqual([batchRows, 200]);
    expect([await db.$count(users), await db.$count(emailVerifications)]).toEqual([accounts, links]);
  });

  test('links go a day later, of accounts with something in them, too', async () => {
    const links = await db.$count(emailVerifications);
    await addSignUps(1200, 31);
    const after31Days = new Date(service.clock.now().getTime() + 1);
    const expired = pastLife(emailVerifications.createdAt, 31)(after31Days);

    expect([await deleteBatch(db, expired), await deleteBatch(db, expired)]).toEqual([batchRows, 200]);
    expect(await db.$count(emailVerifications)).toBe(links);
  });

  test('and finds its rows by index, among many others', async () => {
    await addSignUps(5, 30);
    await db.execute(sql`analyze`);
    const { statements } = service.database;
    statements.splice(0);
    const now = service.clock.now();
    for (const expired of [
      expiredSignUps(now, config, parts),
      pastLife(emailVerifications.createdAt, 31)(now),
    ])
      await deleteBatch(db, expired);

    expect(statements).toHaveLength(2);
    for (const text of [...statements]) {
      const plan = JSON.stringify(
        await queryRows(service.database.url, `explain (generic_plan, format json) ${text}`),
      );
      expect(plan).toContain('email_verifications_created_at_index');
      expect(plan).toContain('Tid Scan');
    }
  });
});
