import { describe, expect, test } from 'vitest';
import {
  knownNames,
  mixedWords,
  namesLike,
  skeletonOf,
  unseenCharacters,
} from '../../src/oauth/review/look-alike.ts';

describe('names that look alike have one skeleton (UTS #39 §4)', () => {
  test.each([
    ['case', 'TIDY WEEK', 'tidy week'],
    ['blanks and punctuation', 'Tidy-Week.', 'TidyWeek'],
    ['Cyrillic letters', 'Рау', 'Pay'],
    ['Cyrillic capitals that look like others than their small letters', 'НВ', 'HB'],
    ['Greek letters', 'Τιdγ', 'Tidy'],
    ['marks', 'Tídÿ', 'Tidy'],
    ['marks of Cyrillic letters', 'ё', 'e'],
    ['full width', 'Ｔｉｄｙ', 'Tidy'],
    ['mathematical letters', '𝕋𝕚𝕕𝕪', 'Tidy'],
    ['ligatures', 'oﬃce', 'office'],
    ['a zero for an o', 'G00d', 'Good'],
    ['a one for an l', '1atch', 'latch'],
    ['an I for an l', 'Iatch', 'latch'],
    ['a bar for an l', '|atch', 'latch'],
    ['other digits', 'T3st', 'Test'],
    ['rn for m', 'rnail', 'mail'],
    ['vv for w', 'vveek', 'week'],
    ['zero-width characters', 'Ti\u200bdy\ufeff', 'Tidy'],
    ['a turned direction', '\u202eTidy', 'Tidy'],
    ['letters that look like nothing', 'Ti\u3164dy\u2800', 'Tidy'],
    ['a dotless i', 'Tıdy', 'Tidy'],
    ['a sharp s', 'Straße', 'Strasse'],
  ])('%s', (_name, one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });

  test.each([
    ['Tidy Week', 'Tidy Weeks'],
    ['Desk', 'Task'],
    ['🗝️', '📅'],
    ['日本', '日木'],
  ])('and others do not: %s, %s', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other));
  });

  test('and no name is without one, so that names of signs alone are not all alike', () => {
    expect([skeletonOf('🗝️'), skeletonOf('+ +')]).toEqual(['🗝', '++']);
  });
});

test("a name is compared with other owners' alone, and each name is told once", () => {
  const known = knownNames([
    { id: 'a', ownerId: 1, name: 'Tidy Week' },
    { id: 'b', ownerId: 2, name: 'TIDY WEEK' },
    { id: 'c', ownerId: 3, name: 'TIDY WEEK' },
    { id: 'd', ownerId: 2, name: 'Other' },
  ]);

  expect(namesLike({ id: 'a', ownerId: 1, name: 'Tіdy Wееk' }, known)).toEqual(['TIDY WEEK']);
  expect(namesLike({ id: 'b', ownerId: 2, name: 'Tidy Week' }, known)).toEqual(['Tidy Week', 'TIDY WEEK']);
  expect(namesLike({ id: 'a', ownerId: 1, name: 'Tidier Week' }, known)).toEqual([]);
});

test('metadata documents have no owner in common: each is compared with all others', () => {
  const known = knownNames([
    { id: 'https://one.example/', ownerId: null, name: 'Agent' },
    { id: 'https://two.example/', ownerId: null, name: 'AGENT' },
  ]);

  expect(namesLike({ id: 'https://one.example/', ownerId: null, name: 'Agent' }, known)).toEqual(['AGENT']);
});

test.each([
  ['Latin alone', 'Tidy Week', []],
  ['Cyrillic alone', 'Чистый Стол', []],
  ['one word of each', 'Tidy Стол', []],
  ['Japanese, which mixes by nature', 'カレンダー予定さん', []],
  ['Latin and Han', 'Tシャツ', []],
  ['digits and signs', 'a1 β2', []],
  ['a Cyrillic letter in a Latin word', 'Tidy Wеek', [{ word: 'Wеek', scripts: 'Latin and Cyrillic' }]],
  ['a Greek letter in a Latin word', 'Τidy', [{ word: 'Τidy', scripts: 'Latin and Greek' }]],
  ['a marked letter', 'аb\u0301c', [{ word: 'аb\u0301c', scripts: 'Latin and Cyrillic' }]],
])('words that mix alphabets: %s', (_name, text, mixed) => {
  expect(mixedWords(text)).toEqual(mixed);
});

test.each([
  ['none', 'Tidy Week é', []],
  ['zero-width space', 'Ti\u200bdy\u200b', ['U+200B']],
  ['direction', '\u202eydiT\u2066', ['U+202E', 'U+2066']],
  ['a soft hyphen', 'Ti\u00addy', ['U+00AD']],
  ['blanks among letters', 'a\u3164\u2800', ['U+3164', 'U+2800']],
  ['beyond the first plane', 'a\u{e0041}', ['U+E0041']],
  ['emoji and what joins them', '👩‍👩‍👧 🗝️', []],
  ['a joiner without emoji', 'a\u200db', ['U+200D']],
])('characters that nobody sees: %s', (_name, text, found) => {
  expect(unseenCharacters(text)).toEqual(found);
});
