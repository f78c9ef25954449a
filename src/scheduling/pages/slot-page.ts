import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FormFaults } from '../../forms.ts';
import type { System } from '../../io/system.ts';
import { sendPage } from '../../pages.ts';
import type { Bookable } from '../bookable/store.ts';
import { tellSpan } from '../core/days.ts';
import { tellDate } from '../core/month.ts';
import type { FreeSlotDeps } from '../slots/free-slots.ts';
import { findTimes, hasHours, type ShownTime, showCalendar, showTimes } from './calendar.ts';
import { type Choice, queryOf } from './choice.ts';
import { habitsFor, tellZone } from './habits.ts';
import { answerHindrance, type HindranceReason } from './hindrances.ts';

export interface SlotPageDeps extends FreeSlotDeps {
  readonly system: System;
}

/** One visit to a page on which somebody chooses a time and then fills in a form: to book it, or to move a booking there. */
export interface SlotPage {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly bookable: Bookable;
  readonly choice: Choice;
  /** A booking that is to be moved does not stand in its own way. */
  readonly exceptUid?: string;
  readonly views: { readonly calendar: string; readonly form: string };
  /** What the page is about; its title names what was chosen, too. */
  readonly name: string;
  /** What both views show besides. */
  readonly words: Readonly<Record<string, unknown>>;
  /** The form's own fields; after a refusal that is of another time it is another form. */
  readonly formWords: (isOfAnotherTime: boolean, form: FormFaults) => Readonly<Record<string, unknown>>;
  /** Where the form leads in the end, besides our own origin. */
  readonly formTargets: readonly string[];
}

const untouched: FormFaults = { typed: {}, faults: {} };

/** The form of the slot that was chosen if it is free, else the calendar. */
export async function sendChoice(deps: SlotPageDeps, page: SlotPage): Promise<FastifyReply> {
  const { request, reply, bookable, choice, views, name, words } = page;
  const now = deps.system.now();
  const slots = await findTimes(deps, bookable, choice, now, page.exceptUid);
  const { start, date } = choice;
  const isFree = slots.ok && slots.value.some((slot) => slot.start === start);
  if (start !== undefined && isFree) return sendForm(page, start, untouched);
  if (!slots.ok) answerHindrance(reply, slots.reason);
  return sendPage(request, reply, views.calendar, {
    ...words,
    title: date === undefined ? name : `${tellDate(date)} · ${name}`,
    calendar: slots.ok ? showCalendar(choice, slots.value, habitsFor(request), now) : undefined,
    hasHours: hasHours(bookable, now),
    oddity: start === undefined ? choice.oddity : 'slot_not_free',
  });
}

/** The form again with what is wrong, and all that was typed. */
export function sendFaults(page: SlotPage, start: number, form: FormFaults): Promise<FastifyReply> {
  page.reply.code(400);
  return sendForm(page, start, form);
}

/** The form again with what came between; where another time would do, with the others of the day. */
export async function sendHindrance(
  deps: SlotPageDeps,
  page: SlotPage,
  start: number,
  reason: HindranceReason,
  typed: FormFaults['typed'],
): Promise<FastifyReply> {
  const { request, reply, bookable, choice } = page;
  const { words, offersOthers } = answerHindrance(reply, reason);
  const form = { typed, faults: { form: words } };
  if (!offersOthers || choice.date === undefined) return sendForm(page, start, form);
  const slots = await findTimes(deps, bookable, choice, deps.system.now(), page.exceptUid);
  const free = slots.ok ? slots.value : [];
  return sendForm(page, start, form, showTimes(free, choice.date, choice.timeZone, habitsFor(request)));
}

async function sendForm(
  page: SlotPage,
  start: number,
  form: FormFaults,
  otherTimes?: readonly ShownTime[],
): Promise<FastifyReply> {
  const { request, reply, bookable, choice, views, name, words, formTargets } = page;
  const { timeZone, date } = choice;
  const end = start + bookable.eventType.lengthInMinutes * 60_000;
  const when = tellSpan(start, end, timeZone, habitsFor(request).hours);
  const query = (chosen: { date?: string | undefined; start?: number }): string =>
    `${request.url.replace(/\?.*$/s, '')}${queryOf({ timeZone, ...chosen })}`;
  const view = {
    ...words,
    ...form,
    ...page.formWords(otherTimes !== undefined, form),
    title: `${when} · ${name}`,
    slot: new Date(start).toISOString(),
    when,
    timeZone,
    zone: tellZone(timeZone, new Date(start)),
    otherTimes,
    isSent: request.method === 'POST',
    again: query({ start }),
    back: query({ date }),
  };
  return sendPage(request, reply, views.form, view, formTargets);
}
