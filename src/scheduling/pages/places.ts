import { ok, type Result, refuse } from '../../result.ts';
import type { FormFaults } from '../../web/forms.ts';
import { type EventLocation, hostValueOf, type LocationType } from '../core/locations.ts';
import { type BookingLocation, bookingLocation } from '../event-types/locations.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/places': FormFaults & { readonly places: PlacesView; readonly focus: string | undefined };
  }
}

export type PlacesView = ReturnType<typeof showPlaces>;

const kinds = {
  address: 'In person',
  link: 'Online',
  phone: 'Phone call',
  attendeeAddress: 'At your address',
  attendeePhone: 'Phone call to your number',
  attendeeDefined: 'At a place you choose',
} as const satisfies Record<LocationType, string>;

const asked = {
  attendeeAddress: ['Your address', 'Enter your address.'],
  attendeePhone: ['Your phone number', 'Enter a phone number such as +49 30 123456.'],
  attendeeDefined: ['Place', 'Enter a place.'],
} as const;
type AskedType = keyof typeof asked;

/** Before a booking: what isn't public is told by its kind alone. */
export function placeWords(location: EventLocation): string {
  const value = 'public' in location && location.public ? hostValueOf(location) : undefined;
  return value === undefined ? kinds[location.type] : `${kinds[location.type]}: ${value}`;
}

const isAsked = (type: LocationType): type is AskedType => type in asked;

export function showPlaces(locations: readonly EventLocation[], chosen: string | undefined) {
  const types = locations.map(({ type }) => type).filter(isAsked);
  const [only] = types;
  const isOnly = locations.length === 1;
  return {
    choices: locations.map((location, index) => ({
      value: String(index),
      words: placeWords(location),
      isChosen: String(index) === (chosen ?? '0'),
    })),
    /** What the attendee has to type. */
    says:
      only === undefined
        ? undefined
        : {
            label: types.length === 1 ? asked[only][0] : 'Your address, phone number or place',
            hint: isOnly ? '' : `Needed for: ${types.map((type) => kinds[type]).join(', ')}.`,
            isNeeded: isOnly,
          },
  };
}

/** The chosen one, by its number, as the API takes it; a fault belongs to `location` or `place`. */
export function readPlace(
  locations: readonly EventLocation[],
  { location: chosen = '0', place = '' }: FormFaults['typed'],
): Result<BookingLocation | undefined, 'location' | 'place'> {
  if (locations.length === 0) return ok(undefined);
  const location = /^[0-9]$/.test(chosen) ? locations[Number(chosen)] : undefined;
  if (location === undefined) return refuse('location', 'Choose where.');
  const { type } = location;
  const said = isAsked(type) ? place.trim() : hostValueOf(location);
  const names = { attendeeAddress: 'address', attendeePhone: 'phone', attendeeDefined: 'location' } as const;
  const read = bookingLocation.safeParse({ type, [isAsked(type) ? names[type] : type]: said });
  return read.success ? ok(read.data) : refuse('place', isAsked(type) ? asked[type][1] : undefined);
}
