import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkRedirectUri,
  matchRedirectUri,
  redirectUriMaxLength,
} from '../../src/oauth/core/redirect-uri.ts';
import { buildClient } from '../support/core-builders.ts';

const longest = `https://app.example/${'a'.repeat(redirectUriMaxLength - 'https://app.example/'.length)}`;

test.each([
  'https://app.example',
  'https://app.example/',
  'https://app.example?x=1',
  'https://app.example/cb',
  'https://app.example/cb?',
  'https://app.example/cb?x=1&y=a+b%20c',
  'https://app.example/~cb',
  'https://app.example/%7Ecb',
  'https://app.example/a@b',
  'https://app.example/cb?mail=a@b',
  'https://app.example/cb//a@b',
  'https://app.example/cb?next=https://app.example',
  'https://app.example:8443/cb',
  'https://xn--bcher-kva.example/cb',
  'https://192.0.2.1/cb',
  'https://localhost/cb',
  'http://localhost',
  'http://localhost/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://127.0.0.1:3000/cb?x=1',
  'http://[::1]/cb',
  'http://[::1]:3000/cb',
  longest,
])('%s may be registered for clients of both types (contract §2)', (uri) => {
  expect(checkRedirectUri(uri, 'confidential')).toEqual({ ok: true, value: uri });
  expect(checkRedirectUri(uri, 'public')).toEqual({ ok: true, value: uri });
});

test.each([
  ...[
    'com.example.app:/oauth2redirect',
    'com.example.app:/cb',
    'com.example.app://cb',
    'com.example.app:cb',
    'a-b.c+d.e1:/cb?x=1',
  ],
  ...['cursor://editor.tools/oauth/callback', 'vscode://publisher.tool/cb', 'zed:/cb', 'search.example:/cb'],
])(
  'the private-use scheme of %s may be registered for public clients only (RFC 8252 §7.1, contract §2)',
  (uri) => {
    expect(checkRedirectUri(uri, 'public')).toEqual({ ok: true, value: uri });
    expect(checkRedirectUri(uri, 'confidential')).toMatchObject({
      ok: false,
      reason: 'private_scheme_of_confidential_client',
    });
  },
);

test.each([
  ['empty', ''],
  ['too_long', `${longest}a`],
  ['not_printable_ascii', ' https://app.example/cb'],
  ['not_printable_ascii', 'https://app.example/c b'],
  ['not_printable_ascii', 'https://app.example/cb\n'],
  ['not_printable_ascii', 'https://app.example/\tcb'],
  ['not_printable_ascii', 'https://app.example/cb\0'],
  ['not_printable_ascii', 'java\nscript:alert(1)'],
  ['not_printable_ascii', 'https://bücher.example/cb'],
  ['not_printable_ascii', 'https://app.example/\u202ecb'],
  ['not_printable_ascii', 'https://app.example/\u007fcb'],
  ['scheme_with_underscore', 'com.example.my_app:/cb'],
  ['scheme_with_underscore', '_app://cb'],
  ['not_absolute', 'my_app.example:3000/cb'],
  ['not_absolute', 'my_app'],
  ['not_absolute', 'app'],
  ['not_absolute', '/cb'],
  ['not_absolute', '//app.example/cb'],
  ['not_absolute', 'https://'],
  ['not_absolute', 'https://app.example:65536/cb'],
  ['not_absolute', 'https://app.example:port/cb'],
  ['not_absolute', 'http://[::1/cb'],
  ['fragment', 'https://app.example/cb#'],
  ['fragment', 'https://app.example/cb#top'],
  ['fragment', 'https://app.example#@localhost/'],
  ['wildcard', 'https://app.example/*'],
  ['wildcard', 'https://*.app.example/cb'],
  ['wildcard', 'https://app.example/cb?next=*'],
  ['wildcard', 'http://localhost/*'],
  ['user_info', 'https://ann@app.example/cb'],
  ['user_info', 'https:\\\\ann@app.example/cb'],
  ['user_info', 'https:ann@app.example/cb'],
  ['user_info', 'https::secret@app.example/cb'],
  ['user_info', 'https://ann:secret@app.example/cb'],
  ['user_info', 'https://:secret@app.example/cb'],
  ['user_info', 'https://@app.example/cb'],
  ['user_info', 'https://:@app.example/cb'],
  ['user_info', 'http://evil@127.0.0.1/cb'],
  ['user_info', 'https://app.example\\@evil.example/cb'],
  ['scheme_not_allowed', 'javascript:alert(1)'],
  ['scheme_not_allowed', 'JavaScript:alert(1)'],
  ['scheme_not_allowed', 'javascript://app.example/%0aalert(1)'],
  ['scheme_not_allowed', 'data:text/html,x'],
  ['scheme_not_allowed', 'file:///etc/passwd'],
  ['scheme_not_allowed', 'vbscript:x'],
  ['scheme_not_allowed', 'blob:https://app.example/x'],
  ['scheme_not_allowed', 'about:blank'],
  ['scheme_not_allowed', 'ftp://app.example/cb'],
  ['scheme_not_allowed', 'ws://app.example/cb'],
  ['scheme_not_allowed', 'wss://app.example/cb'],
  ['scheme_not_allowed', 'mailto:ann@app.example'],
  ['scheme_not_allowed', 'view-source:https://app.example/cb'],
  ['scheme_not_allowed', 'c:/cb'],
  ['scheme_not_allowed', 'localhost:3000/cb'],
  ['scheme_not_allowed', 'localhost:/cb'],
  ['scheme_not_allowed', 'filesystem:https://app.example/cb'],
  ['scheme_not_allowed', 'ms-msdt:/id'],
  ['scheme_not_allowed', 'search-ms:query=x'],
  ['scheme_not_allowed', 'chrome-extension://abc/cb'],
  ['scheme_not_allowed', 'ssh://app.example'],
  ['scheme_not_allowed', 'tel:123'],
  ['scheme_not_allowed', 'intent://app.example/cb'],
  ['http_not_loopback', 'http://app.example/cb'],
  ['http_not_loopback', 'http://10.0.0.1/cb'],
  ['http_not_loopback', 'http://127.0.0.2/cb'],
  ['http_not_loopback', 'http://0.0.0.0/cb'],
  ['http_not_loopback', 'http://[::]/cb'],
  ['http_not_loopback', 'http://[::ffff:127.0.0.1]/cb'],
  ['http_not_loopback', 'http://localhost./cb'],
  ['http_not_loopback', 'http://app.localhost/cb'],
  ['http_not_loopback', 'http://localhost.evil.example/cb'],
  ['answer_parameter', 'https://app.example/cb?code=1'],
  ['answer_parameter', 'https://app.example/cb?x=1&state='],
  ['answer_parameter', 'https://app.example/cb?iss'],
  ['answer_parameter', 'https://app.example/cb?error=x'],
  ['answer_parameter', 'https://app.example/cb?error_description=x'],
  ['answer_parameter', 'https://app.example/cb?%63ode=1'],
])('%s: %j may be registered for no client (contract §2, RFC 6749 §3.1.2)', (reason, uri) => {
  expect(checkRedirectUri(uri, 'public')).toMatchObject({ ok: false, reason });
  expect(checkRedirectUri(uri, 'confidential')).toMatchObject({ ok: false, reason });
});

test.each([
  ['https://App.example/cb', 'https://app.example/cb'],
  ['HTTPS://app.example/cb', 'https://app.example/cb'],
  ['https://app.example:443/cb', 'https://app.example/cb'],
  ['http://localhost:80/cb', 'http://localhost/cb'],
  ['http://LOCALHOST/cb', 'http://localhost/cb'],
  ['http://127.1/cb', 'http://127.0.0.1/cb'],
  ['http://2130706433/cb', 'http://127.0.0.1/cb'],
  ['http://0x7f.0.0.1/cb', 'http://127.0.0.1/cb'],
  ['http://[0:0:0:0:0:0:0:1]/cb', 'http://[::1]/cb'],
  ['https:app.example/cb', 'https://app.example/cb'],
  ['https:///app.example/cb', 'https://app.example/cb'],
  ['https:\\\\app.example\\cb', 'https://app.example/cb'],
  ['https://app.example/a/../cb', 'https://app.example/cb'],
  ['https://app.example/a/%2e%2E/cb', 'https://app.example/cb'],
  ['https://app.example/./cb', 'https://app.example/cb'],
  ['https://app.example/"cb"', 'https://app.example/%22cb%22'],
  ['https://%61pp.example/cb', 'https://app.example/cb'],
])('%s is refused with the spelling that a browser sends, %s (contract §2)', (uri, detail) => {
  expect(checkRedirectUri(uri, 'public')).toEqual({ ok: false, reason: 'not_canonical', detail });
});

test.each([
  ['fragment', 'com.example.app:/cb#'],
  ['user_info', 'com.example.app://ann@host/cb'],
  ['not_canonical', 'COM.example.app:/cb'],
  ['answer_parameter', 'com.example.app:/cb?code=1'],
])('%s: %j may not be registered, though its scheme may (contract §2)', (reason, uri) => {
  expect(checkRedirectUri(uri, 'public')).toMatchObject({ ok: false, reason });
});

test('the refusal names the parameter that the answer adds itself (RFC 6749 §3.1.2)', () => {
  const refusal = checkRedirectUri('https://app.example/cb?x=1&state=2', 'public');

  expect(refusal).toEqual({ ok: false, reason: 'answer_parameter', detail: 'state' });
});

test('what may be registered is what a browser sends, and matches itself (contract §3)', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, validSchemes: ['https', 'http'] }), (uri) => {
      fc.pre(checkRedirectUri(uri, 'public').ok);

      expect([uri, uri.replace(/^(https?:\/\/[^/?]+)/, '$1/')]).toContain(new URL(uri).href);
      expect(matchRedirectUri(uri, buildClient('public', { redirectUris: [uri] }))).toBe(uri);
    }),
  );
});

test('any text at all is judged without a fault (contract §2)', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl().map((url) => `${url}\\@%zz`),
  );
  fc.assert(
    fc.property(anything, (uri) => {
      const checked = checkRedirectUri(uri, 'public');

      expect(checked.ok ? checked.value : checked.reason).toEqual(expect.any(String));
    }),
  );
});

test('an address whose https:// was forgotten is not taken for a private-use scheme (contract §2)', () => {
  expect(checkRedirectUri('app.example:3000/callback', 'public')).toMatchObject({
    reason: 'scheme_not_allowed',
  });
});
