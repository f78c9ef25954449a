import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { matchRedirectUri } from '../../src/oauth/core/redirect-uri.ts';
import { buildClient } from '../support/core-builders.ts';

const https = 'https://app.example/a/cb?x=1';

function match(type: ClientType, registered: string, requested: string): string | undefined {
  return matchRedirectUri(requested, buildClient(type, { redirectUris: [registered] }));
}

test.each([
  https,
  'https://app.example',
  'https://app.example/',
  'https://app.example:8443/cb',
  'https://app.example/%7ecb',
  'https://xn--bcher-kva.example/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://[::1]:3000/cb',
  'com.example.app:/cb',
])('the registered redirect_uri %s matches itself (RFC 6749 §3.1.2.3)', (uri) => {
  expect(match('confidential', uri, uri)).toBe(uri);
  expect(match('public', uri, uri)).toBe(uri);
});

test('any one of several registered addresses matches, and no mixture of them (contract §3)', () => {
  const client = buildClient('public', { redirectUris: ['https://a.example/one', 'https://b.example/two'] });

  expect(matchRedirectUri('https://b.example/two', client)).toBe('https://b.example/two');
  expect(matchRedirectUri('https://a.example/two', client)).toBeUndefined();
});

test('a client without redirect URIs matches nothing (contract §3)', () => {
  expect(matchRedirectUri(https, buildClient('public', { redirectUris: [] }))).toBeUndefined();
});

const spellings = [
  ['upper-case scheme', 'HTTPS://app.example/a/cb?x=1'],
  ['upper-case host', 'https://APP.example/a/cb?x=1'],
  ['upper-case path', 'https://app.example/a/CB?x=1'],
  ['another scheme', 'http://app.example/a/cb?x=1'],
  ['trailing slash', 'https://app.example/a/cb/?x=1'],
  ['doubled slash', 'https://app.example//a/cb?x=1'],
  ['default port', 'https://app.example:443/a/cb?x=1'],
  ['other port', 'https://app.example:8443/a/cb?x=1'],
  ['%2F for a slash', 'https://app.example/a%2Fcb?x=1'],
  ['%2f for a slash', 'https://app.example/a%2fcb?x=1'],
  ['percent-encoded letter', 'https://app.example/a/c%62?x=1'],
  ['dot segment', 'https://app.example/a/./cb?x=1'],
  ['parent segment', 'https://app.example/a/b/../cb?x=1'],
  ['encoded parent segment', 'https://app.example/a/b/%2e%2e/cb?x=1'],
  ['trailing dot of the host', 'https://app.example./a/cb?x=1'],
  ['subdomain', 'https://evil.app.example/a/cb?x=1'],
  ['suffix of the host', 'https://app.example.evil.example/a/cb?x=1'],
  ['no query', 'https://app.example/a/cb'],
  ['empty query', 'https://app.example/a/cb?'],
  ['extra query', 'https://app.example/a/cb?x=1&y=2'],
  ['other query', 'https://app.example/a/cb?x=2'],
  ['trailing ampersand', 'https://app.example/a/cb?x=1&'],
  ['deeper path', 'https://app.example/a/cb/deeper?x=1'],
  ['user info', 'https://evil@app.example/a/cb?x=1'],
  ['the host as user info', 'https://app.example@evil.example/a/cb?x=1'],
  ['the host as user info before a backslash', 'https://app.example\\@evil.example/a/cb?x=1'],
  ['backslashes', 'https:\\\\app.example\\a\\cb?x=1'],
  ['leading blank', ' https://app.example/a/cb?x=1'],
  ['trailing blank', 'https://app.example/a/cb?x=1 '],
  ['tab', 'https://app.example/a/\tcb?x=1'],
  ['carriage return', 'https://app.example/a/cb?x=1\r'],
  ['line feed', 'https://app.example/a/cb?x=1\n'],
  ['header of its own', 'https://app.example/a/cb?x=1\r\nSet-Cookie: a=b'],
  ['NUL', 'https://app.example/a/cb?x=1\0'],
  ['fragment', 'https://app.example/a/cb?x=1#'],
  ['fragment with text', 'https://app.example/a/cb?x=1#top'],
  ['8 KB of query', `https://app.example/a/cb?x=1${'1'.repeat(8192)}`],
  ['full-width letters', 'https://ａpp.example/a/cb?x=1'],
  ['Cyrillic letter', 'https://аpp.example/a/cb?x=1'],
  ['soft hyphen', 'https://app\u00ad.example/a/cb?x=1'],
  ['relative address', '/a/cb?x=1'],
  ['address without scheme', '//app.example/a/cb?x=1'],
  ['empty address', ''],
] as const;

test.each(spellings)(
  'a redirect_uri with %s is not the registered one (contract §3, RFC 9700 §4.1.3)',
  (_, requested) => {
    expect(match('confidential', https, requested)).toBeUndefined();
    expect(match('public', https, requested)).toBeUndefined();
  },
);

test.each([
  ['%7e', 'https://app.example/%7ecb', 'https://app.example/~cb'],
  ['~', 'https://app.example/~cb', 'https://app.example/%7ecb'],
  ['%7E', 'https://app.example/%7Ecb', 'https://app.example/%7ecb'],
  ['punycode', 'https://xn--bcher-kva.example/cb', 'https://bücher.example/cb'],
  ['no path', 'https://app.example', 'https://app.example/'],
  ['the root path', 'https://app.example/', 'https://app.example'],
  ['a private-use scheme', 'com.example.app:/cb', 'com.example.app://cb'],
  ['a private-use scheme in lower case', 'com.example.app:/cb', 'COM.example.app:/cb'],
])('what is registered with %s matches in no other spelling (contract §3)', (_, registered, requested) => {
  expect(match('public', registered, requested)).toBeUndefined();
});

test('one character more, less or other is never the registered address (contract §3)', () => {
  const edits = fc.record({
    at: fc.nat(https.length - 1),
    removed: fc.constantFrom(0, 1),
    inserted: fc.string({ unit: 'binary', maxLength: 2 }),
  });
  fc.assert(
    fc.property(edits, fc.constantFrom('confidential', 'public'), ({ at, removed, inserted }, type) => {
      const requested = `${https.slice(0, at)}${inserted}${https.slice(at + removed)}`;
      fc.pre(requested !== https);

      expect(match(type, https, requested)).toBeUndefined();
    }),
  );
});
