import type { FastifyReply } from 'fastify';
import { tooMany, tryAgain } from '../../accounts/rate-limits/limits.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../result.ts';
import type { FormFaults } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import type { BookingFault } from '../bookings/response.ts';
import { sendCode, type VerificationRefusalReason } from '../bookings/verification.ts';
import { namesOf } from './booking-form.ts';
import { type SlotFormView, type SlotPage, sendFilled } from './slot-page.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/booking-code': Page &
      SlotFormView & {
        readonly email: string;
        /** What was filled in before. */
        readonly hidden: readonly (readonly [name: string, value: string])[];
        readonly button: string;
      };
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

interface Asked {
  readonly page: SlotPage;
  readonly start: number;
  readonly email: string;
  readonly typed: FormFaults['typed'];
  /** `detail`: seconds to wait. */
  readonly refusal: Refusal<VerificationRefusalReason>;
}

const filledIn = ['form_id', 'name', 'email', 'location', 'place', 'notes', 'guests'] as const;

/** Emails a code if none was sent along, and asks for it. The form stays filled in. */
export async function sendCodeForm(
  app: Pick<Platform, 'db' | 'mail' | 'runtime' | 'secrets'>,
  { page, start, email, typed, refusal }: Asked,
): Promise<FastifyReply> {
  const { reply, hosted } = page;
  const { eventType } = hosted;
  const sent =
    refusal.reason === 'email_not_verified'
      ? await sendCode(app, { eventType, email }, reply.request)
      : refusal;
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
        ...view,
        title: `Check your email · ${view.title}`,
        scripts: [],
        email,
        hidden: [...filledIn, ...namesOf(eventType.bookingFields)].map(
          (name) => [name, kept[name] ?? ''] as const,
        ),
        button: eventType.requiresConfirmation ? 'Request this time' : 'Book this time',
      }),
  };
  return sendFilled(codePage, start, { typed: kept, faults });
}
