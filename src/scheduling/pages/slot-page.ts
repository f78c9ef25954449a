import type { FastifyReply } from 'fastify';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import type { Refusal } from '../../result.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { findOutage } from '../calendars/store.ts';
import { createInstantFormat, formatDate } from '../dates.ts';
import type { HostedEventType } from '../store.ts';
import { type Choice, choiceQuery, findSlotsOfMonth, hasHours, showMonth, showTimes } from './calendar.ts';
import { localeOf, showZone } from './shown-booking.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/calendar': Omit<SlotCalendarView, 'title'>;
    'scheduling/chosen-time': SlotFormView;
    'scheduling/slot-choice': SlotFormView;
  }
}

export interface SlotCalendarView {
  readonly title: string;
  readonly notice: string | undefined;
  readonly calendar: ReturnType<typeof showMonth> | undefined;
  readonly hasHours: boolean;
  /** The host has an email about the calendar that can't be read. */
  readonly isHostTold: boolean;
}

export type SlotFormView = ReturnType<typeof formView>;

export interface SlotPage {
  readonly reply: FastifyReply;
  readonly hosted: HostedEventType;
  readonly choice: Choice;
  readonly exceptUid?: string;
  readonly name: string;
  sendCalendar(view: SlotCalendarView): Promise<FastifyReply>;
  sendForm(view: SlotFormView): Promise<FastifyReply>;
}

type SlotPlatform = Pick<Platform, 'calendars' | 'db' | 'runtime'>;

const blockers = {
  too_many_bookings: [429, 'Too many bookings from your network. Try again in a minute.', false],
  calendar_unavailable: [503, 'We can’t check available times right now. Try again in a minute.', false],
  host_full: [409, 'This host can’t take more bookings today. Try again tomorrow.', true],
  slot_not_free: [409, 'This time is no longer available. Choose another one.', true],
  key_of_another_request: [
    409,
    'You already made a booking with this form. To make another one, choose another time.',
    true,
  ],
} as const satisfies Record<string, readonly [number, words: Sentence, offersOthers: boolean]>;

type BlockerReason = keyof typeof blockers;

export function isBlocker(reason: string): reason is BlockerReason {
  return Object.hasOwn(blockers, reason);
}

async function setStatus(
  { db, runtime }: SlotPlatform,
  reply: FastifyReply,
  { reason, detail }: Refusal<BlockerReason>,
): Promise<boolean> {
  reply.code(blockers[reason][0]);
  if (reason === 'too_many_bookings') reply.header('retry-after', 60);
  if (reason !== 'calendar_unavailable') return false;
  const { secondsToReading, isOwnerTold } = await findOutage(db, Number(detail), runtime.now());
  reply.header('retry-after', secondsToReading);
  return isOwnerTold;
}

export async function sendChoice(app: SlotPlatform, page: SlotPage): Promise<FastifyReply> {
  const { reply, hosted, choice, name } = page;
  const now = app.runtime.now();
  const slots = await findSlotsOfMonth(app, reply, hosted, choice, page.exceptUid);
  const { start, date } = choice;
  const isFree = slots.ok && slots.value.some((slot) => slot.start === start);
  if (start !== undefined && isFree) return page.sendForm(formView(page, start, untouched));
  const isHostTold = !slots.ok && (await setStatus(app, reply, slots));
  const locale = localeOf(reply.request);
  return page.sendCalendar({
    title: date === undefined ? name : `${formatDate(date, locale.language)} · ${name}`,
    calendar: slots.ok ? showMonth(choice, slots.value, locale, reply.request.words, now) : undefined,
    hasHours: hasHours(hosted, now),
    isHostTold,
    notice: noticeOf(choice, reply.request.words),
  });
}

function noticeOf({ start, fault, timeZone: zone }: Choice, { t }: Pick<Words, 't'>): string | undefined {
  if (start !== undefined)
    return t('This time is no longer available. Choose another one. If you just booked it, you’re all set.');
  if (fault === 'no_such_zone')
    return t('We don’t know that time zone. Times are shown in {zone}.', { zone });
  return fault && t('That day can’t be booked. Choose another one.');
}

export function sendFaults(page: SlotPage, start: number, form: FormFaults): Promise<FastifyReply> {
  page.reply.code(400);
  return page.sendForm(formView(page, start, form));
}

export async function sendBlocker(
  app: SlotPlatform,
  page: SlotPage,
  start: number,
  refused: Refusal<BlockerReason>,
  typed: FormFaults['typed'],
): Promise<FastifyReply> {
  const { reply, hosted, choice } = page;
  const [, words, offersOthers] = blockers[refused.reason];
  await setStatus(app, reply, refused);
  const form = { typed, faults: { form: words } };
  if (!offersOthers || choice.date === undefined) return page.sendForm(formView(page, start, form));
  const slots = await findSlotsOfMonth(app, reply, hosted, choice, page.exceptUid);
  const free = slots.ok ? slots.value : [];
  const others = showTimes(free, choice.date, choice, localeOf(reply.request));
  return page.sendForm(formView(page, start, form, others));
}

function formView(
  { reply: { request }, hosted, choice, name }: SlotPage,
  start: number,
  form: FormFaults,
  otherTimes?: ReturnType<typeof showTimes>,
) {
  const { timeZone, date, duration } = choice;
  const format = createInstantFormat({ ...localeOf(request), timeZone });
  const when = format.span(start, start + hosted.eventType.lengthInMinutes * 60_000);
  const addressOf = (chosen: { date?: string | undefined; start?: number }): string =>
    `${request.url.replace(/\?.*$/s, '')}${choiceQuery({ timeZone, duration, ...chosen })}`;
  const hasTimes = otherTimes === undefined || otherTimes.length > 0;
  return {
    ...form,
    title: `${when} · ${name}`,
    slot: new Date(start).toISOString(),
    when,
    timeZone,
    duration,
    zone: showZone(timeZone, new Date(start)),
    otherTimes,
    hasTimes,
    scripts: hasTimes ? ['keep-typed.js'] : [],
    /** keep-typed.js needs `sent` after a request that sent the form. */
    keep: request.method === 'POST' ? 'sent' : '',
    again: addressOf({ start }),
    back: addressOf({ date }),
  };
}
