import { z } from 'zod';
import { usualYear } from '../../web/forms.ts';
import type { ListedEvent, Place } from './store.ts';

export const pageSize = 50;

/** The time and the event, joined by a tilde; unreadable, it means the newest. */
export const placeInQuery = z
  .string()
  .transform((text) => text.split('~'))
  .pipe(
    z.tuple([
      z.iso.datetime().regex(usualYear),
      z.coerce.number<string>().int().min(1).max(Number.MAX_SAFE_INTEGER),
    ]),
  )
  .transform(([at, id]): Place => ({ at: new Date(at), id }))
  .optional()
  .catch(undefined);

/** Of the next page; undefined when there is none. One more than a page was read. */
export function placeBehind(found: readonly ListedEvent[]): string | undefined {
  const last = found.length > pageSize ? found[pageSize - 1]?.event : undefined;
  return last && `${last.at.toISOString()}~${last.id}`;
}
