import type { Db } from '../../io/database.ts';
import type { EventTypeName } from '../bookable/name.ts';
import { type Bookable, findBookable } from '../bookable/store.ts';
import { type BookingHosts, bookingUrlOf } from '../core/booking-url.ts';
import { tellLength } from '../core/days.ts';
import { ownerOf } from '../event-types/response.ts';
import { findEventType, type ShownEventType } from '../event-types/store.ts';

export interface FoundHere {
  readonly kind: 'here';
  readonly bookable: Bookable;
  readonly shown: ShownEventType;
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
  if (address.startsWith(`${ownOrigin ?? deps.appUrl}/`)) return { kind: 'here', bookable, shown };
  return address === '' || ownOrigin !== undefined ? undefined : { kind: 'elsewhere', address };
}

/** The organization that somebody books with; a platform's is nothing to those who book. */
export function organizationOf({ userOrganization, teamOrganization }: ShownEventType): string | undefined {
  const organization = teamOrganization ?? userOrganization;
  return organization === null || organization.isPlatform ? undefined : organization.name;
}

const mostNamed = 3;

/** The first of many names, and how many others there are; one other is named as well. */
function namesAmong(names: readonly string[]): {
  readonly hosts: readonly string[];
  readonly others: number;
} {
  const hosts = names.length <= mostNamed + 1 ? names : names.slice(0, mostNamed);
  return { hosts, others: names.length - hosts.length };
}

/** What the page says of the event type and of those who host it. */
export function wordsOf({ bookable: { eventType, hosts }, shown }: FoundHere) {
  const { title, description, lengthInMinutes, schedulingType, requiresConfirmation, hidden } = eventType;
  const { team, user } = shown;
  const listPath = team === null ? `/${user?.username}` : `/team/${team.slug}`;
  return {
    eventTitle: title,
    description,
    length: tellLength(lengthInMinutes),
    isRoundRobin: schedulingType === 'roundRobin' && hosts.length > 1,
    requiresConfirmation,
    organization: organizationOf(shown),
    team: team?.name,
    // Whoever was given the address of a hidden one may find nothing on the list.
    list: hidden ? undefined : listPath,
    ...namesAmong(hosts.map(({ name }) => name)),
  };
}

/** The name of the page among a browser's tabs: what is booked, and with whom. */
export function nameOf({ bookable: { eventType, hosts }, shown: { team } }: FoundHere): string {
  const whom = team?.name ?? hosts.map(({ name }) => name).join(', ');
  return [eventType.title, whom].filter(Boolean).join(' · ');
}
