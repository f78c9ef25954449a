import { z } from 'zod';
import { describeOperation, successOf } from '../operation.ts';
import { availableAnswer, reservationAnswer, slotsAnswer } from './response.ts';

const family = 'Slots';
const caller = 'anybody';
const errors = {
  429: 'Too many questions from this network.',
  404: 'There is no such event type.',
  502: 'A calendar of a host cannot be read; details name it.',
} as const;

/** What the OpenAPI document says of each operation on slots. */
export const operations = {
  listSlots: describeOperation(
    { operationId: 'listSlots', summary: 'The slots of an event type, by date', family, caller, errors },
    200,
    successOf(slotsAnswer),
  ),
  listAvailableSlots: describeOperation(
    {
      operationId: 'listAvailableSlots',
      summary: 'The slots of an event type, in the older form',
      family,
      caller,
      errors,
    },
    200,
    successOf(availableAnswer),
  ),
  reserveSlot: describeOperation(
    {
      operationId: 'reserveSlot',
      summary: 'Keep a slot out of the lists for some minutes while somebody fills in the form',
      description:
        'A reservation hides its slot from lists and from other reservations. It keeps nobody from booking: whoever books first has the slot. Give it back once the slot is booked, because it does not end by that: a round robin would go on hiding the place of another host.',
      family,
      caller,
      errors: { ...errors, 409: 'The slot is not free.' },
    },
    201,
    successOf(reservationAnswer),
  ),
  releaseSlot: describeOperation(
    {
      operationId: 'releaseSlot',
      summary: 'Give a kept slot back',
      description: 'Before it runs out: when somebody gives up, and when the slot has been booked.',
      family,
      caller,
      errors: { 404: 'There is no such reservation any more.' },
    },
    200,
    z.object({ status: z.literal('success') }),
  ),
} as const;
