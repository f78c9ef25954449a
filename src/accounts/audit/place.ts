import { z } from 'zod';
import { placeBy, placeOf } from '../../web/forms.ts';
import type { ListedEvent } from './store.ts';

export const pageSize = 50;

export const placeInQuery = placeBy(z.coerce.number<string>().int().min(1).max(Number.MAX_SAFE_INTEGER));

/** Of the next page; undefined when there is none. One more than a page was read. */
export function placeBehind(found: readonly ListedEvent[]): string | undefined {
  const last = found.length > pageSize ? found[pageSize - 1]?.event : undefined;
  return last && placeOf(last.at, last.id);
}
