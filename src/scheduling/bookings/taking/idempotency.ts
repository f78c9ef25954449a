import { createHash } from 'node:crypto';
import type { NewBooking } from '../request.ts';
import type { IdempotencyEntry } from './store.ts';

/** The app that asks for a booking and the user whom it acts for, where a token says so. */
export interface Sender {
  readonly clientId: string;
  readonly userId: number;
}

/**
 * What is kept of a request and its Idempotency-Key, contract §8. A key is its sender's own, and the event type's, which is all that tells senders
 * without a token apart: people who have chosen the same key for different hosts never meet.
 */
export function idempotencyOf(
  key: string,
  eventTypeId: number,
  sender: Sender | undefined,
  asked: NewBooking,
): IdempotencyEntry {
  const { clientId = null, userId = null } = sender ?? {};
  return { keyHash: hash(['booking', eventTypeId, clientId, userId, key]), requestHash: hash(asked) };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
