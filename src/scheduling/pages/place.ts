import type { Db } from '../../io/database.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { ownerOf } from '../event-types/response.ts';
import { findEventType } from '../event-types/store.ts';
import { type Bookable, type EventTypeName, findBookable } from '../slots/store.ts';

export interface FoundHere {
  readonly kind: 'here';
  readonly bookable: Bookable;
  readonly teamName: string | undefined;
}

/** An event type's page, or where it is instead. */
export type Found = FoundHere | { readonly kind: 'elsewhere'; readonly address: string };

/**
 * The page of an event type, if it is shown at this origin; a regular organization's has one place only, its subdomain. `ownOrigin` undefined is the
 * general one. Undefined: there is no such page here.
 */
export async function findPage(
  deps: BookingHosts & { readonly db: Db },
  name: EventTypeName | undefined,
  ownOrigin: string | undefined,
): Promise<Found | undefined> {
  const bookable = name === undefined ? undefined : await findBookable(deps.db, name);
  const shown = bookable && (await findEventType(deps.db, bookable.eventType.id));
  if (bookable === undefined || shown === undefined) return undefined;
  const address = bookingUrlOf(ownerOf(shown), bookable.eventType.slug, deps);
  if (address.startsWith(`${ownOrigin ?? deps.appUrl}/`))
    return { kind: 'here', bookable, teamName: shown.team?.name };
  return address === '' || ownOrigin !== undefined ? undefined : { kind: 'elsewhere', address };
}

/** What the page says of the event type and of those who host it. */
export function wordsOf({ eventType, hosts }: Bookable, teamName: string | undefined) {
  const { title, description, lengthInMinutes, schedulingType, requiresConfirmation } = eventType;
  return {
    title,
    description,
    lengthInMinutes,
    isRoundRobin: schedulingType === 'roundRobin' && hosts.length > 1,
    requiresConfirmation,
    teamName,
    hosts: hosts.map(({ name }) => name),
  };
}
