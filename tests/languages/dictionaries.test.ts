import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { arabic } from '../../src/languages/ar.ts';
import { german } from '../../src/languages/de.ts';
import { spanish } from '../../src/languages/es.ts';
import { french } from '../../src/languages/fr.ts';
import { japanese } from '../../src/languages/ja.ts';
import { portuguese } from '../../src/languages/pt-br.ts';
import { bdi, createWords, english, strong, type Translation } from '../../src/platform/words.ts';

const dictionaries: readonly (readonly [string, Readonly<Record<string, Translation>>])[] = [
  ['de', german],
  ['es', spanish],
  ['fr', french],
  ['pt-BR', portuguese],
  ['ja', japanese],
  ['ar', arabic],
];

const formsOf = (translation: Translation): readonly string[] =>
  typeof translation === 'string' ? [translation] : Object.values(translation);

const valuesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))].toSorted();

test.each(dictionaries)('%s says each sentence with its values, links and no others', (_tag, dictionary) => {
  const faulty = Object.entries(dictionary).filter(([text, translation]) => {
    // A plural such as Arabic's dual says the number by its form.
    const isCounted = typeof translation === 'object';
    return formsOf(translation).some(
      (form) =>
        form.trim() === '' ||
        /\[.+\]/.test(form) !== /\[.+\]/.test(text) ||
        !valuesIn(form).every((name) => valuesIn(text).includes(name)) ||
        (!isCounted && valuesIn(form).length !== valuesIn(text).length),
    );
  });

  expect(faulty).toEqual([]);
});

test('every sentence of the dictionaries is said somewhere', () => {
  const sources = globSync(['src/**/*.ts', 'views/**/*.eta'])
    .filter((path) => !path.startsWith('src/languages/'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const acts =
    /^(?:Sign in|Create an account|Enter your password|Reset your password) to |^Too many (?:sign-ins|failed|incorrect)/;
  const unsaid = Object.keys(german).filter(
    (text) =>
      !acts.test(text) &&
      !sources.includes(`'${text}'`) &&
      !new RegExp(
        RegExp.escape(text)
          .replace(/\\\{number\\\}/, String.raw`(?:\d+|\$\{\w+\})`)
          // What is quoted is isolated.
          .replace(/\\\{text\\\}/, String.raw`\\u2068\$\{\w+\}\\u2069`),
      ).test(sources),
  );

  expect(unsaid).toEqual([]);
});

const say = 'Try again in {minutes} {minutes|minute|minutes}.';

test.each([
  [1, 'بعد دقيقة.'],
  [2, 'بعد دقيقتين.'],
  [3, 'بعد 3 دقائق.'],
  [11, 'بعد 11 دقيقة.'],
])('Arabic has a form for %i (CLDR)', (minutes, end) => {
  expect(createWords('ar', arabic).t(say, { minutes })).toMatch(new RegExp(`${end}$`));
});

test('numbers are written as the language writes them', () => {
  const { t } = createWords('de', german);

  expect([t(say, { minutes: 1 }), t(say, { minutes: 1200 })]).toEqual([
    'Versuchen Sie es in 1 Minute noch einmal.',
    'Versuchen Sie es in 1.200 Minuten noch einmal.',
  ]);
  expect(english.t(say, { minutes: 1200 })).toBe('Try again in 1200 minutes.');
});

test('a sentence in HTML escapes its values, and keeps a value with a placeholder as it is (security C281)', () => {
  const { tHtml, t } = createWords('de', german);
  const name = '<img src=x>{app} $& [x]';

  expect(tHtml('Sign in to continue to {app}', { app: strong(bdi(name)) })).toBe(
    'Melden Sie sich an, um mit <strong><bdi>&lt;img src=x&gt;{app} $&amp; [x]</bdi></strong> fortzufahren',
  );
  expect(tHtml('Sign in to continue to {app}', { app: name })).toContain('&lt;img src=x&gt;{app} $&amp; [x]');
  expect(t('Sign in to continue to {app}', { app: name })).toContain(name);
});

test('a link is escaped, too', () => {
  const again =
    'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.';

  expect(english.tHtml(again, { link: '/forgot?a=$1&b="' })).toContain(
    '<a href="/forgot?a=$1&amp;b=&quot;">try again</a>',
  );
});
