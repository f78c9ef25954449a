import { createHash } from 'node:crypto';
import type { NewBooking } from '../request.ts';

/**
 * Who sends a booking request: an app for a user (with a token), a booking page, or anyone at the
 * API. Pages have keys of their own because their answer leads to the attendee's private link.
 */
export type Sender = { readonly clientId: string; readonly userId: number } | 'page' | undefined;

export interface IdempotencyEntry {
  readonly keyHash: string;
  readonly requestHash: string;
}

/**
 * What is stored of a request and its Idempotency-Key (contract §8). Keys are scoped to sender and
 * event type, so people without a token who chose the same key for different hosts never collide.
 */
export function idempotencyOf(
  key: string,
  eventTypeId: number,
  sender: Sender,
  request: NewBooking,
): IdempotencyEntry {
  const scope = typeof sender === 'object' ? [sender.clientId, sender.userId] : [sender ?? null];
  return { keyHash: hash(['booking', eventTypeId, ...scope, key]), requestHash: hash(request) };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
