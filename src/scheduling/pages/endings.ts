import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import type { ShownBooking } from '../bookings/store.ts';
import { reasonForm } from './request.ts';
import type { BookingWay } from './reschedule.ts';
import { type BookingView, showBookingOn } from './shown-booking.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/ending': Page &
      FormFaults &
      ReturnType<typeof describeEnding> & { readonly shown: BookingView; readonly back: string };
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
} as const;

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

    app.post(path, { schema: { params, body: reasonForm } }, async (request, reply) => {
      const found = await find(request);
      const { form } = request.body;
      return form.ok
        ? end(reply, found, action, form.value.reason ?? null)
        : sendEnding(reply.code(400), showBookingOn(found, party, request), action, form);
    });
  }

  async function sendEnding(
    reply: FastifyReply,
    shown: BookingView,
    action: Ending,
    form: FormFaults,
  ): Promise<FastifyReply> {
    const ending = describeEnding(reply.request, action, isForVisitors);
    const title = `${ending.question} · ${shown.title}`;
    const back = pathOf(shown.uid);
    return sendPage(reply, 'scheduling/ending', { ...ending, ...form, title, shown, back });
  }
}

function describeEnding(
  { server, words: { known } }: FastifyRequest,
  action: Ending,
  isForVisitors: boolean,
) {
  const { question, effect, button, keep } = endings[action];
  const silence = 'The time reopens. This server can’t send email, so nobody is notified.';
  return {
    question: known(question),
    button: known(button),
    keep: known(keep),
    isForVisitors,
    reasonHint: known(
      isForVisitors ? 'Visible to the host.' : 'The attendee can read it on the booking’s page.',
    ),
    effect: known(server.mail.isConfigured ? effect : silence),
  };
}
