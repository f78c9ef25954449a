import type { FastifyRequest } from 'fastify';
import { weekDays } from '../../accounts/person.ts';
import { nameOfToday, offsetNameOf } from '../../accounts/time-zones.ts';
import { type Habits, habitsOf } from '../../habits.ts';

/** How somebody reads the time: as they have told in their profile, else as their browser’s language has it. */
export function habitsFor({ session, headers }: FastifyRequest): Habits {
  if (session === undefined) return habitsOf(headers['accept-language']);
  const { timeFormat, weekStart } = session.person;
  return { hours: timeFormat, firstDay: weekDays.indexOf(weekStart) + 1 };
}

/** A time zone beside an instant. */
export interface ToldZone {
  /** `Europe/Berlin`. */
  readonly name: string;
  /** `GMT+02:00`; undefined where the name says it. */
  readonly offset: string | undefined;
}

/** A time zone as its pages name it beside an instant. */
export function tellZone(timeZone: string, at: Date): ToldZone {
  if (timeZone === 'UTC') return { name: timeZone, offset: undefined };
  return { name: nameOfToday(timeZone), offset: offsetNameOf(timeZone, at) };
}
