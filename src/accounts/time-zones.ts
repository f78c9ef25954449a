/** V8 keeps the name that CLDR knew first; people look for today's. */
const namesOfToday = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
} as const;

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

/** Accepts other names that browsers know, such as US/Pacific. */
export function isTimeZone(name: string): boolean {
  if (offered.has(nameOfToday(name))) return true;
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
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

export interface ZoneChoice {
  readonly name: string;
  readonly words: string;
  readonly city: string;
  /** Browsers may know the zone by this name. */
  readonly former: string | undefined;
  readonly offsetMs: number;
}

const hourMs = 3_600_000;
interface Described {
  readonly hour: number;
  readonly byName: readonly ZoneChoice[];
  readonly byCity: readonly ZoneChoice[];
}
let described: Described | undefined;

/** Describing all zones takes a while, so it happens once an hour. */
function describeAll(now: Date): Described {
  const hour = Math.floor(now.getTime() / hourMs);
  if (described?.hour !== hour) {
    const byName = timeZoneNames.map((name) => describe(name, now));
    const byCity = byName.toSorted((one, other) => (one.city < other.city ? -1 : 1));
    described = { hour, byName, byCity };
  }
  return described;
}

export function zoneChoicesWith(name: string, now: Date): readonly ZoneChoice[] {
  return withZone(name, describeAll(now).byName, now);
}

/** A browser's list jumps to what is typed, so cities come first. */
export function zoneChoicesByCity(name: string, now: Date): readonly ZoneChoice[] {
  return withZone(name, describeAll(now).byCity, now);
}

function withZone(name: string, choices: readonly ZoneChoice[], now: Date): readonly ZoneChoice[] {
  return offered.has(name) ? choices : [describe(name, now), ...choices];
}

function describe(name: string, now: Date): ZoneChoice {
  const offset = offsetNameOf(name, now);
  const words = name === 'UTC' ? name : `${name} (${offset})`;
  const [, ...places] = offered.has(name) ? name.split('/') : [];
  const city = places.toReversed().join(', ').replaceAll('_', ' ').replace('DumontD', 'Dumont d’');
  return { name, words, city: city || name, former: formerNames.get(name), offsetMs: offsetMsOf(offset) };
}

function offsetMsOf(offset: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ms : ms;
}

/** Returns `GMT+05:30`, or `GMT`. */
export function offsetNameOf(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace(/\+00:00$/, '');
}
