import { type SQL, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCleanup, maxBatches, startCleanup } from '../../src/cleanup.ts';
import { readConfig } from '../../src/config.ts';
import { expiredGrants } from '../../src/oauth/revocation/store.ts';
import { loadParts } from '../../src/parts.ts';
import { advisoryLocks } from '../../src/platform/database.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import {
  batchRows,
  chunksAMinute,
  deleteBatch,
  deleteOnWalk,
  minChunks,
  pastLife,
} from '../../src/platform/retention/store.ts';
import { openTestDatabase } from '../support/database.ts';
import { withoutTable } from '../support/database-faults.ts';
import { queryRows } from '../support/query-rows.ts';
import { createTestClock, linesTo } from '../support/service.ts';

const parts = await loadParts();

const database = await openTestDatabase();
afterAll(database.close);
const { db } = database;
const clock = createTestClock();
const config = readConfig({ SMTP_URL: undefined });

const appOf = (lines: string[] = []) => ({
  ...{ db, runtime: clock, config, parts },
  log: pino({}, linesTo(lines)),
});

/** Twice: a walk begins anywhere, and goes on at the beginning. */
async function cleanUp(app = appOf()): Promise<void> {
  const cleanup = createCleanup(app);
  await cleanup.run();
  await cleanup.run();
}

/** When a row's life ends, from now on. */
const at = (milliseconds: number): SQL =>
  sql`${new Date(clock.now().getTime() + milliseconds).toISOString()}::timestamptz`;
const dayMs = 86_400_000;

type Rows = (end: SQL, count: number, mark: string) => SQL;

const numbers = (count: number): SQL => sql`generate_series(1, ${count}::int) n`;
const grant = (columns: string, values: (end: SQL) => SQL): Rows => {
  return (end, count) => sql`
    insert into grants (id, client_id, user_id, redirect_uri, ${sql.raw(columns)})
    select gen_random_uuid(), 'app', 1, 'https://app.example/', ${values(end)} from ${numbers(count)}`;
};

const addPersonalTokens: Rows = (end, count, mark) => sql`
  with made as (
    insert into clients (id, name, purpose, type, redirect_uris, created_at, submitted_at)
    select 'app-of-token ' || ${mark} || n, 'App', 'x', 'confidential', '{}', ${at(0)}, ${at(0)} from ${numbers(count)}
    returning id
  )
  insert into personal_tokens (grant_id, client_id, user_id, form_key, name, token_hash, hint, created_at, expires_at)
  select gen_random_uuid(), id, 1, id, 'x', id, 'x', ${end}, ${end} from made`;

/** Each kind of row, whose life, in days, is over at `end`. */
const kinds: Readonly<Record<string, readonly [table: string, rows: Rows]>> = {
  'a session, when its 30 days are over': [
    'sessions',
    (end, count, mark) => sql`
      insert into sessions (id_hash, user_id, created_at, last_seen_at, expires_at)
      select ${mark} || n, 1, ${end}, ${end}, ${end} from ${numbers(count)}`,
  ],
  'a browser, a year after its last sign-in': [
    'devices',
    (end, count, mark) => sql`
      insert into devices (id_hash, user_id, first_seen_at, last_seen_at)
      select ${mark} || n, 1, ${end}, ${end} - interval '365 days' from ${numbers(count)}`,
  ],
  'an invitation, when it expires': [
    'invitations',
    (end, count, mark) => sql`
      insert into invitations (id, group_id, email, role, inviter_id, created_at, expires_at)
      select gen_random_uuid(), 1, ${mark} || n, 'member', 1, ${end}, ${end} from ${numbers(count)}`,
  ],
  'the challenge that a passkey has answered, when it expires': [
    'spent_challenges',
    (end, count, mark) => sql`
      insert into spent_challenges (challenge, expires_at)
      select ${mark} || n, ${end} from ${numbers(count)}`,
  ],
  'where a browser was on the way to, a day after an email was asked for': [
    'ways_back',
    (end, count, mark) => sql`
      insert into ways_back (id_hash, return_to, expires_at)
      select ${mark} || n, '/', ${end} from ${numbers(count)}`,
  ],
  'a former name, when nobody has to be kept from it': [
    'former_names',
    (end, count, mark) => sql`
      insert into former_names (kind, name, owner_id, expires_at)
      select 'user', ${mark} || n, 1, ${end} from ${numbers(count)}`,
  ],
  'a rate limit, when its window is over': [
    'rate_limits',
    (end, count, mark) => sql`
      insert into rate_limits (key, count, reset_at) select ${mark} || n, 1, ${end} from ${numbers(count)}`,
  ],
  'a deleted client secret, after 30 days': [
    'client_secrets',
    (end, count) => sql`
      insert into client_secrets (id, client_id, secret_hash, hint, created_at, deleted_at)
      select gen_random_uuid(), 'app', 'x', 'x', ${end}, ${end} - interval '30 days' from ${numbers(count)}`,
  ],
  'a failed token request, after 7 days': [
    'failed_token_requests',
    (end, count) => sql`
      insert into failed_token_requests (id, client_id, request_id, reason, cause, at)
      select gen_random_uuid(), 'app', 'x', 'code_required', '{}', ${end} - interval '7 days' from ${numbers(count)}`,
  ],
  'an email, sent or not, after 30 days': [
    'outbox',
    (end, count) => sql`
      insert into outbox (id, recipient, subject, text, html, created_at, due_at, sent_at)
      select gen_random_uuid(), 'x', 'x', 'x', 'x', ${end} - interval '30 days', ${end}, case when n % 2 = 0 then ${end} end
      from ${numbers(count)}`,
  ],
  'a reservation, when it expires': [
    'slot_reservations',
    (end, count) => sql`
      insert into slot_reservations (uid, event_type_id, starts_at, ends_at, expires_at)
      select gen_random_uuid(), 1, ${end}, ${end}, ${end} from ${numbers(count)}`,
  ],
  'an idempotency key, after a day': [
    'idempotency_keys',
    (end, count, mark) => sql`
      insert into idempotency_keys (key_hash, request_hash, booking_id, created_at)
      select ${mark} || n, 'x', 1, ${end} - interval '1 day' from ${numbers(count)}`,
  ],
  'a grant whose code was never exchanged, 30 days after the code': [
    'grants',
    grant('issued_at', (end) => sql`${end} - interval '30 days 60 seconds'`),
  ],
  'a grant that was revoked, after 30 days': [
    'grants',
    grant(
      'generation, issued_at, redeemed_at, rotated_at, revoked_at',
      (end) => sql`1, ${end}, ${end}, ${end}, ${end} - interval '30 days'`,
    ),
  ],
  'the client of a personal token, when that expires': ['clients', addPersonalTokens],
  'the nonce of a sign-in, when its code expires': [
    'openid_requests',
    (end, count) => sql`
      insert into openid_requests (grant_id, authenticated_at, issued_at)
      select gen_random_uuid(), ${end}, ${end} - interval '60 seconds' from ${numbers(count)}`,
  ],
  'a grant that is 30 days past its last refresh token, unused': [
    'grants',
    grant(
      'generation, issued_at, redeemed_at, rotated_at',
      (end) => sql`5, ${end} - interval '60 days', ${end} - interval '60 days', ${end} - interval '60 days'`,
    ),
  ],
  'a grant that is 30 days past its absolute end, however busy': [
    'grants',
    grant(
      'generation, issued_at, redeemed_at, rotated_at',
      (end) => sql`5, ${end} - interval '395 days', ${end} - interval '395 days', ${end}`,
    ),
  ],
};

const all = Object.entries(kinds).map(([words, [table, rows]]) => ({ words, table, rows }));
const countOf = async (table: string): Promise<number> =>
  Number((await queryRows(database.url, `select count(*) from ${table}`))[0]?.['count']);
const live = 3000;

/** Every table counts once. */
const byTable = all.filter(({ table }, index) => all.findIndex((one) => one.table === table) === index);

beforeAll(async () => {
  const now = at(0);
  await db.execute(sql`
    insert into users (email, name, password_hash, created_at) values ('ann@example.com', 'Ann', 'x', ${now})`);
  await db.execute(
    sql`insert into groups (kind, slug, name, created_at) values ('team', 'team', 'Team', ${now})`,
  );
  await db.execute(sql`
    insert into clients (id, owner_id, name, purpose, type, redirect_uris, created_at, submitted_at)
    select case n when 1 then 'app' else 'app' || n end, 1, 'App', 'x', 'public', '{}', ${now}, ${now} from ${numbers(live)}`);
  await db.execute(sql`
    insert into logos (id, client_id, media_type, content, created_at)
    select md5(id), id, 'image/png', '', ${now} from clients`);
  await db.execute(sql`update clients set logo_id = md5(id)`);
  await db.execute(sql`
    insert into client_edits (client_id, name, purpose, redirect_uris, submitted_at)
    select id, name, purpose, redirect_uris, submitted_at from clients`);
  await db.execute(sql`
    insert into event_types (user_id, slug, title, length_in_minutes, created_at, updated_at)
    values (1, 'talk', 'Talk', 30, ${now}, ${now})`);
  await db.execute(sql`
    insert into bookings (uid, ics_uid, title, status, starts_at, ends_at, attendee_name, attendee_email, attendee_time_zone,
      guests, responses, metadata, created_at, updated_at)
    values ('b', 'b', 'x', 'accepted', ${now}, ${at(1)}, 'x', 'x', 'UTC', '{}', '{}', '{}', ${now}, ${now})`);
  for (const { table, rows } of byTable) await db.execute(rows(at(dayMs), live, `live ${table} `));
  await db.execute(sql`analyze`);
});

describe.each(all)('$words (security C77)', ({ table, rows, words }) => {
  test('is deleted then, and not before, in statements of a thousand rows at most', {
    tags: 'parts',
  }, async () => {
    const before = await countOf(table);
    await db.execute(rows(at(-1), 1200, `${words} over `));
    await db.execute(rows(at(1), 1, `${words} open `));
    database.statements.splice(0);

    await cleanUp();

    expect(await countOf(table)).toBe(before + 1);
    const deletions = database.statements.filter((text) => text.startsWith(`delete from "${table}"`));
    expect(deletions.length).toBeGreaterThan(1);
    expect(deletions.filter((text) => !/limit \$\d+ for update skip locked\)\)/.test(text))).toEqual([]);
  });
});

describe('a run is bounded (security C77)', () => {
  const [, addRateLimits] = kinds['a rate limit, when its window is over'] ?? [];
  const [, addGrants] = kinds['a grant that was revoked, after 30 days'] ?? [];
  if (addRateLimits === undefined || addGrants === undefined) throw new Error('no such kinds');

  test('a batch is a thousand rows, of rate limits and of grants', async () => {
    await db.execute(addRateLimits(at(-1), 1200, 'batch '));
    await db.execute(addGrants(at(-1), 1200, ''));
    const before = await countOf('grants');

    expect(await deleteBatch(db, pastLife(rateLimits.resetAt)(clock.now()))).toBe(batchRows);
    expect(await deleteBatch(db, pastLife(rateLimits.resetAt)(clock.now()))).toBe(200);
    await deleteOnWalk(db, expiredGrants({ config }, clock.now()), undefined);
    expect(before - (await countOf('grants'))).toBeLessThanOrEqual(batchRows);
  });

  test('what is beyond its cap waits for the next one', async () => {
    await db.execute(addRateLimits(at(-1), maxBatches * batchRows + 300, 'cap '));
    const before = await countOf('rate_limits');

    await createCleanup(appOf()).run();
    expect(await countOf('rate_limits')).toBe(before - maxBatches * batchRows);

    await createCleanup(appOf()).run();
    expect(await countOf('rate_limits')).toBe(before - maxBatches * batchRows - 300);
  });

  test('a walk goes on where the former run ended, and begins again at the end', async () => {
    await cleanUp();
    const kept = await countOf('grants');
    const ended = minChunks * batchRows + 300;
    await db.execute(addGrants(at(-1), ended, ''));
    const cleanup = createCleanup(appOf());

    await cleanup.run();
    const left = (await countOf('grants')) - kept;
    await cleanup.run();
    await cleanup.run();
    await cleanup.run();

    expect(left).toBeGreaterThanOrEqual(300);
    expect(await countOf('grants')).toBe(kept);
  });

  test('every deletion finds its rows by index, among many others', { tags: 'parts' }, async () => {
    for (const { table, rows } of byTable) await db.execute(rows(at(-1), 5, `plan ${table} `));
    await db.execute(sql`analyze`);
    database.statements.splice(0);

    await cleanUp();

    const filled = [...byTable.map(({ table }) => table), 'logos'];
    const tableOf = (text: string): string => /^delete from "(\w+)"/.exec(text)?.[1] ?? '';
    const deletions = database.statements.filter((text) => filled.includes(tableOf(text)));
    expect(new Set(deletions.map(tableOf))).toEqual(new Set(filled));
    for (const text of deletions) {
      const plan = JSON.stringify(
        await queryRows(database.url, `explain (generic_plan, format json) ${text}`),
      );
      expect(plan, text).not.toContain('Seq Scan');
      expect(plan, text).toContain('Tid Scan');
    }
  });
});

test('what a deleted client leaves is deleted, what a suspended one leaves after 30 days, and forgotten consents (security C77)', async () => {
  const ended = { sound: sql`null`, stopped: at(-29 * dayMs), old: at(-30 * dayMs - 1) };
  for (const [id, end] of Object.entries(ended))
    await db.execute(sql`
      insert into clients (id, owner_id, name, purpose, type, redirect_uris, created_at, submitted_at, grants_ended_at, consents_ended_at)
      values (${id}, 1, 'App', 'x', 'public', '{}', ${at(0)}, ${at(0)}, ${end}, ${end})`);
  for (const id of [...Object.keys(ended), 'deleted']) {
    await db.execute(sql`
      insert into grants (id, client_id, user_id, redirect_uri, generation, issued_at, redeemed_at, rotated_at)
      values (gen_random_uuid(), ${id}, 1, 'https://app.example/', 1, ${at(-40 * dayMs)}, ${at(0)}, ${at(0)})`);
    await db.execute(sql`
      insert into remembered_consents (user_id, client_id, redirect_uri, remembered_at)
      values (1, ${id}, 'https://app.example/', ${at(-40 * dayMs)})`);
  }
  const leftIn = async (table: string) =>
    (
      await queryRows(
        database.url,
        `select client_id from ${table} where client_id not like 'app%' order by 1`,
      )
    ).map(({ client_id: id }) => id);

  await cleanUp();

  expect(await leftIn('grants')).toEqual(['sound', 'stopped']);
  expect(await leftIn('remembered_consents')).toEqual(['sound']);
});

describe('two instances at the same time (security C77)', () => {
  test('delete everything between them, and nothing twice', { tags: 'parts' }, async () => {
    const another = await openPostgres(database.url);
    onTestFinished(another.close);
    const before = await Promise.all(byTable.map(({ table }) => countOf(table)));
    for (const { table, rows } of byTable) await db.execute(rows(at(-1), 1200, `two ${table} `));
    const log: string[] = [];

    await Promise.all([cleanUp(appOf(log)), cleanUp({ ...appOf(log), db: another.db })]);

    expect(log).toEqual([]);
    expect(await Promise.all(byTable.map(({ table }) => countOf(table)))).toEqual(before);
  });

  test('never wait for each other: a table that one deletes from is left to it', async () => {
    const rows = all.find(({ table }) => table === 'sessions')?.rows;
    if (rows === undefined) throw new Error('no such kind');
    await db.execute(rows(at(-1), 1200, 'held '));
    const another = await openPostgres(database.url);
    onTestFinished(another.close);
    const before = await countOf('sessions');

    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.cleanup}, hashtext('sessions'))`);
      await createCleanup({ ...appOf(), db: another.db }).run();
      expect(await countOf('sessions')).toBe(before);
    });
    await cleanUp();

    expect(await countOf('sessions')).toBe(before - 1200);
  });
});

test('a table that fails is logged by its name, and the others go on', async () => {
  const rows = all.find(({ table }) => table === 'outbox')?.rows;
  if (rows === undefined) throw new Error('no such kind');
  const before = await countOf('outbox');
  await db.execute(rows(at(-1), 1, ''));
  const lines: string[] = [];

  await withoutTable(database, 'invitations', () => cleanUp(appOf(lines)));

  expect(lines.map((line) => JSON.parse(line).table)).toEqual(['invitations', 'invitations']);
  expect(await countOf('outbox')).toBe(before);
});

test('waits for no deletion of an account, however long that takes, nor that for the cleanup (security C77)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise: deletion, resolve: finish } = Promise.withResolvers<void>();
  const goOn = vi.fn(() => deletion);
  const cleanup = startCleanup(appOf(), goOn);
  const rows = all.find(({ table }) => table === 'sessions')?.rows;
  const before = await countOf('sessions');

  for (let minutes = 0; minutes < 2; minutes += 1) {
    await db.execute(rows?.(at(-1), 1, `minute ${minutes} `) ?? sql`select`);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => countOf('sessions')).toBe(before);
    // The rest of its run.
    await expect.poll(() => database.statements.at(-1)).toMatch(/"logos"/);
  }
  const started = goOn.mock.calls.length;
  finish();
  await cleanup.stop();

  expect(started).toBe(1);
});

test('no two things wait for each other by sharing an advisory lock', () => {
  const locks = Object.values(advisoryLocks);

  expect(new Set(locks).size).toBe(locks.length);
});

test('bookings are kept for ever, or until BOOKING_RETENTION_DAYS after their end (contract §1)', {
  tags: 'parts',
}, async () => {
  const days = [29, 30, 400];
  for (const [index, past] of days.entries())
    await db.execute(sql`
      insert into bookings (uid, ics_uid, title, status, starts_at, ends_at, attendee_name, attendee_email, attendee_time_zone, guests,
        responses, metadata, created_at, updated_at)
      values (${`past${index}`}, 'x', 'x', 'accepted', ${at(-past * dayMs - 60_000)}, ${at(-past * dayMs - 1)}, 'x', 'x@example.com', 'UTC',
        '{}', '{}', '{}', now(), now())`);
  const left = () => queryRows(database.url, `select uid from bookings where uid like 'past%' order by uid`);

  await cleanUp();
  expect(await left()).toHaveLength(3);
  await cleanUp({ ...appOf(), config: { ...config, bookingRetentionDays: 30 } });

  expect(await left()).toEqual([{ uid: 'past0' }]);
});

test('a walk goes once around a table in a day, however large it is, up to 500,000 rows a minute (security C77)', async () => {
  const walk = () => chunksAMinute(db, expiredGrants({ config }, clock.now()));
  const counting = (rows: number) =>
    queryRows(database.url, `update pg_class set reltuples = ${rows} where oid = 'grants'::regclass`);

  const chunks: number[] = [];
  for (const rows of [-1, 1_000_000, 100_000_000, 5_000_000_000]) {
    await counting(rows);
    chunks.push(await walk());
  }

  expect(chunks).toEqual([minChunks, minChunks, 70, 500]);
});
