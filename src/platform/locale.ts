import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** How a reader is used to see dates and times. */
export interface ReaderLocale {
  /** A BCP 47 tag; undefined when the browser names no language that Intl knows. */
  readonly language: string | undefined;
  readonly hours: 12 | 24;
  /** The first day of the week; ISO, Monday is 1. */
  readonly firstDay: number;
}

const unknownReader: ReaderLocale = { language: undefined, hours: 24, firstDay: 1 };
const maxHeaderLength = 1000;
/** Looking them up is slow. Bounded, because anybody can make up tags. */
const locales = new LRUCache<string, ReaderLocale>({ max: 500 });

/**
 * The locale of a browser's first language (RFC 9110 §12.5.4). One without a region takes the
 * region of a later entry of the same language, so that `en, en-GB` is British.
 */
export function readerLocaleOf(acceptLanguage: string | undefined): ReaderLocale {
  if (acceptLanguage === undefined || acceptLanguage.length > maxHeaderLength) return unknownReader;
  const languages = new Negotiator({ headers: { 'accept-language': acceptLanguage } })
    .languages()
    .flatMap(knownLocales);
  const [first] = languages;
  if (first === undefined) return unknownReader;
  const regional = languages.find(
    ({ language, region }) => language === first.language && region !== undefined,
  );
  const { baseName } = first.region === undefined ? (regional ?? first) : first;
  const locale = locales.get(baseName) ?? describe(baseName);
  locales.set(baseName, locale);
  return locale;
}

/** None for a malformed tag, and for a language that Intl doesn't know. */
function knownLocales(tag: string): readonly Intl.Locale[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).map((name) => new Intl.Locale(name));
  } catch {
    return [];
  }
}

function describe(language: string): ReaderLocale {
  const { hourCycle } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
  const hours = hourCycle === 'h11' || hourCycle === 'h12' ? 12 : 24;
  return { language, hours, firstDay: new Intl.Locale(language).getWeekInfo().firstDay };
}

/** Instants in words, in a reader's time zone. */
export interface DateWords {
  /** `Nov 21, 2026` for en-US. */
  dayOf(at: Date): string;
  /** `Nov 21, 2026, 8:23 AM EST` for en-US. */
  momentOf(at: Date): string;
}

export interface DateWordsOptions {
  readonly timeZone: string;
  /** The reader's language, of which the region counts: pages are in English. */
  readonly language?: string | undefined;
  /** The reader's own choice; otherwise the region's. */
  readonly hours?: 12 | 24 | undefined;
}

const dateWords = new LRUCache<string, DateWords>({ max: 500 });

/** English words for instants, in the order and with the clock of the reader's region. */
export function dateWordsOf({ timeZone, language, hours }: DateWordsOptions): DateWords {
  const english = englishOf(language);
  const key = `${english} ${timeZone} ${hours ?? ''}`;
  const known = dateWords.get(key) ?? createDateWords(english, timeZone, hours);
  dateWords.set(key, known);
  return known;
}

/**
 * English as it is written in the region of a language: `en-DE` for `de`, `en-US` for unknown ones.
 */
export function englishOf(language: string | undefined): string {
  const { region = 'US' } = new Intl.Locale(language ?? 'en-US').maximize();
  return `en-${region}`;
}

function createDateWords(english: string, timeZone: string, hours: 12 | 24 | undefined): DateWords {
  const day = new Intl.DateTimeFormat(english, { timeZone, dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(english, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(hours === undefined ? {} : { hourCycle: hours === 12 ? 'h12' : 'h23' }),
  });
  return { dayOf: (at) => day.format(at), momentOf: (at) => moment.format(at) };
}
