import { createHash } from 'node:crypto';
import type { NewBooking } from '../request.ts';
import type { IdempotencyEntry } from './store.ts';

/**
 * Who asks for a booking: the app and the user whom it acts for, where a token says so; a booking page, whose keys nobody else can use, because what
 * it answers leads to the booking's private link; or undefined, anybody at the API.
 */
export type Sender = { readonly clientId: string; readonly userId: number } | 'page' | undefined;

/**
 * What is kept of a request and its Idempotency-Key, contract §8. A key is its sender's own, and the event type's, which is all that tells senders
 * without a token apart: people who have chosen the same key for different hosts never meet.
 */
export function idempotencyOf(
  key: string,
  eventTypeId: number,
  sender: Sender,
  asked: NewBooking,
): IdempotencyEntry {
  return { keyHash: hash(['booking', eventTypeId, ...partsOf(sender), key]), requestHash: hash(asked) };
}

function partsOf(sender: Sender): readonly unknown[] {
  if (sender === undefined || sender === 'page') return [sender ?? null];
  return [sender.clientId, sender.userId];
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
