import { ok, type Result, refuse } from '../../result.ts';
import type { BookingStatus } from './booking.ts';

/** The names are Cal.com's. */
export const locationTypes = [
  'address',
  'link',
  'phone',
  'attendeeAddress',
  'attendeePhone',
  'attendeeDefined',
] as const;
export type LocationType = (typeof locationTypes)[number];

export type EventLocation =
  | { readonly type: 'address'; readonly address: string; readonly public: boolean }
  | { readonly type: 'link'; readonly link: string; readonly public: boolean }
  | { readonly type: 'phone'; readonly phone: string; readonly public: boolean }
  | { readonly type: 'attendeeAddress' | 'attendeePhone' | 'attendeeDefined' };

export interface BookedLocation {
  readonly type: LocationType;
  readonly value: string;
}

export interface AskedLocation {
  readonly type: LocationType;
  readonly value: string | undefined;
}

type LocationRefusal = 'location_not_offered' | 'location_missing';

/** Returns undefined where the attendee says the value. */
export function hostValueOf(location: EventLocation): string | undefined {
  if (location.type === 'address') return location.address;
  if (location.type === 'link') return location.link;
  return location.type === 'phone' ? location.phone : undefined;
}

/**
 * Returns the link of a meeting that takes place. A host entered it, as attendees can't. While it
 * may be declined, nobody needs it.
 */
export function meetingLinkOf({
  status,
  location,
}: {
  readonly status: BookingStatus;
  readonly location: BookedLocation | null;
}): string | undefined {
  return status === 'accepted' && location?.type === 'link' ? location.value : undefined;
}

/** Strangers learn the kind of what isn't public, and no more. */
export function showToStrangers(location: EventLocation) {
  return 'public' in location && !location.public ? { type: location.type, public: false } : location;
}

/**
 * Chooses as Cal.com does: without `asked`, the first that needs nothing of the attendee. A string,
 * the older form, names one by its value, or is what the attendee says; so it is where there are no
 * locations, unless it leads elsewhere. Null means that the event type has no location.
 */
export function chooseLocation(
  offered: readonly EventLocation[],
  asked: AskedLocation | string | undefined,
): Result<BookedLocation | null, LocationRefusal> {
  const own = offered.flatMap((location) => {
    const value = hostValueOf(location);
    return value === undefined ? [] : [{ type: location.type, value }];
  });
  if (asked === undefined) {
    const [first] = own;
    if (first !== undefined) return ok(first);
    return offered.length === 0 ? ok(null) : refuse('location_missing');
  }
  if (offered.length === 0 && typeof asked === 'string' && !leadsElsewhere(asked))
    return ok({ type: 'attendeeDefined', value: asked });
  const { type, value } = typeof asked === 'string' ? readString(offered, asked) : asked;
  const named = own.find((one) => (type ?? one.type) === one.type && isSamePlace(value ?? one.value, one));
  if (named !== undefined) return ok(named);
  const isOffered = offered.some((one) => one.type === type && hostValueOf(one) === undefined);
  if (type === undefined || !isOffered) return refuse('location_not_offered');
  if (value === undefined || value === '') return refuse('location_missing');
  return ok({ type, value: type === 'attendeePhone' ? (readPhoneNumber(value) ?? value) : value });
}

/** A stranger's link could deceive the host, and conferencing apps would have to make a meeting. */
function leadsElsewhere(place: string): boolean {
  return /:\/\/|\bwww\.|\.\p{L}{2,}\/|^integrations:/iu.test(place);
}

function isSamePlace(value: string, own: BookedLocation): boolean {
  const number = own.type === 'phone' ? readPhoneNumber(value) : undefined;
  return value === own.value || (number !== undefined && number === readPhoneNumber(own.value));
}

function readString(offered: readonly EventLocation[], value: string) {
  const said = offered.filter((one) => hostValueOf(one) === undefined && one.type !== 'attendeePhone');
  const isPhone = readPhoneNumber(value) !== undefined && offered.some((one) => one.type === 'attendeePhone');
  const isOwn = offered.some((one) => hostValueOf(one) === value);
  return { value, type: isOwn ? undefined : isPhone ? ('attendeePhone' as const) : said[0]?.type };
}

/**
 * A number as people write it, from the plus on; a page's field and the OpenAPI document use the
 * pattern.
 */
export const phonePattern: RegExp = /^\+[0-9\s()./\u2010-\u2013-]{5,40}$/;

/**
 * Reads a phone number into E.164: a plus and up to 15 digits. A zero in brackets is dialled only
 * without the plus. Undefined for what is no number.
 */
export function readPhoneNumber(text: string): string | undefined {
  const digits = text.replace('(0)', '').replaceAll(/[^0-9]/g, '');
  return phonePattern.test(text) && digits.length >= 5 && digits.length <= 15 ? `+${digits}` : undefined;
}
