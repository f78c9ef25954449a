import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { whoseOf } from '../../platform/limits/whose.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Sentence } from '../../platform/words.ts';
import { refuse } from '../../result.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { rescheduleBooking } from '../bookings/change.ts';
import type { Cause } from '../bookings/emails/emails.ts';
import { findBooking, type ShownBooking } from '../bookings/store.ts';
import { type Party, type StatusAction, statusAfter } from '../core/booking.ts';
import { anyTime } from '../core/booking-window.ts';
import { bookableIn } from '../slots/free-slots.ts';
import { findHostedEventType, type HostedEventType, keepLength, lengthOf } from '../store.ts';
import { readChoice } from './calendar.ts';
import { type ChoiceFields, choiceFields, reasonForm } from './request.ts';
import { type BookingView, showBookingOn } from './shown-booking.ts';
import {
  isBlocker,
  type SlotCalendarView,
  type SlotFormView,
  type SlotPage,
  sendBlocker,
  sendChoice,
  sendFaults,
} from './slot-page.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/outdated': { readonly outdated?: Outdated | undefined };
    'scheduling/ending': Page &
      FormFaults &
      ReturnType<typeof describeEnding> & { readonly shown: BookingView; readonly back: string };
    'scheduling/reschedule': Page & SlotCalendarView & RescheduledView;
    'scheduling/reschedule-form': Page &
      SlotFormView &
      RescheduledView & { readonly requiresConfirmation: boolean; readonly button: string };
  }
}

interface RescheduledView {
  readonly shown: BookingView;
  readonly own: string;
  readonly isForVisitors: boolean;
}

export const answering = { oldSignInBecause: 'it changes one booking, and all in it are told' };

/** Hosts and attendees come by ways of their own, to the same pages. */
export interface BookingWay {
  readonly party: Party;
  /** The path of the booking's page. */
  readonly home: string;
  readonly params: z.ZodType;
  find(request: FastifyRequest): Promise<ShownBooking>;
  pathOf(uid: string): string;
  callerOf(request: FastifyRequest): Pick<Cause, 'sender' | 'userId'>;
  /** The booking's page, which says that nothing was changed, and keeps a reason that was typed. */
  sendOutdated(reply: FastifyReply, found: ShownBooking, reason: string | null): Promise<FastifyReply>;
}

/** What a booking's page says after a form about its former status. */
export interface Outdated {
  readonly reason: string | null;
}

/** The form was sent twice, or someone was faster. A reason is kept for the booking's new time. */
export function isDone({ booking }: ShownBooking, action: StatusAction, reason: string | null): boolean {
  const isMoved = booking.rescheduledToUid !== null && reason !== null;
  return booking.status === statusAfter[action] && !isMoved;
}

interface Reschedulable {
  readonly own: ShownBooking;
  readonly shown: BookingView;
  readonly hosted: HostedEventType;
}

export function registerReschedulePages(
  app: ScopedApp,
  { party, home, params, find, pathOf, callerOf, sendOutdated }: BookingWay,
): void {
  const path = `${home}/reschedule`;

  app.get(
    path,
    { config: { limit: 'slots' }, schema: { params, querystring: choiceFields } },
    async (request, reply) => {
      const found = await findReschedulable(reply, request.query);
      return found === undefined ? reply : sendChoice(app, pageOf(reply, found, request.query));
    },
  );

  app.post(
    path,
    { config: { ...answering, limit: 'slots' }, schema: { params, body: reasonForm } },
    async (request, reply) => {
      const { choice, form, typed } = request.body;
      const reason = (form.ok && form.value.reason) || null;
      const found = await findReschedulable(reply, choice, reason);
      if (found === undefined) return reply;
      const { own, shown } = found;
      const page = pageOf(reply, found, choice);
      const { start } = page.choice;
      if (start === undefined) return sendChoice(app, { ...page, reply: reply.code(400) });
      if (!form.ok) return sendFaults(page, start, form);
      if (start === own.booking.startsAt.getTime()) return reply.redirect(pathOf(shown.uid), 303);
      if (!app.buckets.bookings.take(whoseOf(request)).isAllowed)
        return sendBlocker(app, page, start, refuse('too_many_bookings'), typed);
      const cause = { by: party, reason, ...callerOf(request) };
      const outcome = await rescheduleBooking(app, own, new Date(start), cause);
      if (outcome.ok) {
        request.log.info({ bookingUid: outcome.value.booking.uid, party }, 'a booking was rescheduled');
        return reply.redirect(pathOf(outcome.value.booking.uid), 303);
      }
      const { reason: refusal } = outcome;
      request.log.info({ reason: refusal }, 'a booking was not rescheduled on its page');
      // The second of two equal forms finds the time taken by the first.
      const isUnchanged = (await findBooking(app.db, shown.uid))?.booking.status === own.booking.status;
      return isUnchanged && isBlocker(refusal)
        ? sendBlocker(app, page, start, { ...outcome, reason: refusal }, typed)
        : sendCurrent(reply, shown.uid, start, reason);
    },
  );

  function pageOf(reply: FastifyReply, { shown, hosted }: Reschedulable, fields: ChoiceFields): SlotPage {
    const now = app.runtime.now();
    const requiresConfirmation = hosted.eventType.requiresConfirmation && party === 'attendee';
    const { t } = reply.request.words;
    const rescheduled = { shown, own: pathOf(shown.uid), isForVisitors: party === 'attendee' };
    return {
      reply,
      hosted,
      choice: readChoice(fields, shown.zone.name, bookableIn(hosted, now), now, Date.parse(shown.start)),
      exceptUid: shown.uid,
      name: t('Reschedule: {title}', { title: shown.title }),
      sendCalendar: (view) =>
        sendPage(reply, 'scheduling/reschedule', { ...view, ...rescheduled, scripts: ['zone.js'] }),
      sendForm: (view) =>
        sendPage(reply, 'scheduling/reschedule-form', {
          ...view,
          ...rescheduled,
          requiresConfirmation,
          button: t(requiresConfirmation ? 'Request this time' : 'Reschedule booking'),
        }),
    };
  }

  async function findReschedulable(
    reply: FastifyReply,
    fields: ChoiceFields,
    reason: string | null = null,
  ): Promise<Reschedulable | undefined> {
    const own = await find(reply.request);
    const { uid, eventTypeId } = own.booking;
    const now = app.runtime.now();
    const shown = showBookingOn(own, party, reply.request);
    const found =
      eventTypeId === null || !shown.mayReschedule
        ? undefined
        : await findHostedEventType(app, { eventTypeId });
    if (found !== undefined) return { own, shown, hosted: keepLength(found, lengthOf(own.booking)) };
    const { start } = readChoice(fields, shown.zone.name, anyTime, now);
    return void (await sendCurrent(reply, uid, start, reason));
  }

  async function sendCurrent(
    reply: FastifyReply,
    uid: string,
    start: number | undefined,
    reason: string | null,
  ) {
    const current = await findBooking(app.db, uid);
    const to = current?.booking.rescheduledToUid ?? undefined;
    const next = to === undefined || start === undefined ? undefined : await findBooking(app.db, to);
    const isThere = next !== undefined && next.booking.startsAt.getTime() === start;
    if (!isThere && current !== undefined && reason !== null) return sendOutdated(reply, current, reason);
    return reply.redirect(pathOf(isThere ? next.booking.uid : uid), 303);
  }
}

const endings = {
  cancel: {
    question: 'Cancel this booking?',
    effect: 'All attendees will be notified and the time reopens.',
    button: 'Cancel booking',
    keep: 'Keep booking',
    may: 'mayCancel',
  },
  decline: {
    question: 'Decline this booking?',
    effect: 'The attendee will be notified and the time reopens.',
    button: 'Decline booking',
    keep: 'Keep request',
    may: 'mayConfirm',
  },
} as const satisfies Record<
  string,
  Readonly<Record<'question' | 'effect' | 'button' | 'keep', Sentence>> & { readonly may: string }
>;

type Ending = keyof typeof endings;

/** Asks whether a booking shall end, and why. */
export function registerEndingPages(
  app: ScopedApp,
  { party, home, params, find, pathOf }: BookingWay,
  actions: readonly Ending[],
  end: (
    reply: FastifyReply,
    found: ShownBooking,
    action: Ending,
    reason: string | null,
  ) => Promise<FastifyReply>,
): void {
  const isForVisitors = party === 'attendee';
  for (const action of actions) {
    const path = `${home}/${action}`;

    app.get(path, { schema: { params } }, async (request, reply) => {
      const shown = showBookingOn(await find(request), party, request);
      return shown[endings[action].may]
        ? sendEnding(reply, shown, action, untouched)
        : reply.redirect(pathOf(shown.uid), 303);
    });

    app.post(path, { config: answering, schema: { params, body: reasonForm } }, async (request, reply) => {
      const found = await find(request);
      const { form } = request.body;
      return form.ok
        ? end(reply, found, action, form.value.reason ?? null)
        : sendEnding(reply.code(400), showBookingOn(found, party, request), action, form);
    });
  }

  async function sendEnding(reply: FastifyReply, shown: BookingView, action: Ending, form: FormFaults) {
    const ending = describeEnding(reply.request, action, isForVisitors);
    const title = `${ending.question} · ${shown.title}`;
    const back = pathOf(shown.uid);
    return sendPage(reply, 'scheduling/ending', { ...ending, ...form, title, shown, back });
  }
}

function describeEnding({ server, words: { say } }: FastifyRequest, action: Ending, isForVisitors: boolean) {
  const { question, effect, button, keep } = endings[action];
  const silence: Sentence = 'The time reopens. This server can’t send email, so nobody is notified.';
  return {
    question: say(question),
    button: say(button),
    keep: say(keep),
    isForVisitors,
    reasonHint: isForVisitors
      ? say('Visible to the host.')
      : say('The attendee can read it on the booking’s page.'),
    effect: say(server.mail.isConfigured ? effect : silence),
  };
}
