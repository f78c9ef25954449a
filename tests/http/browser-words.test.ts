import { expect, test } from 'vitest';
import { describeBrowser } from '../../src/accounts/browsers.ts';
import { keptUserAgent } from '../../src/platform/audit/context.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Windows'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome on macOS',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Microsoft Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Something', 'Unknown browser on Linux'],
  ['curl/8.1', 'Unknown browser'],
  ['Call-us-now-at-555/1.0 (urgent)', 'Unknown browser'],
  ['<b>Security team</b>/1.0 x', 'Unknown browser'],
  [' ', 'Unknown browser'],
  [null, 'Unknown browser'],
])('%s is %s', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words);
});

test.each([
  ['Firefox/1.0', 'Firefox/1.0'],
  ['a\u0000b\u001b[31mc\u0085d', 'ab[31mcd'],
  ['x'.repeat(301), 'x'.repeat(300)],
  ['', null],
  ['\t', null],
  [undefined, null],
])('of %j a session keeps %j', (header, kept) => {
  expect(keptUserAgent(header)).toBe(kept);
});
