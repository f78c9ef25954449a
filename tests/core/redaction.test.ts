import { expect, test } from 'vitest';
import { redactRedirectUri } from '../../src/oauth/core/redaction.ts';

const registered = 'https://app.example/callback?tenant=blue';
const long = 'abcdefghijklmnopqrstuvwxyz';

test.each([
  ['what is registered', registered, registered],
  ['another short path', 'https://app.example/return', 'https://app.example/return'],
  [
    'another value of a registered parameter',
    'https://app.example/callback?tenant=red',
    'https://app.example/callback?tenant=[hidden]',
  ],
  ['a parameter that is not registered', `${registered}&x=1`, `${registered}&x=[hidden]`],
  ['a parameter without a value', `${registered}&flag`, `${registered}&[hidden]`],
  ['a parameter whose name is strange', `${registered}&a1b2=3`, `${registered}&[hidden]`],
  ['a fragment', 'https://app.example/callback#token=x', 'https://app.example/callback#token=[hidden]'],
  [
    'an encoded query',
    'https://app.example/callback%3Fcode%3Dx%26y',
    'https://app.example/callback%3Fcode%3D[hidden]%26[hidden]',
  ],
  ['user info', 'https://me:pass@app.example/', 'https://[hidden]@app.example/'],
  ['a code of ours', 'https://app.example/lkc_AAA-b', 'https://app.example/[hidden]'],
  ['a JWT', 'https://app.example/eyJhbGciOiJ.e30.x', 'https://app.example/[hidden]'],
  ['a long run', `https://app.example/${long}`, 'https://app.example/[hidden]'],
  ['a blank', 'https://app.example/ ', 'https://app.example/␣'],
  ['what cannot be seen', 'https://app.example/\u202e\n', 'https://app.example/\\u{202e}\\u{a}'],
  ['half a character', 'https://app.example/\ud800', 'https://app.example/\\u{d800}'],
])('%s', (_name, sent, kept) => {
  expect(redactRedirectUri(sent, registered, [])).toBe(kept);
});

test('a long run that is registered stays', () => {
  const uri = `https://app.example/${long}/callback`;

  expect(redactRedirectUri(`${uri}/`, uri, [])).toBe(`${uri}/`);
});

test('what else the request held is hidden, as it is and as it stands in a query, the longest first', () => {
  const sent = 'https://app.example/p+ss/p%2Bss/p+ss-and-more';

  expect(redactRedirectUri(sent, registered, ['p+ss', 'p+ss-and-more'])).toBe(
    'https://app.example/[hidden]/[hidden]/[hidden]',
  );
});

test('an address that is longer than any registered one is cut', () => {
  const kept = redactRedirectUri(`https://app.example/${'a/'.repeat(5000)}`, registered, []);

  expect(kept).toHaveLength(2001);
  expect(kept).toMatch(/…$/);
});
