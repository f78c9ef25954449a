import { Eta } from 'eta';
import { IntlMessageFormat } from 'intl-messageformat';

/**
 * An English sentence, by which its translations are found: an ICU message, which names its values
 * (`{app}`, `{count, plural, one {# app} other {# apps}}`) and what leads elsewhere (`<link>…</link>`).
 * `tests/languages/list.ts` knows it by the member that none has.
 */
export type Sentence = string & { readonly sentence?: never };

/** A sentence that has its values with it, as the fault of a form. Other text has none. */
export type Said = string | { readonly text: Sentence; readonly values: Values };

/** A page shows this as it is. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html;
type Values = Readonly<Record<string, Value>>;

/**
 * The forms of a plural begin with the number, so that their braces aren't taken for values, and
 * those of a choice (`{kind, select, team {…} other {…}}`) are text alone.
 */
type Named<Text, Shown> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot extends `${infer Name}, select, ${string}`
    ? { readonly [One in Name]: string } & Named<Rest extends `${string}}}${infer Next}` ? Next : '', Shown>
    : (Slot extends `#${string}` | `${string} {#${string}`
        ? Slot extends `${infer Name}, plural, ${string}`
          ? { readonly [One in Name]: number }
          : unknown
        : Slot extends `${infer Name}, number`
          ? { readonly [One in Name]: number }
          : { readonly [One in Slot]: Shown }) &
        Named<Rest, Shown>
  : unknown;

type Linked<Text> = Text extends `${string}<link>${string}` ? { readonly link: string } : unknown;

type Given<All> = unknown extends All ? [] : [values: All];

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

const asItIs = (text: Sentence): string => text;

/** Sentences that `translate` returns as they are stay English. */
export function createWords(tag: string, translate: (text: Sentence) => string = asItIs) {
  /** Dates follow it; English ones follow the reader's region. */
  const locale = translate === asItIs ? undefined : new Intl.Locale(tag);
  let lists: Intl.ListFormat | undefined;
  /** The first one of a process costs it 9 ms and some MB. */
  const list = (names: readonly string[]): string => {
    lists ??= new Intl.ListFormat(locale ?? 'en-GB');
    return lists.format(names);
  };

  const messages = new Map<Sentence, IntlMessageFormat>();
  const messageOf = (text: Sentence): IntlMessageFormat => {
    const message = messages.get(text) ?? new IntlMessageFormat(translate(text), tag);
    messages.set(text, message);
    return message;
  };

  function t<const Text extends Sentence>(text: Text, ...values: Given<Named<Text, string | number>>): string;
  function t(text: Sentence, values?: Values): string {
    return values === undefined ? translate(text) : String(messageOf(text).format({ ...values }));
  }

  function tHtml<const Text extends Sentence>(
    text: Text,
    ...values: Given<Named<Text, Value> & Linked<Text>>
  ): string;
  function tHtml(text: Sentence, { link = '', ...values }: Values = {}): string {
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      // A choice goes by the text.
      typeof value === 'number' ? value : { html: htmlOf(value), toString: () => String(value) },
    ]);
    const linked = (words: readonly unknown[]) => ({
      html: `<a href="${htmlOf(link)}">${words.map(partOf).join('')}</a>`,
    });
    const parts = messageOf(text).formatToParts({ ...Object.fromEntries(shown), link: linked });
    return parts.map(({ value }) => partOf(value)).join('');
  }

  /** The same for what is no literal of a page, such as the sentence of an event. */
  const sayHtml: (text: Sentence, values: Values) => string = tHtml;

  /** Says what is no literal of a page: a fault, say. Text that isn't known stays as it is. */
  const say = (said: Said): string =>
    typeof said === 'string' ? translate(said) : String(messageOf(said.text).format({ ...said.values }));

  return {
    tag,
    locale,
    t,
    tHtml,
    say,
    sayHtml,
    list,
    direction: new Intl.Locale(tag).getTextInfo().direction,
  };
}

function partOf(value: unknown): string {
  const isHtml = typeof value === 'object' && value !== null && 'html' in value;
  return isHtml ? String(value.html) : escapeFunction(String(value)); // protects: C281
}

export const english = createWords('en');
