import type { System } from '../../io/system.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { type NamedEventType, readEventTypeName } from '../bookable/name.ts';
import { findBookable } from '../bookable/store.ts';
import { startOfDay } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import type { Slot } from '../core/slots.ts';
import { readRange } from '../range.ts';
import type { SlotFault } from './faults.ts';
import { type FreeSlotDeps, findFreeSlots, intervalOf } from './free-slots.ts';

export interface QuestionDeps extends FreeSlotDeps {
  readonly system: System;
}

/** What both lists of slots ask for, under one set of names. */
export interface Question extends NamedEventType {
  readonly start: string;
  readonly end: string;
  readonly timeZone: string;
  readonly duration?: number | undefined;
  readonly bookingUidToReschedule?: string | undefined;
  readonly _silentCalendarFailures: boolean;
}

/** The slots that a query asks for, and their length. */
export async function answerQuestion(
  deps: QuestionDeps,
  question: Question,
): Promise<Result<{ readonly slots: readonly Slot[]; readonly lengthMs: number }, SlotFault>> {
  const { timeZone, duration } = question;
  const name = readEventTypeName(question);
  if (!name.ok) return name;
  const range = readRange(question.start, question.end, (date, days) => startOfDay(date, timeZone, days));
  if (!range.ok) return range;
  const bookable = await findBookable(deps.db, name.value);
  if (bookable === undefined) return refuse('event_type_not_found');
  const { lengthInMinutes } = bookable.eventType;
  if (duration !== undefined && duration !== lengthInMinutes) return refuse('duration_differs');
  if (hasTooManyStarts(range.value, intervalOf(bookable.eventType))) return refuse('too_many_starts');
  const slots = await findFreeSlots(deps, bookable, {
    range: range.value,
    now: deps.system.now(),
    mindsReservations: true,
    ignoresCalendarFailures: question._silentCalendarFailures,
    exceptUid: question.bookingUidToReschedule,
  });
  return slots.ok ? ok({ slots: slots.value, lengthMs: lengthInMinutes * 60_000 }) : slots;
}

/** Of an answer: so many starts can be told before others would have to wait. */
const mostStarts = 30_000;

/** Whether a range has more starts than an answer may tell. */
function hasTooManyStarts({ start, end }: Interval, intervalMinutes: number): boolean {
  return (end - start) / (intervalMinutes * 60_000) > mostStarts;
}
