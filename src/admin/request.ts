import { z } from 'zod';
import { type OutboxPlace, outboxViews } from '../outbox/store.ts';

/** A place in the outbox as a page's address names it: the instant and the message, joined by a tilde. */
const place = z
  .string()
  .transform((text) => text.split('~'))
  .pipe(z.tuple([z.iso.datetime(), z.uuid()]))
  .transform(([createdAt, id]): OutboxPlace => ({ createdAt: new Date(createdAt), id }));

/** What an admin wants to see of the outbox; whatever cannot be read is the beginning of what waits. */
export const outboxQuery = z.object({
  show: z.enum(outboxViews).catch('waiting'),
  behind: place.optional().catch(undefined),
});

/** A place for an address, for {@link outboxQuery}. */
export function formatPlace({ createdAt, id }: OutboxPlace): string {
  return `${createdAt.toISOString()}~${id}`;
}

/** A message's id in a path. */
export const messageId = z.uuid();
