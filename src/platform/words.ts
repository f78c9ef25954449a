import { Eta } from 'eta';

/** Pages say these in the reader's language. The part `languages` fills it by merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface Sentences {}

/** The English sentence is its own key. Without the part, any text is a sentence. */
export type Sentence = keyof Sentences extends never ? string : keyof Sentences & string;

/** A sentence names its values: `{name}` and, of a number, `{count|app|apps}`. */
type Filled<Text, Value> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}|${string}`
      ? { readonly [One in Name]: number }
      : { readonly [One in Slot]: Value }) &
      Filled<Rest, Value>
  : unknown;

/** The words in `[…]` lead there. */
type Linked<Text> = Text extends `${string}[${string}]${string}` ? { readonly link: string } : unknown;

type Values<All> = unknown extends All ? [] : [values: All];

/** A page shows this as it is. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html;

/** A number chooses a form by its category in the language. */
export type Translation =
  | string
  | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string });

export type Words = ReturnType<typeof createWords>;

const { escapeFunction } = new Eta().config;
const htmlOf = (value: Value): string =>
  typeof value === 'object' ? value.html : escapeFunction(String(value)); // protects: C281

/** A name keeps its own direction within a sentence. */
export const bdi = (name: string): Html => ({ html: `<bdi>${htmlOf(name)}</bdi>` });

export const strong = (value: Value): Html => ({ html: `<strong>${htmlOf(value)}</strong>` });

export const timeAt = (at: Date, words: string): Html => ({
  html: `<time datetime="${at.toISOString()}">${htmlOf(words)}</time>`,
});

/** Without a dictionary, sentences stay English. */
export function createWords(tag: string, dictionary: Readonly<Record<string, Translation>> = {}) {
  const translations = new Map(Object.entries(dictionary));
  /** Dates follow it; English ones follow the reader's region. */
  const locale = translations.size > 0 ? new Intl.Locale(tag) : undefined;
  const plurals = new Intl.PluralRules(tag);
  const numbers = locale && new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale ?? 'en-GB');
  const list = (names: readonly string[]): string => lists.format(names);

  const find = (text: string, values: Readonly<Record<string, Value>>): string => {
    const found = translations.get(text) ?? text;
    if (typeof found === 'string') return found;
    const [, counted = ''] = /\{(\w+)\|/.exec(text) ?? [];
    return found[plurals.select(Number(values[counted]))] ?? found.other;
  };
  const fill = (text: string, values: Readonly<Record<string, Value>>, show: (value: Value) => string) =>
    text.replaceAll(
      /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
      (_slot, name: string, one?: string, others = '') => {
        const value = values[name] ?? '';
        if (one !== undefined) return plurals.select(Number(value)) === 'one' ? one : others;
        return show(typeof value === 'number' && numbers ? numbers.format(value) : value);
      },
    );

  function t<const Text extends Sentence>(
    text: Text,
    ...values: Values<Filled<Text, string | number>>
  ): string;
  function t(text: string, values: Readonly<Record<string, Value>> = {}): string {
    return fill(find(text, values), values, String);
  }

  function tHtml<const Text extends Sentence>(
    text: Text,
    ...values: Values<Filled<Text, Value> & Linked<Text>>
  ): string;
  function tHtml(text: string, { link = '', ...values }: Readonly<Record<string, Value>> = {}): string {
    const escaped = htmlOf(find(text, values)).replace(
      /\[(.+?)\]/,
      `<a href="${htmlOf(link).replaceAll('$', '$$$$')}">$1</a>`,
    );
    return fill(escaped, values, htmlOf); // protects: C281
  }

  /**
   * Says a fault, say, whose first number stands for `{number}`, or what it isolates for `{text}`;
   * other text stays as it is.
   */
  const known = (text: string): string => {
    const found = translations.get(text);
    if (typeof found === 'string') return found;
    const [value = ''] = /\u2068.*\u2069|\d+/s.exec(text) ?? [];
    const isNumber = /^\d/.test(value);
    const filled = translations.get(text.replace(value, isNumber ? '{number}' : '{text}'));
    return typeof filled === 'string' ? fill(filled, { number: Number(value), text: value }, String) : text;
  };

  return { tag, locale, t, tHtml, known, list, direction: new Intl.Locale(tag).getTextInfo().direction };
}

export const english = createWords('en');
