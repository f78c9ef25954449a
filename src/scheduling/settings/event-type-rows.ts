import { type EventLocation, hostValueOf, type LocationType, locationTypes } from '../core/locations.ts';
import type { Sent } from './form.ts';

/** Rows of a form that works without scripts: what there is, and some empty ones, up to all. */
const maxLocations = 10;
const emptyRows = 2;

const locationWords = {
  address: 'In person, at this address',
  link: 'Online, at this link',
  phone: 'By phone, people call this number',
  attendeeAddress: 'At the attendee’s address',
  attendeePhone: 'By phone, you call the attendee',
  attendeeDefined: 'At a place the attendee names',
} as const satisfies Record<LocationType, string>;

type Typed = Readonly<Record<string, string>>;

const rowsTo = (max: number): readonly number[] => Array.from({ length: max }, (_, index) => index);

/** As the API gets them. A row without a type is none. */
export function locationsIn(sent: Sent): unknown[] {
  return rowsTo(maxLocations).flatMap((index) => {
    const [type, value] = [sent[`location${index}Type`], sent[`location${index}Value`]];
    if (type === undefined || type === '') return [];
    const isHosts = type === 'address' || type === 'link' || type === 'phone';
    return [isHosts ? { type, [type]: value, public: `location${index}Public` in sent } : { type }];
  });
}

export function typedLocations(locations: readonly EventLocation[]): Typed {
  return Object.fromEntries(
    locations.flatMap((location, index) => [
      [`location${index}Type`, location.type],
      [`location${index}Value`, hostValueOf(location) ?? ''],
      ...('public' in location && location.public ? [[`location${index}Public`, 'on']] : []),
    ]),
  );
}

export function locationRows(typed: Typed) {
  const last = rowsTo(maxLocations).findLastIndex((index) => Boolean(typed[`location${index}Type`]));
  return rowsTo(Math.min(last + 1 + emptyRows, maxLocations)).map((index) => ({
    name: `location${index}`,
    number: index + 1,
    types: [['', 'None'], ...locationTypes.map((type) => [type, locationWords[type]] as const)] as const,
    chosen: typed[`location${index}Type`] ?? '',
    value: typed[`location${index}Value`] ?? '',
    isPublic: typed[`location${index}Public`] !== undefined,
  }));
}
