import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addToRedirectUri, checkRedirectUri, hostOfRedirectUri } from '../../src/oauth/core/redirect-uri.ts';
import { registeredRedirectUri } from '../support/core-builders.ts';

const issuer = 'https://latchkey.example';

function addTo(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  return addToRedirectUri(registeredRedirectUri(uri), parameters);
}

test.each([
  ['https://app.example', 'https://app.example?code=c&state=s'],
  ['https://app.example/', 'https://app.example/?code=c&state=s'],
  ['https://app.example/cb', 'https://app.example/cb?code=c&state=s'],
  ['https://app.example/cb?', 'https://app.example/cb?code=c&state=s'],
  ['https://app.example/cb?x=1', 'https://app.example/cb?x=1&code=c&state=s'],
  ['https://app.example/cb?x=1&', 'https://app.example/cb?x=1&code=c&state=s'],
  ['https://app.example/cb?x=a?b', 'https://app.example/cb?x=a?b&code=c&state=s'],
  ['https://app.example/cb?x=a?', 'https://app.example/cb?x=a?&code=c&state=s'],
  ['https://app.example/cb??', 'https://app.example/cb??&code=c&state=s'],
  ['https://app.example/cb?x=a+b%20c', 'https://app.example/cb?x=a+b%20c&code=c&state=s'],
  ['http://127.0.0.1:49152/cb', 'http://127.0.0.1:49152/cb?code=c&state=s'],
  ['com.example.app:/cb', 'com.example.app:/cb?code=c&state=s'],
  ['com.example.app:cb?x=1', 'com.example.app:cb?x=1&code=c&state=s'],
])('the answer to %s goes to %s (RFC 6749 §4.1.2)', (registered, expected) => {
  expect(addTo(registered, { code: 'c', state: 's' })).toBe(expected);
});

test('a parameter without value is left out, an empty one is not (RFC 6749 §4.1.2)', () => {
  expect(addTo('https://app.example/cb', { code: 'c', state: undefined, scope: '' })).toBe(
    'https://app.example/cb?code=c&scope=',
  );
});

const queries = fc.oneof(
  fc.constantFrom(
    '',
    '?',
    '?x',
    '?x=',
    '?x=1&',
    '?x=1&x=1',
    '?x=a?b',
    '?x=a?',
    '??',
    '?x=a+b%20c',
    '?&&',
    '?a=%3F%26%3D',
  ),
  fc.webQueryParameters().map((query) => `?${query}`),
);
const bases = fc.constantFrom(
  'https://app.example',
  'https://app.example/',
  'https://app.example/a/cb',
  'http://[::1]:3000/cb',
  'com.example.app:/cb',
  'com.example.app:cb',
);
const registeredUris = fc
  .tuple(bases, queries)
  .map(([base, query]) => `${base}${query}`)
  .filter((uri) => checkRedirectUri(uri, 'public').ok);

const anyText = fc.string({ unit: 'binary' });

const answers = fc.oneof(
  fc.record({ code: anyText, state: anyText, iss: fc.constant(issuer) }),
  fc.record({ error: anyText, error_description: anyText, state: anyText, iss: fc.constant(issuer) }),
);

test('the answer is the registered address, with each parameter once behind those it has (RFC 6749 §4.1.2)', () => {
  fc.assert(
    fc.property(registeredUris, answers, (registered, answer) => {
      const location = addTo(registered, answer);

      expect(location.startsWith(registered)).toBe(true);
      expect([...new URL(location).searchParams]).toEqual([
        ...new URL(registered).searchParams,
        ...Object.entries(answer),
      ]);
      const questionMarks = registered.split('?').length - 1;
      expect(location.split('?')).toHaveLength(Math.max(questionMarks, 1) + 1);
    }),
  );
});

const nastyStates = fc.oneof(
  anyText,
  fc.constantFrom(
    '+',
    ' ',
    '%00',
    '%',
    '%0d%0a',
    '\r\nSet-Cookie: a=b',
    '\0',
    '&code=evil',
    '#',
    '?',
    '="',
    "'",
  ),
  fc.string({ unit: 'binary', minLength: 500, maxLength: 2048 }),
);

test('state comes back unchanged, whatever it is, and never splits a header (RFC 6749 §4.1.2)', () => {
  fc.assert(
    fc.property(registeredUris, nastyStates, (registered, state) => {
      const location = addTo(registered, { state });

      expect(location).toMatch(/^[\x21-\x7e]+$/);
      expect(new URL(location).searchParams.get('state')).toBe(state);
      expect(decodeURIComponent(location.slice(location.lastIndexOf('state=') + 6))).toBe(state);
    }),
  );
});

test.each([
  ['https://app.example/cb', 'app.example'],
  ['https://app.example:8443/cb', 'app.example:8443'],
  ['https://xn--bcher-kva.example/cb', 'xn--bcher-kva.example'],
  ['http://127.0.0.1:49152/cb', '127.0.0.1:49152'],
  ['http://[::1]/cb', '[::1]'],
  ['com.example.app:/cb', 'com.example.app'],
  ['com.example.app://host/cb', 'com.example.app'],
  ['com.example.http:/cb', 'com.example.http'],
])('of %s the page shows %s (contract §3)', (uri, host) => {
  expect(hostOfRedirectUri(registeredRedirectUri(uri))).toBe(host);
});
