import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { limitsOfNetwork } from '../../accounts/rate-limits/networks.ts';
import { mayUse } from '../../oauth/core/scope.ts';
import { clientAddressOf, networkOf } from '../../platform/networks.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { refuse } from '../../result.ts';
import { causedByCaller, isCallerWithin } from '../../v2/limits.ts';
import { done, operationsOf, successOf } from '../../v2/operation.ts';
import { findOfferedEventType, readEventTypeName } from '../event-type-hosts/store.ts';
import { families } from '../families.ts';
import { bookerLimits } from '../limits.ts';
import { silenceQuery } from '../slots/request.ts';
import { calendarFails } from '../slots/response.ts';
import { attendeeAccessOf } from './booking.ts';
import { type CreatedBooking, createBooking } from './create.ts';
import { codeRequest, idempotencyKey, newBooking } from './request.ts';
import { bookingAnswer, sendBookingRefusal, showBooking, showToStranger } from './response.ts';
import { sendCode } from './verification.ts';

const open = operationsOf(families.bookings, { caller: 'anyone' });
const one = successOf(bookingAnswer);

export const bookingCreationPlugin = scopedPlugin(
  'booking-creation',
  ['principals', 'api-versions'],
  async (app) => {
    const headers = z.object({ 'idempotency-key': idempotencyKey });
    app.post(
      '/bookings/verification/email/send-code',
      open('sendBookingVerificationCode', 'Send email verification code', done, {
        body: codeRequest,
        description:
          'For event types with requiresBookerEmailVerification: emails the attendee a code, for `emailVerificationCode` of a booking. It works for 10 minutes.',
        errors: {
          404: 'No such event type.',
          409: 'The event type can be booked without a code, or this server can’t send email.',
          429: 'Too many codes for this address, or from this network.',
        },
      }),
      async (request, reply) => {
        const { body, principal } = request;
        const name = readEventTypeName(body);
        const hosted = name && (await findOfferedEventType(app, name, principal));
        if (hosted === undefined) return sendBookingRefusal(reply, refuse('event_type_not_found'));
        const { eventType } = hosted;
        if (!eventType.requiresBookerEmailVerification)
          return sendBookingRefusal(reply, refuse('code_not_needed'));
        if (!app.mail.isConfigured) return sendBookingRefusal(reply, refuse('no_mail_server'));
        const sent = await sendCode(app, { eventType, email: body.email }, request);
        return sent.ok ? reply.send({ status: 'success' }) : sendBookingRefusal(reply, sent);
      },
    );

    app.post(
      '/bookings',
      open('createBooking', 'Create a booking', one, {
        headers,
        querystring: silenceQuery,
        body: newBooking,
        description:
          'Callers who don’t host the booking get no email addresses of hosts, but `links` and `bookingToken`, with which the attendee can reschedule and cancel.\n\nPublic, like booking pages. With an Idempotency-Key you can retry the same request for a day, with a token of the same user and app, or without one from the same network: it books once, and retries return that booking in its current state, without `links` and `bookingToken` if there is no token. Where hosts take turns, the same request counts as a retry without a key, too. Reservations don’t block bookings; release yours afterwards.',
        status: 201,
        errors: {
          400: 'Invalid request; `details` names each invalid field. Of `emailVerificationCode`: it is needed here, wrong or has expired.',
          404: 'No such event type.',
          409: 'The slot isn’t available, the Idempotency-Key was used with another request, or a code is needed and this server can’t send email.',
          429: 'Too many bookings, or emails about them, with this access or from this network.',
          ...calendarFails,
        },
      }),
      async (request, reply) => {
        if (!isCallerWithin(app.publicRateLimits.bookings, reply))
          return sendBookingRefusal(reply, refuse('too_many_bookings'));
        const { bearer, body, headers: sent } = request;
        // A token without the scope gives no more than no token.
        const mayWrite = bearer !== undefined && mayUse(bearer.scopes, 'BOOKING_WRITE');
        const principal = mayWrite ? request.principal : undefined;
        const sender = bearer ?? { network: networkOf(clientAddressOf(request)) };
        const guesses = limitsOfNetwork(bookerLimits.booker_code_guess, request);
        const { _silentCalendarFailures: ignoresCalendarFailures } = request.query;
        const cause = causedByCaller(request);
        const caller = { sender, principal, cause, guesses, ignoresCalendarFailures };
        const outcome = await createBooking(app, body, sent['idempotency-key'], caller);
        if (!outcome.ok) return sendBookingRefusal(reply, outcome);
        request.log.info({ bookingUid: outcome.value.booking.uid }, 'a slot was booked');
        const isOwn = outcome.value.hosts.some(({ id }) => id === principal?.userId);
        const data = isOwn
          ? showBooking(outcome.value)
          : { ...showToStranger(outcome.value), ...accessFor(request, outcome.value) };
        return reply.code(201).send({ status: 'success', data });
      },
    );

    /** Others in the network who repeat a request get no links (security C104). */
    function accessFor(request: FastifyRequest, { booking, isRepeated }: CreatedBooking): object {
      const isAnyones = isRepeated === true && request.bearer === undefined;
      return isAnyones ? {} : attendeeAccessOf(booking.uid, app);
    }
  },
);
