import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export interface ReaderLocale {
  /** Holds BCP 47; undefined when Intl knows none of the browser's languages. */
  readonly language: string | undefined;
  /** {@link localeOf} keeps it to a few letters, whatever the browser sends. */
  readonly dateLocale: string | undefined;
  readonly hours: 12 | 24;
  /** Monday is 1. */
  readonly firstDay: number;
}

const unknownReader: ReaderLocale = { language: undefined, dateLocale: undefined, hours: 24, firstDay: 1 };
const maxHeaderLength = 1000;
/** Looking locales up is slow. The cache is bounded, because anyone can make up tags. */
const locales = new LRUCache<string, ReaderLocale>({ max: 500, memoMethod: describe });

/** The first language counts (RFC 9110 §12.5.4); `en, en-GB` is British. */
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
  return locales.memo(baseName);
}

/** Returns what the reader likes best of those there are; undefined for none (RFC 4647 §3.4). @public */
export function languageAmong(
  known: readonly string[],
  acceptLanguage: string | undefined,
): string | undefined {
  if (acceptLanguage === undefined || acceptLanguage.length > maxHeaderLength) return undefined;
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language([...known]);
}

/** Intl may not know a well-formed tag's language. */
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
  const { firstDay } = new Intl.Locale(language).getWeekInfo();
  return { language, dateLocale: localeOf(language), hours, firstDay };
}

export interface DateWords {
  /** Returns `Nov 21, 2026` for en-US. */
  dayOf(at: Date): string;
  /** Returns `Nov 21, 2026, 8:23 AM EST` for en-US. */
  momentOf(at: Date): string;
}

/** A tag gives English words in the form of its region; a Locale speaks its own language. */
export type DateLanguage = string | Intl.Locale;

export interface DateWordsOptions {
  readonly timeZone: string;
  readonly language?: DateLanguage | null | undefined;
  readonly hours?: 12 | 24 | undefined;
}

export function dateWordsOf({ timeZone, language, hours }: DateWordsOptions): DateWords {
  const formatted = (options: Omit<Intl.DateTimeFormatOptions, 'timeZone'>) => (at: Date) =>
    formatFor(language, { timeZone, ...options }).format(at);
  return {
    dayOf: formatted({ day: 'numeric', month: 'short', year: 'numeric' }),
    momentOf: formatted({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      ...(hours === undefined ? {} : { hourCycle: clocks[hours].hourCycle }),
    }),
  };
}

/** Every page with a date would wait 25 µs for each. */
const english = new LRUCache<string, string>({
  max: 500,
  memoMethod: (language) => `en-${new Intl.Locale(language).maximize().region ?? 'US'}`,
});

/** Returns `en-DE` for `de`, and `en-US` for unknown languages. */
function localeOf(language: DateLanguage | null | undefined): string {
  return typeof language === 'object' ? `${language ?? 'en-US'}` : english.memo(language ?? 'en-US');
}

export const clocks = {
  12: { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  24: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const;

/** A format takes up to 80 KB, and as long to make as a hundred dates take to format. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 128 });

export function formatFor(
  language: DateLanguage | null | undefined,
  options: Intl.DateTimeFormatOptions & { readonly timeZone: string },
): Intl.DateTimeFormat {
  const locale = localeOf(language);
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** Intl's narrow spaces look wrong in some email programs, and break searching. */
export function withPlainSpaces(text: string): string {
  return text.replaceAll(/[\u2009\u202F]/g, ' ');
}

/** Names the days of a week from Monday on. */
export function nameWeekDays(language: DateLanguage, weekday: 'long' | 'short' = 'long'): readonly string[] {
  const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => format.format(new Date(Date.UTC(2024, 0, 1 + day))));
}

export interface ClockLocale {
  readonly language: DateLanguage | undefined;
  readonly hours: 12 | 24;
}

/** Returns `4:00 AM`; `wall` is what a clock shows, as milliseconds since the epoch. */
export function formatWallTime(wall: number, { language, hours }: ClockLocale): string {
  return withPlainSpaces(formatFor(language, { ...clocks[hours], timeZone: 'UTC' }).format(wall));
}
