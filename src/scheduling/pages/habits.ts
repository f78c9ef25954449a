import type { FastifyRequest } from 'fastify';
import { weekDays } from '../../accounts/person.ts';
import { nameOfToday, offsetNameOf } from '../../accounts/time-zones.ts';
import { type Habits, habitsOf } from '../core/habits.ts';

/** How somebody reads the time: as they have told in their profile, else as their browser’s language has it. */
export function habitsFor({ session, headers }: FastifyRequest): Habits {
  if (session === undefined) return habitsOf(headers['accept-language']);
  const { timeFormat, weekStart } = session.person;
  return { hours: timeFormat, firstDay: weekDays.indexOf(weekStart) + 1 };
}

/** A time zone beside an instant: `Europe/Berlin, GMT+02:00`. */
export function tellZone(timeZone: string, at: Date): string {
  return timeZone === 'UTC' ? timeZone : `${nameOfToday(timeZone)}, ${offsetNameOf(timeZone, at)}`;
}
