/** How somebody is used to read the time. */
export interface Habits {
  /** Of the clock: 13:30, or 1:30 pm. */
  readonly hours: 12 | 24;
  /** With which the week begins; ISO, Monday is 1. */
  readonly firstDay: number;
}

/** Of those who tell us nothing. */
const usualHabits: Habits = { hours: 24, firstDay: 1 };

const mostLanguages = 10;

/**
 * The habits where a browser's first language is spoken (RFC 9110 §12.5.4), else, where that names no region, where most people speak it. The
 * usual habits for whatever cannot be read.
 */
export function habitsOf(acceptLanguage: string | undefined): Habits {
  const language = languageOf(acceptLanguage);
  return language === undefined ? usualHabits : habitsIn(language);
}

/**
 * A browser's first language as a BCP 47 tag. One without a region takes the one of a later entry of the same language, so that `en, en-GB` is
 * British. Undefined when there is none that anybody here knows.
 */
export function languageOf(acceptLanguage: string | undefined): string | undefined {
  const languages = preferredOf(acceptLanguage ?? '');
  const [first] = languages;
  if (first === undefined) return undefined;
  const isSame = (other: Intl.Locale): boolean => other.language === first.language;
  const spoken = first.region === undefined ? languages.find((one) => isSame(one) && one.region) : first;
  return (spoken ?? first).baseName;
}

function preferredOf(header: string): readonly Intl.Locale[] {
  const ranges = header.split(',', mostLanguages).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((part) => /^q=/i.test(part))?.slice(2) ?? '1';
    return { tag, quality: /^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(quality) ? Number(quality) : 0 };
  });
  return ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => localesOf(tag));
}

/** None for a tag that is none, and for a language that nobody here knows. */
function localesOf(tag: string): readonly Intl.Locale[] {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return [];
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).map((name) => new Intl.Locale(name));
  } catch {
    return [];
  }
}

const known = new Map<string, Habits>();

const mostKnown = 500;

/** Looking them up is slow: they are kept, for as many languages as there are and not for every tag that somebody makes up. */
function habitsIn(tag: string): Habits {
  const habits = known.get(tag) ?? lookUpHabits(tag);
  if (known.size >= mostKnown && !known.has(tag)) known.clear();
  known.set(tag, habits);
  return habits;
}

function lookUpHabits(tag: string): Habits {
  const { hourCycle } = new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions();
  const hours = hourCycle === 'h11' || hourCycle === 'h12' ? 12 : 24;
  return { hours, firstDay: new Intl.Locale(tag).getWeekInfo().firstDay };
}
