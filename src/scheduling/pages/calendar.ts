import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { nameOfToday, readZone, showZones } from '../../accounts/time-zones.ts';
import { spend } from '../../platform/limits/buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import type { Result } from '../../result.ts';
import { timeZone as zoneName } from '../../v2/input.ts';
import { isEverOpen } from '../core/availability.ts';
import { createZoneClock, dateIn, monthAfter, startOfDay, weeksOf } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import type { Slot } from '../core/slots.ts';
import { createInstantFormat, formatDate, formatMonth, weekDaysFrom } from '../dates.ts';
import { costOf } from '../limits.ts';
import { findFreeSlots, hostsNeededBy, startsIn } from '../slots/free-slots.ts';
import type { HostedEventType } from '../store.ts';
import type { ChoiceFields } from './request.ts';
import type { PageLocale } from './shown-booking.ts';

export type Choice = ReturnType<typeof readChoice>;

const maxMonthsAhead = 120;

const monthName = z.string().regex(/^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])$/);
const instant = z.iso.datetime({ offset: true });

/** Ignores invalid fields, and shows the months of what is `bookable`, at first the day of `current`. */
export function readChoice(
  fields: ChoiceFields,
  usualZone: string,
  bookable: Interval,
  now: Date,
  current?: number,
) {
  const { data: chosenZone } = zoneName.safeParse(readZone(fields.timeZone));
  const isZoneChosen = chosenZone !== undefined;
  const zone = nameOfToday(chosenZone ?? usualZone);
  const first = Math.max(now.getTime(), bookable.start);
  const thisMonth = dateIn(first, zone).slice(0, 7);
  const lastMonth = lastMonthOf(thisMonth, zone, bookable);
  const isShown = (one: string): boolean => one >= thisMonth && one <= lastMonth;
  const start = startIn(fields.slot);
  const sent = start === undefined ? fields.date : dateIn(start, zone);
  const usual = current === undefined || sent + fields.month !== '' ? '' : dateIn(current, zone);
  const day = isShown(usual.slice(0, 7)) && usual >= dateIn(first, zone) ? usual : sent;
  const isDay = z.iso.date().safeParse(day).success && isShown(day.slice(0, 7));
  const isMonth = monthName.safeParse(fields.month).success && isShown(fields.month);
  const shownMonth = isDay ? day.slice(0, 7) : isMonth ? fields.month : thisMonth;
  const isWrongDay = (day !== '' && !isDay) || (day === '' && fields.month !== '' && !isMonth);
  const isWrongZone = fields.timeZone !== '' && !isZoneChosen;
  return {
    timeZone: zone,
    isZoneChosen,
    month: shownMonth,
    date: isDay ? day : undefined,
    start: isDay ? start : undefined,
    current,
    duration: /^[0-9]{1,4}$/.test(fields.duration) ? Number(fields.duration) : undefined,
    thisMonth,
    lastMonth,
    fault: isWrongZone ? 'no_such_zone' : isWrongDay ? 'no_such_day' : undefined,
  } as const;
}

function lastMonthOf(thisMonth: string, zone: string, { end: until }: Interval): string {
  const last = monthAfter(thisMonth, maxMonthsAhead);
  const end = until === Number.POSITIVE_INFINITY ? last : dateIn(until - 1, zone).slice(0, 7);
  return end < last ? end : last;
}

function startIn(slot: string): number | undefined {
  const at = instant.safeParse(slot).success ? Date.parse(slot) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

export function choiceQuery(
  choice: Pick<Choice, 'timeZone' | 'duration'> & Partial<Pick<Choice, 'month' | 'date' | 'start'>>,
): string {
  const query = new URLSearchParams();
  if (choice.start !== undefined) query.set('slot', new Date(choice.start).toISOString());
  else if (choice.date !== undefined) query.set('date', choice.date);
  else if (choice.month !== undefined) query.set('month', choice.month);
  query.set('timeZone', choice.timeZone);
  if (choice.duration !== undefined) query.set('duration', String(choice.duration));
  return `?${query.toString()}`;
}

export async function findSlotsOfMonth(
  app: Pick<Platform, 'calendars' | 'db' | 'runtime'>,
  reply: FastifyReply,
  hosted: HostedEventType,
  { month, timeZone }: Choice,
  exceptUid?: string,
): Promise<Result<readonly Slot[], 'calendar_unavailable'>> {
  const range = {
    start: startOfDay(`${month}-01`, timeZone),
    end: startOfDay(`${monthAfter(month, 1)}-01`, timeZone),
  };
  const now = app.runtime.now();
  const cost = costOf({ starts: startsIn(range, hosted, now), hosts: hosted.hosts.length });
  spend(reply.request, 'slots', cost - 1);
  return findFreeSlots(app, hosted, { range, now, avoidsReservations: true, exceptUid });
}

const partsOfDay = [
  ['Morning', 12],
  ['Afternoon', 18],
  ['Evening', 24],
] as const satisfies readonly (readonly [Sentence, number])[];

/** A long list of times is easier to read by the parts of its day. */
function partsOf(times: ReturnType<typeof showTimes>, { t }: Pick<Words, 't'>) {
  const parts = Map.groupBy(times, ({ hour }) => partsOfDay.find(([, until]) => hour < until)?.[0]);
  return [...parts].map(([words = 'Evening', times]) => ({ words: t(words), times }));
}

export function showTimes(
  slots: readonly Slot[],
  date: string,
  { timeZone, duration, current }: Choice,
  { language, hours }: PageLocale,
) {
  const clock = createZoneClock(timeZone);
  const format = createInstantFormat({ language, hours, timeZone });
  return slots
    .filter(({ start }) => clock.dateOf(start) === date)
    .map(({ start }) => ({
      words: format.time(start),
      hour: Number(clock.textOf(start).slice(11, 13)),
      isCurrent: start === current,
      value: new Date(start).toISOString(),
      query: choiceQuery({ timeZone, duration, start }),
    }));
}

export function hasHours({ eventType, hosts }: HostedEventType, now: Date): boolean {
  const isOpen = ({ availability }: HostedEventType['hosts'][number]): boolean =>
    isEverOpen(availability, dateIn(now.getTime(), availability.timeZone));
  return hostsNeededBy(eventType) === 'collective' ? hosts.every(isOpen) : hosts.some(isOpen);
}

export function showMonth(
  choice: Choice,
  slots: readonly Slot[],
  locale: PageLocale,
  { t }: Pick<Words, 't'>,
  now: Date,
) {
  const { month, timeZone, duration, thisMonth, lastMonth } = choice;
  const { language } = locale;
  const clock = createZoneClock(timeZone);
  const today = dateIn(now.getTime(), timeZone);
  const countByDate = new Map<string, number>();
  for (const { start } of slots) {
    const day = clock.dateOf(start);
    countByDate.set(day, (countByDate.get(day) ?? 0) + 1);
  }
  const [firstFree] = countByDate.keys();
  const date = choice.date ?? firstFree;
  const times = date === undefined ? [] : showTimes(slots, date, choice, locale);
  const showDay = (day: string) => {
    const count = countByDate.get(day) ?? 0;
    return {
      number: Number(day.slice(-2)),
      words: formatDate(day, language),
      isChosen: day === date,
      isToday: day === today,
      query: count === 0 ? undefined : choiceQuery({ timeZone, duration, date: day }),
      times: t('{count, plural, one {# time} other {# times}}', { count }),
    };
  };
  const linkTo = (months: number) => {
    const to = monthAfter(month, months);
    return { words: formatMonth(to, language), query: choiceQuery({ timeZone, duration, month: to }) };
  };
  return {
    month: formatMonth(month, language),
    weekDays: weekDaysFrom(locale.firstDay, language),
    weeks: weeksOf(month, locale.firstDay)
      .filter((week) => week.some((day) => day !== undefined && day >= today))
      .map((week) => week.map((day) => (day === undefined ? undefined : showDay(day)))),
    previous: month > thisMonth ? linkTo(-1) : undefined,
    next: month < lastMonth ? linkTo(1) : undefined,
    hasTimes: slots.length > 0,
    day: date && { words: formatDate(date, language), times, parts: partsOf(times, { t }) },
    zones: showZones(timeZone, locale, now),
    proposesZone: !choice.isZoneChosen && choice.fault === undefined,
    kept: choice.date === undefined ? { name: 'month', value: month } : { name: 'date', value: choice.date },
    duration,
  };
}
