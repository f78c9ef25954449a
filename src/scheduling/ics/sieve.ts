import { hash } from 'node:crypto';
import type { Interval } from '../core/interval.ts';
import { IcsFault } from './fault.ts';
import { dayMs, nameOf, type Property, readDuration, readProperty, readTime, Unreadable } from './text.ts';

/** Occurrences that an exception replaces can last long. */
const longestMs = 366 * dayMs;
export const travel = 'X-APPLE-TRAVEL-DURATION';

/** Tells that an entry has no time in the range. @throws Unreadable */
export function isFarFrom(properties: readonly Property[], { start, end }: Interval): boolean {
  const find = (name: string): Property | undefined => properties.find((one) => one.name === name);
  const [from, replaced] = [find('DTSTART'), find('RECURRENCE-ID')];
  if (from === undefined) return false;
  const at = readTime(from.value, from).at;
  const id = replaced === undefined ? at : readTime(replaced.value, replaced).at;
  if (Math.max(at, id) >= start - 2 * dayMs && Math.min(at, id) <= end + 2 * dayMs) return false;
  if (find(travel) !== undefined || replaced?.parameters.has('RANGE')) return false;
  const isSeries = replaced === undefined;
  if (isSeries && find('RDATE') !== undefined) return false;
  if (Math.min(at, id) > end + 2 * dayMs) return true;
  const rules = isSeries ? properties.filter(({ name }) => name === 'RRULE') : [];
  const [to, duration] = [find('DTEND'), find('DURATION')];
  const { nominalMs, exactMs } =
    duration === undefined ? { nominalMs: dayMs, exactMs: 0 } : readDuration(duration.value, duration.line);
  const ended = to === undefined ? at + nominalMs + exactMs : readTime(to.value, to).at;
  if (rules.length === 0) return Math.max(ended, id) < start - (isSeries ? 2 * dayMs : longestMs);
  return rules.every((rule) => {
    const [, until] = /(?:^|;)\s*UNTIL=([^;]+)/i.exec(rule.value) ?? [];
    return until !== undefined && Math.max(at, readTime(until, rule).at) + (ended - at) < start - longestMs;
  });
}

export interface Version {
  readonly sequence: number;
  readonly stamp: number;
}

export function versionOf(properties: readonly Property[]): Version {
  const textOf = (name: string) => properties.find((one) => one.name === name)?.value ?? '';
  return {
    sequence: Number(textOf('SEQUENCE')) || 0,
    stamp: Number(textOf('DTSTAMP').replaceAll(/\D/g, '')),
  };
}

/** Compares by SEQUENCE, then DTSTAMP (RFC 5546 §2.1.4). */
export function compareVersions(a: Version, b: Version): number {
  return a.sequence - b.sequence || (a.stamp === 0 || b.stamp === 0 ? 0 : a.stamp - b.stamp);
}

const decisive = new Set(
  `DTSTART DTEND DURATION RRULE RDATE RECURRENCE-ID ${travel} UID SEQUENCE DTSTAMP`.split(' '),
);
const maxLine = 1024 * 1024;
const maxUndecided = 100;
const maxTitle = 130;
/** An entry that is longer is kept, whatever it is. */
const maxEntry = 256 * 1024;
/** What the version of an entry takes that is left out. */
const bytesOfVersion = 64;

export interface Sieve {
  /** Takes the next part, and returns how many bytes more are kept. */
  add(text: string): number;
  /** Returns what was kept. */
  end(): string;
}

/**
 * Keeps of a feed what its reader can need for a range, with the numbers of its lines: no texts but
 * titles, no attendees but the owner, and nothing that is over or far ahead.
 */
export function createSieve(range: Interval, addresses: readonly string[]): Sieve {
  const own = addresses.map((address) => address.toLowerCase());
  const kept: {
    readonly text: string;
    readonly key: string | undefined;
    readonly version: Version | undefined;
  }[] = [];
  const leftOut = new Map<string, Version>();
  let [added, rest] = [0, ''];
  /** Lines that were unfolded, each after the breaks before it; `entry` has what decides on them. */
  let [lines, skipped, size]: [string[], number[], number] = [[], [], 0];
  let [entry, depth]: [string[] | undefined, number] = [undefined, 0];
  /** The line that is being unfolded, and the breaks before and since its beginning. */
  let [content, before, breaks] = ['', 0, 0];
  let state: 'none' | 'open' | 'kept' | 'dropped' = 'none';

  const keep = (key?: string, version?: Version): void => {
    // Joining copies, so that the rest of what arrived isn't held.
    const text = lines.map((line, index) => `${'\n'.repeat(skipped[index] ?? 0)}${line}`).join('');
    if (text !== '') kept.push({ text, key, version });
    added += text.length;
    [lines, skipped, size, entry] = [[], [], 0, undefined];
  };
  /** Returns undefined for what is faulty, which is kept, so that its reader tells it. */
  const decide = (decided: readonly string[]) => {
    try {
      const properties = decided.flatMap((line) => readProperty(line, 0) ?? []);
      return { isFar: isFarFrom(properties, range), version: versionOf(properties) };
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  };
  const endEntry = (decided: readonly string[]): void => {
    const key = keyOf(decided);
    const found = decide(decided);
    if (found?.isFar !== true) {
      keep(key, found?.version);
      return;
    }
    const { version } = found;
    breaks += skipped.reduce((sum, one) => sum + one, 0);
    [lines, skipped, size, entry] = [[], [], 0, undefined];
    const known = leftOut.get(key);
    if (known !== undefined && compareVersions(version, known) <= 0) return;
    leftOut.set(key, version);
    added += bytesOfVersion;
  };
  const add = (line: string, name: string): void => {
    const isFrame = name === 'BEGIN' || name === 'END';
    const component = isFrame ? /^\w+\s*:\s*(\S*)/.exec(line)?.[1]?.toUpperCase() : undefined;
    const isEnd = name === 'END' && depth === 0 && component === 'VEVENT';
    if (name === 'BEGIN' && component === 'VEVENT') {
      keep();
      [entry, depth] = [[], 0];
    } else if (name === 'BEGIN') depth += 1;
    else if (name === 'END' && !isEnd) depth -= 1;
    lines.push(line);
    skipped.push(before);
    size += line.length;
    before = 0;
    if (entry === undefined) return;
    if (isEnd) endEntry(entry);
    else if (size > maxEntry) keep();
    else if (depth === 0 && decisive.has(name)) entry.push(line);
  };
  const endLine = (): void => {
    const name = state === 'kept' ? wanted(content) : '';
    const isOthers = name === 'ATTENDEE' && !own.some((address) => content.toLowerCase().includes(address));
    if (name === '' || isOthers) breaks += before;
    else add(name === title ? content.slice(0, maxTitle) : content, name);
    [before, breaks, content] = [breaks, 0, ''];
  };
  const readLine = (line: string): void => {
    if (line.trim() !== '') {
      if (state !== 'none' && /^[ \t]/.test(line)) {
        if (state !== 'dropped') content += line.slice(1);
      } else {
        endLine();
        [content, state] = [line.trimStart(), 'open'];
      }
      if (state === 'open' && wanted(content) !== '') state = 'kept';
      if (state === 'open' && (/[;:]/.test(content) || content.length > maxUndecided))
        [state, content] = ['dropped', ''];
      if (content.length > maxLine) throw new IcsFault('too_large');
    }
    breaks += 1;
  };

  return {
    add(text) {
      added = 0;
      const all = rest + text;
      // The other half of a line break may come next.
      const isHalf = all.endsWith('\r');
      const read = (isHalf ? all.slice(0, -1) : all).split(/\r\n?|\n/);
      rest = read.pop() ?? '';
      for (const line of read) readLine(line);
      const isFolded = /^[ \t]/.test(rest);
      if (isFolded ? state === 'dropped' : wanted(rest.trimStart()) === '')
        rest = rest.slice(0, maxUndecided);
      if (rest.length > maxLine) throw new IcsFault('too_large');
      if (isHalf) rest += '\r';
      if (entry === undefined) keep();
      return added;
    },
    end() {
      readLine(rest);
      endLine();
      keep();
      const texts = kept.map(({ text, key, version }) => {
        const other = key === undefined ? undefined : leftOut.get(key);
        const isReplaced = other && version && compareVersions(other, version) > 0;
        return isReplaced ? text.replaceAll(/[^\n]+/g, '') : text;
      });
      return texts.join('');
    },
  };
}

/** Names an entry, by its UID and what it replaces, so that what was left out isn't held. */
function keyOf(lines: readonly string[]): string {
  const names = lines.filter((line) => /^(?:UID|RECURRENCE-ID)/i.test(line));
  return hash('sha256', names.join('\n'), 'base64url');
}

const title = 'SUMMARY';

function wanted(line: string): string {
  return nameOf(line) || (/^SUMMARY\s*[;:]/i.test(line) ? title : '');
}
