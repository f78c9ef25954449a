import { expect, test } from 'vitest';
import { dateWordsOf, readerLocaleOf } from '../../src/platform/locale.ts';

const [monday, saturday, sunday] = [1, 6, 7];

test.each([
  ['en-GB', 24, monday],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 24, monday],
  // The first language counts, though only the other one names a region.
  ['de,en-US;q=0.7,en;q=0.3', 24, monday],
  ['en-US,en;q=0.9', 12, sunday],
  ['en-AU', 12, monday],
  ['ja', 24, sunday],
  ['pt-BR', 24, sunday],
  ['ar-EG', 12, saturday],
  ['hi-IN,hi;q=0.9', 12, sunday],
  ['en', 12, sunday],
  ['en, en-GB;q=0.5', 24, monday],
  ['fr;q=0.5, en-US', 12, sunday],
  ['EN-us', 12, sunday],
  ['en-US;q=0, sv-SE;q=0.1', 24, monday],
])('%s: a clock of %i hours, the week begins on day %i (RFC 9110 §12.5.4)', (languages, hours, firstDay) => {
  expect(readerLocaleOf(languages)).toMatchObject({ hours, firstDay });
});

test.each([undefined, '', '*', ',;=,', 'zz-ZZ', 'x'.repeat(60_000), 'en_US', 'de-DE\0', '%00'])(
  '%j says nothing: 24 hours, and weeks from Monday',
  (languages) => {
    expect(readerLocaleOf(languages)).toEqual({ language: undefined, hours: 24, firstDay: monday });
  },
);

test.each([
  ['de-DE,de;q=0.9,en-US;q=0.8', 'de-DE'],
  ['en, en-GB;q=0.5', 'en-GB'],
  ['de,en-US;q=0.7', 'de'],
  ['EN-us', 'en-US'],
  ['zz-ZZ', undefined],
  [undefined, undefined],
])('of %s the language is %s (RFC 9110 §12.5.4)', (languages, language) => {
  expect(readerLocaleOf(languages).language).toBe(language);
});

test.each([
  ['de-AT,de;q=0.9', 'en-AT'],
  ['de', 'en-DE'],
  ['es-419', 'en-419'],
  ['sl-Latn-IT-nedis-rozaj-u-ca-buddhist', 'en-IT'],
  [`de-${'x-abcdefgh-'.repeat(80)}a`, 'en-DE'],
  [undefined, undefined],
])('dates of %s are written as in %s: a few letters, because accounts keep them', (languages, locale) => {
  expect(readerLocaleOf(languages).dateLocale).toBe(locale);
});

test.each([
  ['en-US', undefined, 'Nov 23, 2026', 'Nov 23, 2026, 4:00 AM EST'],
  ['en-GB', undefined, '23 Nov 2026', '23 Nov 2026, 04:00 GMT-5'],
  ['en-GB', 12, '23 Nov 2026', '23 Nov 2026, 4:00 am GMT-5'],
  ['en-US', 24, 'Nov 23, 2026', 'Nov 23, 2026, 04:00 EST'],
  ['de', undefined, '23 Nov 2026', '23 Nov 2026, 04:00 GMT-5'],
  [undefined, undefined, 'Nov 23, 2026', 'Nov 23, 2026, 4:00 AM EST'],
] as const)('to a reader of %s with a clock of %s hours the day is %s', (language, hours, day, moment) => {
  const words = dateWordsOf({ timeZone: 'America/New_York', language, hours });
  const at = new Date('2026-11-23T09:00:00Z');

  expect(words.dayOf(at)).toBe(day);
  expect(words.momentOf(at).replaceAll('\u202f', ' ')).toBe(moment);
});

test.each(['de', 'es', 'fr', 'pt-BR', 'ja', 'ar'])(
  'a day is written alike with and without its time in %s',
  (tag) => {
    const words = dateWordsOf({ timeZone: 'UTC', language: new Intl.Locale(tag) });
    const at = new Date('2026-11-23T09:00:00Z');

    expect(words.momentOf(at)).toContain(words.dayOf(at));
  },
);
