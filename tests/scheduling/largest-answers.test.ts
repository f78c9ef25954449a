import { setImmediate as nextIteration } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxSchedules } from '../../src/scheduling/limits.ts';
import { readOverrides } from '../../src/scheduling/schedules/request.ts';
import { bookings, schedules } from '../../src/scheduling/tables.ts';
import { callApi, represent } from '../support/api.ts';
import { addEventType } from '../support/booking.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const service = await openTestService();
const { db } = service.database;
const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
const { token, user } = await represent(service);
/** A token may ask for five of them a minute. */
const tokens = [token, (await represent(service, { user })).token];
const { id: minutely } = await addEventType(service, user, { lengthInMinutes: 1 });
const team = await addTeam(service, user);
beforeEach(() => service.clock.advance(60));

const days = Array.from({ length: 400 }, (_, index) => new Date(Date.UTC(2027, 5, 1 + index)));
const overrides = days.map((day) => ({
  date: day.toISOString().slice(0, 10),
  startTime: '00:00',
  endTime: '23:59',
}));

beforeAll(async () => {
  const rows = Array.from({ length: maxSchedules }, (_, index) => ({
    ...{ name: 'Hours', timeZone: 'UTC', weekly: [], overrides: readOverrides(overrides, new Date(0)) ?? {} },
    ...{ userId: user.id, createdAt: service.clock.now(), isDefault: index === 0 },
  }));
  await db.insert(schedules).values(rows);
  // All members of the team have as many overrides.
  await db.execute(sql`
    with people as (
      insert into users (email, username, name, password_hash, created_at)
      select 'member' || n || '@example.com', 'member' || n, 'Member', 'none', now() from generate_series(1, 149) n returning id
    ), members as (
      insert into memberships (group_id, kind, user_id, role) select ${team.id}::int, 'team', id, 'member' from people
    )
    insert into ${schedules} (user_id, name, time_zone, weekly, overrides, is_default, created_at)
    select id, 'Hours', 'UTC', '[]', (select overrides from ${schedules} limit 1), true, now() from people`);
  await db.execute(sql`
    with made as (
      insert into ${bookings} (uid, ics_uid, event_type_id, title, status, starts_at, ends_at, attendee_name,
        attendee_email, attendee_time_zone, guests, metadata, responses, created_at, updated_at)
      select md5(n::text), n::text, ${minutely}, 'Talk', 'cancelled', now() + n * interval '1 hour',
        now() + n * interval '1 hour 30 minutes', 'Dana', 'dana@example.com', 'UTC', '{}', '{}',
        (select jsonb_object_agg('field-' || f, repeat('"', 250)) from generate_series(1, 50) f), now(), now()
      from generate_series(1, 250) n returning id, starts_at, ends_at
    )
    insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, booked_at, holds)
    select id, ${user.id}, starts_at, ends_at, 0, 0, now(), false from made`);
});

const fetchBytes = async (path: string, index = 0): Promise<{ status: number; bytes: number }> => {
  const headers = { authorization: `Bearer ${tokens[index % 2]}`, connection: 'close' };
  const answer = await fetch(`${address}${path}`, { headers });
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
};

/**
 * While ten are answered: the longest that one iteration of the event loop computed, all of them
 * together, and what `/healthz` answered. In time of the processor, which others on the machine
 * don't take.
 */
async function askTen(path: string) {
  const all = Promise.all(Array.from({ length: 10 }, (_, index) => fetchBytes(path, index)));
  let isOver = false;
  void all.finally(() => (isOver = true));
  const health: number[] = [];
  const askHealth = async (): Promise<void> => {
    while (!isOver) health.push((await fetch(`${address}/healthz`)).status);
  };
  const asking = askHealth();
  let longestMs = 0;
  let allMs = 0;
  while (!isOver) {
    const before = process.threadCpuUsage();
    await nextIteration();
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    allMs += (user + system) / 1000;
  }
  await asking;
  return { answers: await all, health, longestMs, allMs };
}

describe('ten of the largest answers at the same time leave /healthz answering (security C54)', () => {
  const slots = `/v2/slots?eventTypeId=${minutely}&start=2027-06-01&end=2027-06-10&format=range`;

  test.each([
    ['bookings', '/v2/bookings?take=150', 3_500_000],
    ['schedules', '/v2/schedules', 1_000_000],
    ['schedules of a team', `/v2/teams/${team.id}/schedules?take=150`, 3_500_000],
    ['slots', slots, 900_000],
  ])('%s', async (_name, path, bytes) => {
    await fetchBytes(path);
    service.clock.advance(60);

    const { answers, health, longestMs, allMs } = await askTen(path);

    for (const answer of answers) expect(answer.status).toBe(200);
    for (const answer of answers) expect(answer.bytes).toBeGreaterThan(bytes);
    expect(new Set(health)).toEqual(new Set([200]));
    expect(health.length).toBeGreaterThan(2);
    // Without turns it's nearly all; a slow machine takes longer for both.
    expect(longestMs).toBeLessThan(allMs / 2);
  });
});

test('an answer that would be larger is refused, and says how to ask (security C54)', async () => {
  const answer = await callApi(service, 'GET', '/bookings?take=250', { token });

  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    status: 'error',
    error: { code: 'BadRequest', message: expect.stringContaining('take') },
  });
});
