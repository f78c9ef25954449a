import { expect, test } from 'vitest';
import { withAsciiDomain, withoutLinks } from '../../src/platform/plain-text.ts';

/** What mail programs make links of: schemes, www., names with a top-level domain, addresses, shares. */
const linked =
  /:\/\/|\bwww\.\S|[^\s.][.\u00B7\u2024\u2027\u3002\uFE52\uFF0E\uFF61]\p{L}|\p{L}[.\u3002\uFF0E\uFF61]\p{N}|\S@\S|\\\\\S|\/\/\S|\b(?:mailto|tel|sms):\S/u;

test.each([
  'Unlock it at https://evil.example/now',
  'HTTP:\\\\evil.example',
  'www.evil.example',
  'evil.com',
  'evil．com',
  'evil。中国',
  'e.v.i.l.co.uk/path?x=1',
  'unlock@evil.example',
  'a＠evil.example',
  '@evil.example',
  'mailto:a',
  'tel:+4930123456',
  '\\\\evil\\share',
  '//evil.example',
  'evil.example:8080/a//b',
  'x.1a.com',
  'ftp://ftp.evil.example',
  'https:/evil.example',
  'evil.\u200Bcom',
])('%s holds no link any more (security C51)', (text) => {
  expect(text.match(linked) ?? withoutLinks(text)).not.toBeNull();
  expect(withoutLinks(text)).not.toMatch(linked);
});

test.each([
  ['Talk with Dr. Ann Lee, 3.5 hours', 'Talk with Dr. Ann Lee, 3.5 hours'],
  ['Q&A: 50/50 at 10:30', 'Q&A: 50/50 at 10:30'],
  ['Node.js', 'Node. js'],
  ['Ann @ Acme', 'Ann @ Acme'],
  ['日本語。次', '日本語。 次'],
  ['', ''],
])('%s is read as %s', (text, shown) => {
  expect(withoutLinks(text)).toBe(shown);
});

test.each([
  ['bob@bücher.example', 'bob@xn--bcher-kva.example'],
  ['bob@BÜCHER.example', 'bob@xn--bcher-kva.example'],
  ['bob@例え.テスト', 'bob@xn--r8jz45g.xn--zckzah'],
  ['bob@example。com', 'bob@example.com'],
  // Cyrillic letters that look Latin.
  ['bob@аpple.example', 'bob@xn--pple-43d.example'],
])('the domain of %s is one that mail servers know: %s (RFC 5891)', (address, ascii) => {
  expect(withAsciiDomain(address)).toBe(ascii);
  expect(withAsciiDomain(ascii)).toBe(ascii);
});

test.each([
  'bob@example.com',
  'Bob@Example.COM',
  'bücher@example.com',
  'bob@ü/x',
  'bob@ü x',
  'bob',
  `b@${'ü'.repeat(254)}`,
])('nothing else changes: %.30s', (address) => {
  expect(withAsciiDomain(address)).toBe(address);
});
