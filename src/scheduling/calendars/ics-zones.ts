import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';

/** Converts between local times and instants (milliseconds since the epoch). */
export interface Zone {
  toInstant(wall: ICAL.Time): number;
  toWall(instant: number): ICAL.Time;
}

/** Undefined if the time zone database doesn't have the name. */
function findZone(name: string): Zone | undefined {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
  } catch {
    return undefined;
  }
  return {
    toInstant: (wall) => plainOf(wall).toZonedDateTime(name).epochMilliseconds,
    toWall: (instant) => wallOf(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name)),
  };
}

const utc = zoneOf('UTC');

/** @throws if the time zone database doesn't have the name */
export function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined) throw new Error('no such time zone');
  return zone;
}

export type ReadZone = ReturnType<typeof createZones>;

/**
 * The zone of a property: by TZID, UTC, the calendar's for floating times, or the owner's (RFC 5545
 * §3.3.5). Days are the owner's.
 */
export function createZones(
  owner: Zone,
  calendarZone: string | undefined,
): (property: ICAL.Property, time: ICAL.Time) => Zone {
  const local = (calendarZone && findNamedZone(calendarZone)) || owner;
  const known = new Map<string, Zone>();
  return (property, time) => {
    if (time.isDate) return owner;
    if (time.zone === ICAL.Timezone.utcTimezone) return utc;
    const id = property.getFirstParameter('tzid');
    if (!id) return local;
    const zone = known.get(id) ?? readZone(id, time, local);
    known.set(id, zone);
    return zone;
  };
}

/**
 * By name first: VTIMEZONE components often end with the year they were written in. What Outlook
 * displays is no name, so it comes last.
 */
function readZone(id: string, { zone }: ICAL.Time, local: Zone): Zone {
  const byName = findNamedZone(id);
  if (byName !== undefined) return byName;
  const isDescribed = zone !== ICAL.Timezone.localTimezone && zone.component !== null;
  return isDescribed ? describedZone(zone) : (findDisplayedZone(id) ?? local);
}

/** By its name, on Windows too. Some have a path or quotes around them. */
function findNamedZone(given: string): Zone | undefined {
  const id = given.replaceAll(/^["'\s]+|["'\s]+$/g, '');
  if (/^tzone:\/\/microsoft\/utc$/i.test(id)) return utc;
  const name = /[A-Za-z_]+\/[\w+-]+(?:\/[\w+-]+)?$/.exec(id)?.[0];
  return findZone(windowsNames.get(id.toLowerCase()) ?? id) ?? (name === undefined ? name : findZone(name));
}

/**
 * By what Outlook displays: `(UTC+01:00) Amsterdam, Berlin, Bern`, `(UTC-08:00) Pacific Time (US &
 * Canada)`. The first city that names a zone, or the offset alone.
 */
function findDisplayedZone(id: string): Zone | undefined {
  const [, offset, places = ''] = /^["']?\((?:UTC|GMT)([+-]\d\d:\d\d)?\)\s*(.{0,200})/.exec(id) ?? [];
  const region = windowsNames.get(`${places.replace(/ Time \(.*$/, '')} standard time`.toLowerCase());
  if (region !== undefined) return findZone(region);
  const [name] = places.split(',').flatMap((city) => zonesByCity.get(city.trim()) ?? []);
  return findZone(name ?? offset ?? (places === '' ? '' : 'UTC'));
}

/** By CLDR's windowsZones (territory 001), without the " Standard Time" that most names end in. */
const windowsZones = `
  AUS Central=Australia/Darwin, AUS Eastern=Australia/Sydney, Afghanistan=Asia/Kabul,
  Alaskan=America/Anchorage, Aleutian=America/Adak, Altai=Asia/Barnaul, Arab=Asia/Riyadh,
  Arabian=Asia/Dubai, Arabic=Asia/Baghdad, Argentina=America/Buenos_Aires, Astrakhan=Europe/Astrakhan,
  Atlantic=America/Halifax, Aus Central W.=Australia/Eucla, Azerbaijan=Asia/Baku, Azores=Atlantic/Azores,
  Bahia=America/Bahia, Bangladesh=Asia/Dhaka, Belarus=Europe/Minsk, Bougainville=Pacific/Bougainville,
  Canada Central=America/Regina, Cape Verde=Atlantic/Cape_Verde, Caucasus=Asia/Yerevan,
  Cen. Australia=Australia/Adelaide, Central America=America/Guatemala, Central Asia=Asia/Bishkek,
  Central Brazilian=America/Cuiaba, Central Europe=Europe/Budapest, Central European=Europe/Warsaw,
  Central Pacific=Pacific/Guadalcanal, Central=America/Chicago,
  Central Standard Time (Mexico)=America/Mexico_City, Chatham Islands=Pacific/Chatham,
  China=Asia/Shanghai, Cuba=America/Havana, Dateline=Etc/GMT+12, E. Africa=Africa/Nairobi,
  E. Australia=Australia/Brisbane, E. Europe=Europe/Chisinau, E. South America=America/Sao_Paulo,
  Easter Island=Pacific/Easter, Eastern=America/New_York, Eastern Standard Time (Mexico)=America/Cancun,
  Egypt=Africa/Cairo, Ekaterinburg=Asia/Yekaterinburg, FLE=Europe/Kiev, Fiji=Pacific/Fiji,
  GMT=Europe/London, GTB=Europe/Bucharest, Georgian=Asia/Tbilisi, Greenland=America/Godthab,
  Greenwich=Atlantic/Reykjavik, Haiti=America/Port-au-Prince, Hawaiian=Pacific/Honolulu,
  India=Asia/Calcutta, Iran=Asia/Tehran, Israel=Asia/Jerusalem, Jordan=Asia/Amman,
  Kaliningrad=Europe/Kaliningrad, Korea=Asia/Seoul, Libya=Africa/Tripoli, Line Islands=Pacific/Kiritimati,
  Lord Howe=Australia/Lord_Howe, Magadan=Asia/Magadan, Magallanes=America/Punta_Arenas,
  Marquesas=Pacific/Marquesas, Mauritius=Indian/Mauritius, Middle East=Asia/Beirut,
  Montevideo=America/Montevideo, Morocco=Africa/Casablanca, Mountain=America/Denver,
  Mountain Standard Time (Mexico)=America/Mazatlan, Myanmar=Asia/Rangoon,
  N. Central Asia=Asia/Novosibirsk, Namibia=Africa/Windhoek, Nepal=Asia/Katmandu,
  New Zealand=Pacific/Auckland, Newfoundland=America/St_Johns, Norfolk=Pacific/Norfolk,
  North Asia East=Asia/Irkutsk, North Asia=Asia/Krasnoyarsk, North Korea=Asia/Pyongyang, Omsk=Asia/Omsk,
  Pacific SA=America/Santiago, Pacific=America/Los_Angeles,
  Pacific Standard Time (Mexico)=America/Tijuana, Pakistan=Asia/Karachi, Paraguay=America/Asuncion,
  Qyzylorda=Asia/Qyzylorda, Romance=Europe/Paris, Russia Time Zone 10=Asia/Srednekolymsk,
  Russia Time Zone 11=Asia/Kamchatka, Russia Time Zone 3=Europe/Samara, Russian=Europe/Moscow,
  SA Eastern=America/Cayenne, SA Pacific=America/Bogota, SA Western=America/La_Paz, SE Asia=Asia/Bangkok,
  Saint Pierre=America/Miquelon, Sakhalin=Asia/Sakhalin, Samoa=Pacific/Apia, Sao Tome=Africa/Sao_Tome,
  Saratov=Europe/Saratov, Singapore=Asia/Singapore, South Africa=Africa/Johannesburg,
  South Sudan=Africa/Juba, Sri Lanka=Asia/Colombo, Sudan=Africa/Khartoum, Syria=Asia/Damascus,
  Taipei=Asia/Taipei, Tasmania=Australia/Hobart, Tocantins=America/Araguaina, Tokyo=Asia/Tokyo,
  Tomsk=Asia/Tomsk, Tonga=Pacific/Tongatapu, Transbaikal=Asia/Chita, Turkey=Europe/Istanbul,
  Turks And Caicos=America/Grand_Turk, US Eastern=America/Indianapolis, US Mountain=America/Phoenix,
  UTC=Etc/UTC, UTC+12=Etc/GMT-12, UTC+13=Etc/GMT-13, UTC-02=Etc/GMT+2, UTC-08=Etc/GMT+8, UTC-09=Etc/GMT+9,
  UTC-11=Etc/GMT+11, Ulaanbaatar=Asia/Ulaanbaatar, Venezuela=America/Caracas,
  Vladivostok=Asia/Vladivostok, Volgograd=Europe/Volgograd, W. Australia=Australia/Perth,
  W. Central Africa=Africa/Lagos, W. Europe=Europe/Berlin, W. Mongolia=Asia/Hovd, West Asia=Asia/Tashkent,
  West Bank=Asia/Hebron, West Pacific=Pacific/Port_Moresby, Yakutsk=Asia/Yakutsk,
  Yukon=America/Whitehorse
`;

/** Names of Windows time zones, in lower case. */
export const windowsNames: ReadonlyMap<string, string> = new Map(
  windowsZones.split(',').map((entry) => {
    const [name = '', zone = ''] = entry.trim().split('=');
    return [(/Time|UTC/.test(name) ? name : `${name} Standard Time`).toLowerCase(), zone];
  }),
);

const zonesByCity = new Map(
  Intl.supportedValuesOf('timeZone').map((name) => [
    name.slice(name.lastIndexOf('/') + 1).replaceAll('_', ' '),
    name,
  ]),
);

function describedZone(zone: ICAL.Timezone): Zone {
  return {
    toInstant: (wall) => asUtc(wall) - zone.utcOffset(wall) * 1000,
    toWall: (instant) => {
      const inUtc = wallOf(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC'));
      inUtc.zone = ICAL.Timezone.utcTimezone;
      return floating(inUtc.convertToZone(zone));
    },
  };
}

/** A local time as if it were UTC, to calculate with. */
export function asUtc(wall: ICAL.Time): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
}

function plainOf({ year, month, day, hour, minute, second }: ICAL.Time): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
}

function wallOf(at: Temporal.ZonedDateTime): ICAL.Time {
  const { year, month, day, hour, minute, second } = at;
  return new ICAL.Time(
    { year, month, day, hour, minute, second, isDate: false },
    ICAL.Timezone.localTimezone,
  );
}

export function floating(time: ICAL.Time, changes: Partial<ReturnType<typeof fieldsOf>> = {}): ICAL.Time {
  return new ICAL.Time({ ...fieldsOf(time), ...changes }, ICAL.Timezone.localTimezone);
}

function fieldsOf({ year, month, day, hour, minute, second, isDate }: ICAL.Time) {
  return { year, month, day, hour, minute, second, isDate };
}
