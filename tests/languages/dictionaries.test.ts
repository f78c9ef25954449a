import { expect, test } from 'vitest';
import { bdi, english, strong } from '../../src/platform/words.ts';
import { permissions } from '../support/permissions.ts';
import { faultyIn, listSentences, measure, tags } from './list.ts';
import { wordsIn } from './pseudo-language.ts';

/** Below it, a language can't be announced. What it lacks is said in English; `tests/languages/list.ts` lists it. */
const leastShare = 0.95;
/** Words of sentences that have changed may wait for a translator. More of them are sentences that nobody listed. */
const staleShare = 1 - leastShare;

/** The compiler takes its time, which no test's limit counts. */
const sentences = listSentences();

test.each(tags)('%s says each sentence with its values, links and no others', (tag) => {
  expect(faultyIn(tag)).toEqual([]);
  expect(measure(tag, sentences).share).toBeGreaterThan(leastShare);
});

test.each([
  ['the words of a scope', permissions.areas[0]?.read.words ?? ''],
  ['of the navigation', 'Availability'],
  ['of a state', 'You’re booked with {names}'],
  ['the fault of a form', 'Use at least {minimum} characters.'],
  ['of an answer to a question', 'Choose one of the options.'],
  ['one of two in a view', 'We sent the details to {email}. Use the link in it to come back to this page.'],
  ['of a limit', 'You have made too many changes in one day.'],
])('%s is listed, whether it has a translation or not', (_kind, text) => {
  expect(sentences).toContain(text);
});

test.each(tags)('few sentences of %s are known by their translations alone', (tag) => {
  expect(measure(tag, sentences).stale.length).toBeLessThan(staleShare * sentences.length);
});

const say = 'Try again in {minutes, plural, one {# minute} other {# minutes}}.';

test.each([
  [1, 'بعد دقيقة.'],
  [2, 'بعد دقيقتين.'],
  [3, 'بعد 3 دقائق.'],
  [11, 'بعد 11 دقيقة.'],
])('Arabic has a form for %i (CLDR)', async (minutes, end) => {
  expect((await wordsIn('ar')).t(say, { minutes })).toMatch(new RegExp(`${end}$`));
});

test('numbers are written as the language writes them', async () => {
  const { t, say: saying } = await wordsIn('de');
  const fault = { text: 'Use at most {maximum} characters.', values: { maximum: 2000 } };

  expect([t(say, { minutes: 1 }), t(say, { minutes: 1200 }), saying(fault)]).toEqual([
    'Versuchen Sie es in 1 Minute noch einmal.',
    'Versuchen Sie es in 1.200 Minuten noch einmal.',
    'Verwenden Sie höchstens 2.000 Zeichen.',
  ]);
  expect([english.t(say, { minutes: 1200 }), english.say(fault)]).toEqual([
    'Try again in 1,200 minutes.',
    'Use at most 2000 characters.',
  ]);
});

test('what has no translation is said in English, and no text but a sentence is read as one', async () => {
  const { t, tHtml, say: saying } = await wordsIn('fr');

  expect(t('{count, plural, one {# moon} other {# moons}} of {planet}', { count: 2, planet: '{x}' })).toBe(
    '2 moons of {x}',
  );
  expect(tHtml('A moon of {planet}', { planet: '<b>' })).toBe('A moon of &lt;b&gt;');
  expect(saying('Reads {what} it likes, <b> and all')).toBe('Reads {what} it likes, <b> and all');
});

test('a sentence in HTML escapes its values, and keeps a value with a placeholder as it is (security C281)', async () => {
  const { tHtml, t } = await wordsIn('de');
  const name = '<img src=x>{app} $& <link>x</link>';

  expect(tHtml('Sign in to continue to {app}', { app: strong(bdi(name)) })).toBe(
    'Melden Sie sich an, um mit <strong><bdi>&lt;img src=x&gt;{app} $&amp; &lt;link&gt;x&lt;/link&gt;</bdi></strong> fortzufahren',
  );
  expect(tHtml('Sign in to continue to {app}', { app: name })).toContain('&lt;img src=x&gt;{app} $&amp; ');
  expect(t('Sign in to continue to {app}', { app: name })).toContain(name);
});

test('a choice goes by its text, and shows the words of the language', async () => {
  const { t, tHtml } = await wordsIn('de');
  const sentence = 'View {kind, select, team {team} other {organization}}';

  expect([t(sentence, { kind: 'team' }), tHtml(sentence, { kind: 'organization' })]).toEqual([
    'Team ansehen',
    'Organisation ansehen',
  ]);
  expect(english.tHtml('{kind, select, team {A & B} other {C}} of {app}', { kind: 'team', app: '<' })).toBe(
    'A &amp; B of &lt;',
  );
});

test('the words around a value are escaped, too (security C281)', () => {
  expect(english.tHtml('R&D "<link>of {app}</link>"', { app: '&', link: '/' })).toBe(
    'R&amp;D &quot;<a href="/">of &amp;</a>&quot;',
  );
});

test('a link is escaped', () => {
  expect(english.tHtml('Check it, or <link>try again</link>.', { link: '/forgot?a=$1&b="' })).toContain(
    '<a href="/forgot?a=$1&amp;b=&quot;">try again</a>',
  );
});
