import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts, type DifferencePart, listChanges } from '../../src/oauth/core/difference.ts';

/** Parts in the words of a table: `a-{b}+{c}d`. */
const write = (parts: readonly DifferencePart[]): string =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : `${kind === 'sent' ? '-' : '+'}{${text}}`))
    .join('');

test.each([
  ['callback', 'callback', 'callback'],
  ['', '', ''],
  ['', 'abc', '+{abc}'],
  ['abc', '', '-{abc}'],
  ['calback', 'callback', 'cal+{l}back'],
  ['callback/', 'callback', 'callback-{/}'],
  ['http://app.example', 'https://app.example', 'http+{s}://app.example'],
  ['/Callback', '/callback', '/-{C}+{c}allback'],
  ['/one/callback/two', '/1/callback/2', '/-{one}+{1}/callback/-{two}+{2}'],
  ['aXbYc', 'aPbQc', 'a-{XbY}+{PbQ}c'],
  ['𝕃x', '𝕃y', '𝕃-{x}+{y}'],
])('%j beside %j: %s', (sent, expected, words) => {
  expect(write(compareTexts(sent, expected))).toBe(words);
});

test('in words each change has its place and both sides', () => {
  expect(listChanges(compareTexts('/one/callback/two', '/1/callback/'))).toEqual([
    { position: 2, sent: 'one', expected: '1' },
    { position: 15, sent: 'two', expected: '' },
  ]);
});

const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', 'é', '𝕃'), maxLength: 60 });

test('each side can be read off the parts, and no two neighbours are of one kind', () => {
  fc.assert(
    fc.property(texts, texts, (sent, expected) => {
      const parts = compareTexts(sent, expected);
      const side = (without: DifferencePart['kind']): string =>
        parts.map(({ kind, text }) => (kind === without ? '' : text)).join('');

      expect([side('expected'), side('sent')]).toEqual([sent, expected]);
      for (const [index, { kind }] of parts.entries()) expect(parts[index + 1]?.kind).not.toBe(kind);
    }),
  );
});

test('the changes lead from what was sent to what was expected', () => {
  fc.assert(
    fc.property(texts, texts, (sent, expected) => {
      const letters = [...sent];
      for (const change of listChanges(compareTexts(sent, expected)).toReversed())
        letters.splice(change.position - 1, [...change.sent].length, change.expected);

      expect(letters.join('')).toBe(expected);
    }),
  );
});

test('two long texts with nothing in common are told as replaced, in no time', () => {
  const [sent, expected] = ['ab'.repeat(1000), 'cd'.repeat(1000)];

  expect(compareTexts(sent, expected)).toEqual([
    { kind: 'sent', text: sent },
    { kind: 'expected', text: expected },
  ]);
});
