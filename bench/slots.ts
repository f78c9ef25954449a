import { once } from 'node:events';
import { createServer } from 'node:http';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { systemContext } from '../src/platform/audit/store.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { encryptAccess } from '../src/scheduling/calendars/access.ts';
import { saveCalendar } from '../src/scheduling/calendars/store.ts';
import { openService } from '../src/service.ts';
import { startCluster } from '../tests/support/cluster.ts';
import { createDatabase } from '../tests/support/create-database.ts';
import { median, printTable, quantile } from './figures.ts';
import { secret } from './measured-process.ts';

const rounds = Number(process.argv[2] ?? 200);
const hosts = 10;
const bookingsPerHost = 100;
const calendars = 5;
/** The millisecond makes it a question that nobody asked before. */
const pathOf = (millisecond: number): string =>
  `/v2/slots?eventTypeId=1&start=2031-05-31T22:00:00.${String(millisecond).padStart(3, '0')}Z&end=2031-06-30T22:00:00Z&timeZone=Europe/Berlin&format=range`;

interface Figures {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * A month of a collective event's slots: 10 hosts, 1,000 bookings, 5 calendars elsewhere, whose
 * busy times are in the cache.
 */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const cluster = await startCluster();
  stack.defer(() => cluster.stop());
  const created = await createDatabase(cluster.address, undefined);
  const feed = createServer((_request, response) => response.end(describeFeed())).listen(0, '127.0.0.1');
  await once(feed, 'listening');
  stack.defer(() => void feed.close());
  const config = readConfig({
    DATABASE_URL: created.url,
    SECRET: secret,
    CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8',
  });
  const service = await openService(config, { log: pino({ level: 'silent' }) });
  stack.defer(() => service.close());
  const { db } = service.database;
  await db.execute(sql`insert into users (email, name, password_hash, time_zone, created_at)
    select 'host' || n || '@example.com', 'Host ' || n, 'x', 'Europe/Berlin', now() from generate_series(1, ${hosts}::int) n`);
  await db.execute(
    sql`insert into groups (kind, slug, name, created_at) values ('team', 'team', 'Team', now())`,
  );
  await db.execute(sql`insert into event_types (team_id, slug, title, length_in_minutes, slot_interval, scheduling_type,
    created_at, updated_at) values (1, 'talk', 'Talk', 30, 15, 'collective', now(), now())`);
  await db.execute(
    sql`insert into memberships (group_id, kind, user_id, role) select 1, 'team', id, 'member' from users`,
  );
  await db.execute(
    sql`insert into event_type_hosts (event_type_id, team_id, user_id) select 1, 1, id from users`,
  );
  await addBookings(service.database.db);
  const address = feed.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/feed.ics`;
  const encryptedAccess = encryptAccess(createSecrets([secret]), { kind: 'ics_feed', urls: [url] });
  for (let userId = 1; userId <= calendars; userId += 1)
    await saveCalendar(
      db,
      { userId, kind: 'ics_feed', name: 'Feed', encryptedAccess, createdAt: new Date() },
      { isSame: () => false, max: 1 },
      systemContext(new Date()),
    );
  await db.execute(sql`vacuum analyze`);

  let slots = 0;
  const ask = async (index: number, isNew: boolean): Promise<void> => {
    const remoteAddress = `10.${isNew ? 0 : 1}.${index >> 8}.${index & 255}`;
    const answer = await service.app.inject({ url: pathOf(isNew ? index : 0), remoteAddress });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    slots = Object.values(answer.json().data).flat().length;
  };
  const measured = { new: [], again: [] } as { new: Figures[]; again: Figures[] };
  for (let index = 0; index < rounds + 20; index += 1)
    for (const kind of ['new', 'again'] as const) {
      const [cpu, wall] = [process.cpuUsage(), performance.now()];
      await ask(index, kind === 'new');
      const { user, system } = process.cpuUsage(cpu);
      const figures = { cpuMs: (user + system) / 1000, wallMs: performance.now() - wall };
      if (index >= 20) measured[kind].push(figures);
    }
  const row = (name: string, figures: readonly number[]): string[] => [
    name,
    ...[median(figures), quantile(figures, 0.95), Math.max(...figures)].map((ms) => ms.toFixed(1)),
  ];
  printTable([
    [`${rounds} questions, ${slots} slots each`, 'median', 'p95', 'most'],
    row(
      'a new question, CPU of the process, ms',
      measured.new.map(({ cpuMs }) => cpuMs),
    ),
    row(
      'a new question, until the answer, ms',
      measured.new.map(({ wallMs }) => wallMs),
    ),
    row(
      'the same again, CPU of the process, ms',
      measured.again.map(({ cpuMs }) => cpuMs),
    ),
    row(
      'the same again, until the answer, ms',
      measured.again.map(({ wallMs }) => wallMs),
    ),
  ]);
}

/**
 * Half an hour each, spread over the month's working hours, another hour of the day for each host.
 */
async function addBookings(db: Parameters<typeof saveCalendar>[0]): Promise<void> {
  await db.execute(sql`insert into bookings (uid, ics_uid, event_type_id, title, status, starts_at, ends_at, attendee_name,
      attendee_email, attendee_time_zone, guests, responses, metadata, created_at, updated_at)
    select 'b' || h || '-' || n, 'b', null, 'x', 'accepted', at, at + interval '30 minutes', 'x', 'x@example.com', 'UTC', '{}', '{}', '{}',
      now(), now()
    from generate_series(1, ${hosts}::int) h, generate_series(0, ${bookingsPerHost - 1}::int) n,
      lateral (select timestamptz '2031-06-01 07:00Z' + (n % 30) * interval '1 day' + (n / 30) * interval '2 hours' as at) times`);
  await db.execute(sql`insert into booking_hosts (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, holds, booked_at)
    select id, substring(uid from 'b(\\d+)-')::int, starts_at, ends_at, 5, 5, true, now() from bookings`);
}

/** A calendar with something on every working day. */
function describeFeed(): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Bench//EN',
    'BEGIN:VEVENT',
    'UID:lunch',
    'DTSTAMP:20300101T000000Z',
  ];
  lines.push(
    'DTSTART:20310101T103000Z',
    'DTEND:20310101T111500Z',
    'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    'SUMMARY:Lunch',
  );
  return `${[...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')}\r\n`;
}

await main();
