import type { FastifyInstance } from 'fastify';
import { Temporal } from 'temporal-polyfill';
import { systemContext } from '../../src/platform/audit/context.ts';
import type { Db } from '../../src/platform/database.ts';
import type { Secrets } from '../../src/platform/secrets.ts';
import { encryptAccess } from '../../src/scheduling/calendars/access.ts';
import { saveCalendar } from '../../src/scheduling/calendars/store.ts';
import { createEventType, type EventTypeValues } from '../../src/scheduling/event-types/store.ts';
import { createSchedule } from '../../src/scheduling/schedules/store.ts';

export interface DemoService {
  readonly app: FastifyInstance;
  readonly db: Db;
  readonly secrets: Secrets;
}

export interface DemoHost {
  readonly id: number;
  readonly timeZone: string;
}

export interface DemoTeam {
  readonly id: number;
  readonly hosts: readonly DemoHost[];
}

const hour = 60;
const workDay = { startMinute: 9 * hour, endMinute: 17 * hour } as const;
const workingDays = [1, 2, 3, 4, 5] as const;
const saturday = 6;

export async function createDemoCalendar(
  { app, db, secrets }: DemoService,
  person: DemoHost,
  team: DemoTeam,
  feedUrl: string,
): Promise<void> {
  const now = new Date();
  for (const { id, timeZone } of team.hosts) await addWorkingHours(id, timeZone);
  await connectFeed();
  const [talk, visit, advice] = [
    await addEventType(
      { userId: person.id },
      {
        title: 'A talk',
        slug: 'talk',
        description: 'Half an hour about anything.',
        lengthInMinutes: 30,
        schedulingType: null,
      },
    ),
    await addEventType(
      { userId: person.id },
      {
        title: 'A visit to the garden',
        slug: 'garden-visit',
        description: 'An hour among the beds, with tea at the end.',
        lengthInMinutes: 60,
        requiresConfirmation: true,
        schedulingType: null,
      },
    ),
    await addEventType(
      { teamId: team.id },
      {
        title: 'Advice on plants',
        slug: 'advice',
        description: 'With any club member who is free.',
        lengthInMinutes: 45,
        schedulingType: 'roundRobin',
      },
    ),
  ];
  await book(talk, nextWorkDay(1), '10:00', 'Demo Guest');
  await book(visit, nextWorkDay(1), '15:00', 'Demo Visitor');
  await book(talk, nextWorkDay(2), '14:30', 'Demo Neighbour');
  await book(advice, nextWorkDay(3), '09:00', 'Demo Gardener');

  async function addWorkingHours(userId: number, timeZone: string): Promise<void> {
    const weekly = workingDays.map((weekDay) => ({ weekDay, ...workDay }));
    const values = { name: 'Working hours', timeZone, weekly, overrides: {}, isDefault: true };
    await createSchedule(db, userId, values, now);
  }

  async function connectFeed(): Promise<void> {
    const encryptedAccess = encryptAccess(secrets, { kind: 'ics_feed', urls: [feedUrl] });
    const values = {
      userId: person.id,
      kind: 'ics_feed',
      name: 'Lunches',
      encryptedAccess,
      createdAt: now,
    } as const;
    await saveCalendar(db, values, () => false, systemContext(new Date()));
  }

  async function addEventType(
    owner: { readonly userId: number } | { readonly teamId: number },
    values: EventTypeValues,
  ): Promise<number> {
    const hostIds = 'teamId' in owner ? team.hosts.map(({ id }) => id) : [];
    const created = await createEventType(db, owner, values, hostIds, now);
    if (!created.ok) throw new Error(created.reason);
    return created.value;
  }

  async function book(
    eventTypeId: number,
    day: Temporal.PlainDate,
    time: string,
    name: string,
  ): Promise<void> {
    const { timeZone } = person;
    const start = day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).toInstant();
    const attendee = { name, email: 'guest@demo.example', timeZone };
    const payload = { eventTypeId, start: start.toString(), attendee };
    const answer = await app.inject({ method: 'POST', url: '/v2/bookings', payload });
    if (answer.statusCode !== 201) throw new Error(`a booking of the demo answered ${answer.statusCode}`);
  }

  /** Counts working days after today where the person is, so that the day is never in the past. */
  function nextWorkDay(count: number): Temporal.PlainDate {
    let day = Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO(person.timeZone).toPlainDate();
    for (let left = count; left > 0; ) {
      day = day.add({ days: 1 });
      if (day.dayOfWeek < saturday) left -= 1;
    }
    return day;
  }
}
