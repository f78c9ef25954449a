/** A property is an unfolded line with a name (RFC 5545 §3.1). */
export interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
  readonly line: number;
}

export interface Component {
  readonly name: string;
  readonly line: number;
  readonly properties: Property[];
  readonly parts: Component[];
}

/** Reports text with no meaning, or several: bookings could overlap what is missing. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly line: number;
  readonly what: string;
  constructor(line: number, what: string) {
    super(`line ${line} ${what}`);
    this.line = line;
    this.what = what;
  }
}

/** Returns the title, or else the UID, of the event that has the line. */
export function entryAt(text: string, line: number): string | undefined {
  const lines = text.split(/\r\n?|\n/);
  const begin = lines.slice(0, line).findLastIndex((one) => /^\s*BEGIN:\s*VEVENT/i.test(one));
  const rest = begin < 0 ? [] : lines.slice(begin);
  const end = rest.findIndex((one) => /^\s*END:\s*VEVENT/i.test(one));
  if (end >= 0 && begin + end + 1 < line) return undefined;
  const values = ['SUMMARY', 'UID'].map((name) =>
    rest
      .slice(0, end < 0 ? undefined : end)
      .flatMap((one) => new RegExp(`^\\s*${name}(?:;[^:]*)?:\\s*(.+)`, 'i').exec(one)?.[1] ?? [])
      .at(0),
  );
  const name = values[0] ?? values[1];
  return name === undefined
    ? undefined
    : unescaped(name)
        .replaceAll(/\p{Cc}|\\n/giu, ' ')
        .slice(0, 100)
        .toWellFormed();
}

/** Plain words such as END and STATUS aren't listed, because lines of people's text begin so. */
const neverCut = new Set(['DTSTART', 'DTEND', 'RRULE', 'RDATE', 'RECURRENCE-ID']);
const others = `BEGIN END UID SEQUENCE DTSTAMP DURATION EXDATE STATUS TRANSP ATTENDEE FREEBUSY TZID TZOFFSETFROM
  TZOFFSETTO X-WR-TIMEZONE X-MICROSOFT-CDO-BUSYSTATUS X-APPLE-TRAVEL-DURATION`;
const kept = new Set([...neverCut, ...others.split(/\s+/)]);

const maxDepth = 20;
/** Stands for a name that resembles a start: `X.DTSTART`, or one with an invisible character. */
export const likeStart = 'LIKE DTSTART';

/** Skips what is outside of calendars. @throws if there is no whole one */
export function parseCalendars(text: string): readonly Component[] {
  const calendars: Component[] = [];
  const open: Component[] = [];
  for (const [content, line] of linesOf(text)) {
    const property = readProperty(content, line);
    const top = open.at(-1);
    if (property === undefined) continue;
    if (property.name === 'BEGIN') {
      if (open.length >= maxDepth) throw new Unreadable(line, 'is inside of too many components');
      const begun = { name: property.value.toUpperCase(), line, properties: [], parts: [] };
      if (isBusy(begun) && top?.name !== 'VCALENDAR')
        throw new Unreadable(line, 'begins a component outside of a calendar');
      if (begun.name === 'VCALENDAR') calendars.push(begun);
      else top?.parts.push(begun);
      open.push(begun);
    } else if (property.name === 'END') close(open, property.value.toUpperCase(), line);
    else if (isAstray(open, property)) throw new Unreadable(line, 'is outside of an entry');
    else top?.properties.push(property);
  }
  const [unended] = open;
  if (unended !== undefined) throw new Unreadable(unended.line, 'begins a component that has no end');
  if (calendars.length === 0) throw new Error('no calendar');
  return calendars;
}

const isBusy = ({ name }: Component): boolean => ['VEVENT', 'VFREEBUSY', 'VTIMEZONE'].includes(name);

/** Finds times outside of an event or in a part of one, where people's text can look like them. */
function isAstray(open: readonly Component[], { name, value }: Property): boolean {
  if ((open.at(-1)?.name ?? 'VCALENDAR') === 'VCALENDAR')
    return neverCut.has(name) || (name === 'DURATION' && /^[+-]?P/i.test(value));
  return neverCut.has(name) && open.slice(0, -1).some((one) => one.name === 'VEVENT');
}

/** An alarm without an end ends with its entry, and a misspelt end closes what is open. */
function close(open: Component[], name: string, line: number): void {
  const index = open.findLastIndex((one) => one.name === name);
  if (index < 0 && open.length > 1) open.pop();
  if (index < 0) return;
  const [, ...inside] = open.splice(index);
  if (inside.some(isBusy)) throw new Unreadable(line, 'ends a component before what is inside');
}

/** Unfolds lines (RFC 5545 §3.1), with any line ends, blank lines and a byte order mark. */
function* linesOf(text: string): Generator<readonly [content: string, line: number]> {
  let [content, begun, number] = ['', 0, 0];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    number += 1;
    if (line.trim() === '') continue;
    if (content !== '' && /^[ \t]/.test(line)) content += line.slice(1);
    else {
      if (content !== '') yield [content, begun];
      [content, begun] = [line.trimStart(), number];
    }
  }
  if (content !== '') yield [content, begun];
}

const longestName = Math.max(...[...kept].map(({ length }) => length));

/** Returns the name of a line, which is empty for lines that can't matter. */
export function nameOf(content: string): string {
  const end = content.slice(0, longestName + 1).search(/[;:]/);
  // Most lines are decided without a look at the whole.
  if (end > 0 && kept.has(content.slice(0, end))) return content.slice(0, end);
  const name = (/^([A-Za-z\d-]+)\s*(?:[;:]|$)/.exec(content)?.[1] ?? '').toUpperCase();
  if (kept.has(name)) return name;
  return /^[^;:]{0,80}DTSTART/i.test(content) ? likeStart : '';
}

/** Returns undefined for lines that can't matter. @throws Unreadable where a time is cut off */
export function readProperty(content: string, line: number): Property | undefined {
  const name = nameOf(content);
  if (name === '') return undefined;
  if (name === likeStart) return { name, parameters: new Map(), value: content, line };
  const colon = colonOf(content);
  if (colon < 0 && neverCut.has(name)) throw new Unreadable(line, 'is cut off');
  const value = colon < 0 ? '' : content.slice(colon + 1).trim();
  if (value === '') return undefined;
  const given = content.slice(name.length, colon);
  if (given === '') return { name, parameters: none, value, line };
  const parameters = [...given.matchAll(/;\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^;]*))/g)].map(
    ([, key = '', quoted, plain = '']) => [key.toUpperCase(), (quoted ?? plain).trim()] as const,
  );
  return { name, parameters: new Map(parameters), value, line };
}

const none: ReadonlyMap<string, string> = new Map();

function colonOf(content: string): number {
  if (!/[;"]/.test(content)) return content.indexOf(':');
  // Some zone names contain colons without quotes.
  if (/^(?:DT|RDATE|EXDATE|RECURRENCE-ID)/i.test(content)) {
    const beforeDate = content.search(/:\s*\d{4}-?\d\d-?\d\d/);
    if (beforeDate >= 0) return beforeDate;
  }
  let isQuoted = false;
  for (let index = 0; index < content.length; index += 1)
    if (content[index] === '"') isQuoted = !isQuoted;
    else if (content[index] === ':' && !isQuoted) return index;
  return content.indexOf(':');
}

export function propertiesOf({ properties }: Component, name: string): readonly Property[] {
  return properties.filter((property) => property.name === name);
}

export function firstOf({ properties }: Component, name: string): Property | undefined {
  return properties.find((property) => property.name === name);
}

/** Holds a local time as if it were UTC, in milliseconds; a date is its midnight. */
export interface Time {
  readonly at: number;
  readonly isDate: boolean;
  readonly isUtc: boolean;
  /** How far to the east of UTC a time is written that is held in UTC. */
  readonly offsetMs?: number;
}

export interface Zone {
  toInstant(wall: number): number;
  toWall(instant: number): number;
}

/** Programs also write a day or month with a zero too many, fractions of seconds, and offsets. */
const written =
  /^(\d{4})-?(0??\d\d)-?(0??\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d+)?)? ?(Z|UTC|GMT|[+-]\d\d?(?::?\d\d)?)?$/i;

/** @throws Unreadable */
export function readTime(text: string, { parameters, line }: Pick<Property, 'parameters' | 'line'>): Time {
  const [, year, month, day, hour, minute = '0', second = '0', z] = written.exec(text.trim()) ?? [];
  const isDate = hour === undefined || parameters.get('VALUE')?.toUpperCase() === 'DATE';
  const [m, d, h] = [Number(month), Number(day), isDate ? 0 : Number(hour)];
  const isTime =
    m >= 1 && m <= 12 && d >= 1 && d <= 31 && h <= 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!isTime) throw new Unreadable(line, 'has no valid time');
  const at = Date.UTC(Number(year), m - 1, d, h, isDate ? 0 : Number(minute), isDate ? 0 : Number(second));
  if (isDate || z === undefined) return { at, isDate, isUtc: false };
  if (!/\d/.test(z)) return { at, isDate, isUtc: true };
  const offsetMs = readOffset(z, line);
  return { at: at - offsetMs, isDate, isUtc: true, offsetMs };
}

/** Returns milliseconds to the east of UTC. @throws Unreadable */
export function readOffset(text: string, line: number): number {
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^([+-]?)(\d\d?)(?::?(\d\d)(?::?(\d\d))?)?$/.exec(text) ?? [];
  if (hours === undefined) throw new Unreadable(line, 'has no valid offset');
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** Undoes the escapes of a text (RFC 5545 §3.3.11), which parameters don't have. */
export const unescaped = (text: string): string => text.replaceAll(/\\([,;\\])/g, '$1');

export function listedValues({ value }: Property): readonly string[] {
  return value.split(',').filter((one) => one.trim() !== '');
}

const msOfUnit: Readonly<Record<string, number>> = {
  W: 604_800_000,
  D: 86_400_000,
  H: 3_600_000,
  M: 60_000,
  S: 1000,
};

/**
 * Days follow the local time, hours don't (RFC 5545 §3.3.6). A negative duration is empty. @throws
 * Unreadable
 */
export function readDuration(text: string, line: number) {
  if (!/^[+-]?P(?:T|\d{1,9}[WDHMS])*$/i.test(text.trim()))
    throw new Unreadable(line, 'has no valid duration');
  const duration = { nominalMs: 0, exactMs: 0 };
  if (text.trim().startsWith('-')) return duration;
  for (const [, number = '', unit = ''] of text.toUpperCase().matchAll(/(\d+)([WDHMS])/g))
    duration[/[WD]/.test(unit) ? 'nominalMs' : 'exactMs'] += Number(number) * (msOfUnit[unit] ?? 0);
  return duration;
}

export const dayMs = 86_400_000;

/** The number of a day since 1970, of a time as the clock on the wall tells it. */
export const dayOf = (wall: number): number => Math.floor(wall / dayMs);
