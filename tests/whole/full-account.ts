import { sql } from 'drizzle-orm';
import { memberships, users } from '../../src/accounts/tables.ts';
import { clients } from '../../src/oauth/tables.ts';
import { maxEventTypes, maxSchedules } from '../../src/scheduling/limits.ts';
import { eventTypeHosts, eventTypes, schedules } from '../../src/scheduling/tables.ts';
import { fillTables } from '../support/database.ts';
import type { TestService } from '../support/service.ts';

const times = <Row>(count: number, rowAt: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => rowAt(index));

/**
 * Gives one person all that a person can have, as large as it can be (docs/limits.md), and a
 * team of 99 more who have the same.
 */
export async function fillAccount(
  { database, clock }: TestService,
  { id: userId }: { readonly id: number },
  teamId: number,
): Promise<{ readonly scheduleId: number; readonly eventTypeId: number; readonly clientId: string }> {
  const createdAt = clock.now();
  const hours = { startMinute: 540, endMinute: 1020 };
  const day = (index: number) => new Date(Date.UTC(2027, 5, 1 + index)).toISOString().slice(0, 10);
  const schedule = {
    ...{ name: 'N'.repeat(100), timeZone: 'America/Argentina/Buenos_Aires', createdAt },
    weekly: times(100, (index) => ({ ...hours, weekDay: (index % 7) + 1, endMinute: 1020 + index })),
    overrides: Object.fromEntries(times(400, (index) => [day(index), [hours]])),
  };
  // Together as large as one request.
  const bookingFields = times(20, (index) => ({
    ...{ type: 'select' as const, slug: `question-${index}`, label: 'L'.repeat(200) },
    ...{ required: false, hidden: false, options: times(50, (option) => `${option} ${'o'.repeat(45)}`) },
  }));
  const address = { type: 'address' as const, address: 'a'.repeat(300), public: true };
  const types = times(maxEventTypes, (index) => ({
    ...{ slug: `talk-${index}`, title: 'T'.repeat(200), description: 'd'.repeat(5000), lengthInMinutes: 30 },
    ...{ locations: times(10, () => address), bookingFields, createdAt, updatedAt: createdAt },
  }));
  const app = {
    ...{ ownerId: userId, name: 'A'.repeat(80), type: 'public' as const, purpose: 'p'.repeat(500) },
    redirectUris: times(10, (index) => `https://app.example/${'r'.repeat(400)}${index}`),
    ...{ createdAt, submittedAt: createdAt },
  };
  await fillTables(database, async (db) => {
    await db.delete(schedules);
    await db.delete(eventTypes);
    await db.insert(clients).values(times(98, (index) => ({ ...app, id: `app-${index}` })));
    const people = times(99, (index) => ({
      ...{ email: `member-${index}@example.com`, name: 'M'.repeat(100), passwordHash: '', createdAt },
      username: `member-${index}`,
    }));
    const members = await db.insert(users).values(people).returning({ id: users.id });
    const membership = { groupId: teamId, kind: 'team', role: 'member' } as const;
    await db.insert(memberships).values(members.map(({ id }) => ({ ...membership, userId: id })));
    for (const { id } of members)
      await db.insert(schedules).values({ ...schedule, userId: id, isDefault: true });
    await db
      .insert(schedules)
      .values(times(maxSchedules, (index) => ({ ...schedule, userId, isDefault: index === 0 })));
    await db
      .insert(eventTypes)
      .values(types.map((type) => ({ ...type, teamId, schedulingType: 'collective' as const })));
    await db.insert(eventTypes).values(types.map((type) => ({ ...type, userId })));
    const hosted = await db.select({ id: eventTypes.id }).from(eventTypes).where(sql`team_id = ${teamId}`);
    for (const { id: eventTypeId } of hosted)
      await db.insert(eventTypeHosts).values(members.map(({ id }) => ({ eventTypeId, teamId, userId: id })));
    const now = sql`${createdAt.toISOString()}::timestamptz`;
    await db.execute(sql`
      with made as (
        insert into bookings (uid, ics_uid, team_id, title, description, status, starts_at, ends_at, attendee_name,
          attendee_email, attendee_time_zone, guests, metadata, responses, created_at, updated_at)
        select md5(n::text), n::text, ${teamId}, 'Talk', repeat('d', 5000), 'accepted', ${now} + interval '100 days' + n * interval '1 hour',
          ${now} + interval '100 days 30 minutes' + n * interval '1 hour', 'Dana', 'dana@example.com', 'UTC', '{}', '{}',
          (select jsonb_object_agg('field-' || f, repeat('x', 190)) from generate_series(1, 50) f), ${now}, ${now}
        from generate_series(1, 250) n returning id, starts_at, ends_at
      )
      insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, booked_at, holds)
      select id, ${userId}, starts_at, ends_at, 0, 0, now(), true from made`);
  });
  const [first] = await database.db
    .select({ id: schedules.id })
    .from(schedules)
    .where(sql`user_id = ${userId}`);
  const [type] = await database.db
    .select({ id: eventTypes.id })
    .from(eventTypes)
    .where(sql`user_id = ${userId}`);
  if (first === undefined || type === undefined) throw new Error('nothing was made');
  return { scheduleId: first.id, eventTypeId: type.id, clientId: 'app-0' };
}
