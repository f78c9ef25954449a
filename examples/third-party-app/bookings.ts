import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ApiAccess, ApiRefusal } from './api.ts';
import { bookPage, type TypedBooking } from './booking-pages.ts';
import { book, cancelBooking, fetchEventType, fetchProfile, fetchSlots } from './calendar.ts';
import { sendPage } from './send.ts';

const eventTypeId = z.coerce.number<string>().int();
const question = z.object({ eventTypeId });
const form = z.object({
  eventTypeId,
  start: z.string(),
  name: z.string(),
  email: z.string(),
  key: z.string(),
});

/** Other refusals get a page of their own. */
const faults: ReadonlyMap<number, string> = new Map([
  [400, 'Please look at the name and the email address again.'],
  [409, 'This time was taken meanwhile, or the form was sent before. Please choose a time again.'],
]);

/** `accessOf` answers undefined for a user who isn't connected. */
export function registerBookings(
  app: FastifyInstance,
  accessOf: (request: FastifyRequest) => Promise<ApiAccess | undefined>,
): void {
  app.get('/book', async (request, reply) => {
    const access = await accessOf(request);
    const asked = question.safeParse(request.query).data;
    if (access === undefined || asked === undefined) return reply.redirect('/', 303);
    return sendForm(reply, access, { ...asked, start: '', name: '', email: '' });
  });

  app.post('/book', async (request, reply) => {
    const access = await accessOf(request);
    const typed = form.safeParse(request.body).data;
    if (access === undefined || typed === undefined) return reply.redirect('/', 303);
    const { start, name, email, key } = typed;
    const timeZone = await timeZoneOf(access);
    const wanted = { eventTypeId: typed.eventTypeId, start, attendee: { name, email, timeZone } };
    try {
      const { status } = await book(access, wanted, key);
      return reply.redirect(`/?done=${status === 'pending' ? 'requested' : 'booked'}`, 303);
    } catch (error) {
      const fault = error instanceof ApiRefusal ? faults.get(error.status) : undefined;
      if (!(error instanceof ApiRefusal) || fault === undefined) throw error;
      return sendForm(reply.code(error.status), access, typed, fault);
    }
  });

  app.post<{ Params: { uid: string } }>('/bookings/:uid/cancel', async (request, reply) => {
    const access = await accessOf(request);
    if (access === undefined) return reply.redirect('/', 303);
    await cancelBooking(access, request.params.uid);
    return reply.redirect('/?done=cancelled', 303);
  });
}

/** A refused form didn't book, and a changed one is another request, so each gets a new key. */
async function sendForm(
  reply: FastifyReply,
  access: ApiAccess,
  typed: TypedBooking,
  fault?: string,
): Promise<FastifyReply> {
  const timeZone = await timeZoneOf(access);
  const [eventType, slots] = await Promise.all([
    fetchEventType(access, typed.eventTypeId),
    fetchSlots(access, typed.eventTypeId, timeZone),
  ]);
  return sendPage(reply, bookPage({ eventType, slots, timeZone, typed, fault, key: randomUUID() }));
}

async function timeZoneOf(access: ApiAccess): Promise<string> {
  return (await fetchProfile(access))?.timeZone ?? 'UTC';
}
