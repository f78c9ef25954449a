import { type ClockLocale, formatWallTime } from '../platform/locale.ts';
/** A zone is named for one city, and people look for their own. */
import otherCities from './zone-cities.json' with { type: 'json' };
/** V8 keeps the name that CLDR knew first; people look for today's. */
import namesOfToday from './zone-names.json' with { type: 'json' };

const formerNames: ReadonlyMap<string, string> = new Map(
  Object.entries(namesOfToday).map(([former, name]) => [name, former]),
);

const supported = ['UTC', ...Intl.supportedValuesOf('timeZone')];

const spellings: ReadonlyMap<string, string> = new Map(
  [...supported, ...Object.values(namesOfToday)].map((name) => [name.toLowerCase(), name]),
);

const names: ReadonlyMap<string, string> = new Map([
  ...spellings,
  ...Object.entries(namesOfToday).map(([former, name]) => [former.toLowerCase(), name] as const),
]);

export const timeZoneNames: readonly string[] = [...new Set(names.values())].toSorted();

const offered: ReadonlySet<string> = new Set(timeZoneNames);

/** Browsers also know others of three letters, which aren't IANA's: BST is Bangladesh's time there. */
const ofThreeLetters = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/i;

/** Accepts other names that browsers know, such as US/Pacific. */
export function isTimeZone(name: string): boolean {
  if (offered.has(nameOfToday(name))) return true;
  if (name.length === 3 && !ofThreeLetters.test(name)) return false;
  if (!/^[A-Za-z][A-Za-z0-9]*(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export function nameOfToday(name: string): string {
  return names.get(name.toLowerCase()) ?? name;
}

export function spellZone(name: string): string {
  return spellings.get(name.toLowerCase()) ?? name;
}

/** Returns `Berlin` for `Europe/Berlin`. */
export function cityOf(zone: string): string {
  const [, ...places] = offered.has(zone) ? zone.split('/') : [];
  const city = places.toReversed().join(', ').replaceAll('_', ' ').replace('DumontD', 'Dumont d’');
  return city || zone;
}

const cities = [
  ...timeZoneNames.map((zone) => ({ city: cityOf(zone), zone })),
  ...Object.entries(otherCities).flatMap(([zone, names]) =>
    names.split(', ').map((city) => ({ city, zone })),
  ),
].toSorted((one, other) => (one.city < other.city ? -1 : 1));

const hourMs = 3_600_000;
let known: { readonly hour: number; readonly offsets: ReadonlyMap<string, number> } | undefined;

/** Finding all offsets takes a while, so it happens once an hour. */
function offsetsAt(now: Date): ReadonlyMap<string, number> {
  const hour = Math.floor(now.getTime() / hourMs);
  if (known?.hour !== hour)
    known = { hour, offsets: new Map(timeZoneNames.map((zone) => [zone, offsetMsOf(zone, now)])) };
  return known.offsets;
}

/** Tells the zone of a form, such as `Berlin · 16:10`, and all that people can choose. */
export function showZones(timeZone: string, locale: ClockLocale, now: Date) {
  const zone = nameOfToday(timeZone);
  const offsets = offsetsAt(now);
  const times = new Map<number, string>();
  const wordsOf = (city: string, at: string): string => {
    const offset = offsets.get(at) ?? offsetMsOf(at, now);
    const time = times.get(offset) ?? formatWallTime(now.getTime() + offset, locale);
    times.set(offset, time);
    return `${city} · ${time}`;
  };
  return {
    shown: wordsOf(cityOf(zone), zone),
    /** Browsers may know the zone by its former name. */
    names: [zone, formerNames.get(zone)].filter(Boolean).join(' '),
    list: cities.map((one) => wordsOf(one.city, one.zone)),
  };
}

const spelled = cities.map(({ city, zone }) => [withoutMarks(city), zone] as const);

function withoutMarks(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return letters.replaceAll(/[^a-z0-9+-]+/g, ' ').trim();
}

/**
 * Returns the zone of a city as people type it, such as `tokyo`, `São Paulo`, `Berlin · 16:10` or
 * the beginning of one name; other text stays as it is.
 */
export function readZone(text: string): string {
  const typed = text
    .slice(0, 100)
    .replace(/[\u00b7(].*$/s, '')
    .trim();
  if (isTimeZone(typed)) return typed;
  for (const words of [typed, typed.replace(/,.*$/s, '')].map(withoutMarks)) {
    if (words === '') continue;
    const [, same] = spelled.find(([city]) => city === words) ?? [];
    const like = new Set(spelled.filter(([city]) => city.startsWith(words)).map(([, zone]) => zone));
    const [only] = like.size === 1 ? like : [];
    const zone = same ?? only;
    if (zone !== undefined) return zone;
  }
  return text;
}

/** Returns `GMT+05:30`, or `GMT`. */
export function offsetNameOf(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace(/\+00:00$/, '');
}

function offsetMsOf(timeZone: string, at: Date): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(offsetNameOf(timeZone, at)) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ms : ms;
}
