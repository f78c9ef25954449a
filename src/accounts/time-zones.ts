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

/** By every spelling in lower case. */
const names: ReadonlyMap<string, string> = new Map([
  ...supported.map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(namesOfToday).flatMap(([former, name]) => [
    [former.toLowerCase(), name] as const,
    [name.toLowerCase(), name] as const,
  ]),
]);

const spellings: ReadonlyMap<string, string> = new Map(
  [...supported, ...Object.values(namesOfToday)].map((name) => [name.toLowerCase(), name]),
);

export const timeZoneNames: readonly string[] = [...new Set(names.values())].toSorted();

const offered: ReadonlySet<string> = new Set(timeZoneNames);

export function isOfferedZone(name: string): boolean {
  return offered.has(nameOfToday(name));
}

export function nameOfToday(name: string): string {
  return names.get(name.toLowerCase()) ?? name;
}

export function spellZone(name: string): string {
  return spellings.get(name.toLowerCase()) ?? name;
}

export interface ZoneChoice {
  readonly name: string;
  /** `Asia/Kolkata (GMT+05:30)`. */
  readonly words: string;
  /** By which a browser may know it. */
  readonly former: string | undefined;
}

const hourMs = 3_600_000;
let described: { readonly hour: number; readonly choices: readonly ZoneChoice[] } | undefined;

/** Made once an hour, because it takes a while. */
export function listZoneChoices(now: Date): readonly ZoneChoice[] {
  const hour = Math.floor(now.getTime() / hourMs);
  if (described?.hour !== hour)
    described = { hour, choices: timeZoneNames.map((name) => describe(name, now)) };
  return described.choices;
}

export function zoneChoicesWith(name: string, now: Date): readonly ZoneChoice[] {
  const choices = listZoneChoices(now);
  return offered.has(name) ? choices : [describe(name, now), ...choices];
}

function describe(name: string, now: Date): ZoneChoice {
  const words = name === 'UTC' ? name : `${name} (${offsetNameOf(name, now)})`;
  return { name, words, former: formerNames.get(name) };
}

/** `GMT+05:30`, or `GMT`. */
export function offsetNameOf(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace(/\+00:00$/, '');
}
