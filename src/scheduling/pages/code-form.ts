import type { FastifyReply } from 'fastify';
import { tooMany, tryAgain } from '../../accounts/rate-limits/limits.ts';
import type { Refusal } from '../../result.ts';
import type { FormFaults } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import type { BookingFault } from '../bookings/response.ts';
import { sendCode, type VerificationRefusalReason } from '../bookings/verification.ts';
import type { HostedEventType } from '../event-type-hosts/store.ts';
import { buttonFor, namesOf } from './booking-form.ts';
import { type SlotFormView, type SlotPage, sendFilled } from './slot-page.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/booking-code': Page & SlotFormView & ReturnType<typeof describeCode>;
  }
}

const reasons: readonly string[] = [
  'email_not_verified',
  'code_wrong',
  'too_many_codes',
] satisfies VerificationRefusalReason[];

export function isAboutCode(refusal: Refusal<BookingFault>): refusal is Refusal<VerificationRefusalReason> {
  return reasons.includes(refusal.reason);
}

const filledIn = ['form_id', 'name', 'email', 'location', 'place', 'notes', 'guests'] as const;

/**
 * Emails a code if none was sent along, and asks for it. The form stays filled in. `detail` of the
 * refusal: seconds to wait.
 */
export async function sendCodeForm(
  page: SlotPage,
  start: number,
  email: string,
  typed: FormFaults['typed'],
  refusal: Refusal<VerificationRefusalReason>,
): Promise<FastifyReply> {
  const { reply, hosted } = page;
  const booker = { eventType: hosted.eventType, email };
  const isMissing = refusal.reason === 'email_not_verified';
  const sent = isMissing ? await sendCode(reply.request.server, booker, reply.request) : refusal;
  const faults: Record<string, string> = {};
  if (!sent.ok && sent.reason === 'too_many_codes') {
    const wait = { retryAfterSeconds: Number(sent.detail ?? 60) };
    tooMany(reply, wait);
    faults['form'] = `Too many codes. ${tryAgain(wait)}`;
  }
  if (!sent.ok && sent.reason === 'code_wrong') {
    reply.code(400);
    faults['code'] = 'This code is wrong or has expired.';
  }
  const { code: _code, ...kept } = typed;
  const codePage: SlotPage = {
    ...page,
    sendForm: (view) =>
      sendPage(reply, 'scheduling/booking-code', {
        ...{ ...view, ...describeCode(hosted, email, kept) },
        title: `Check your email · ${view.title}`,
        scripts: [],
      }),
  };
  return sendFilled(codePage, start, { typed: kept, faults });
}

function describeCode({ eventType }: HostedEventType, email: string, kept: FormFaults['typed']) {
  const names = [...filledIn, ...namesOf(eventType.bookingFields)];
  return {
    email,
    /** What was filled in before. */
    hidden: names.map((name) => [name, kept[name] ?? ''] as const),
    button: buttonFor(eventType),
  };
}
