import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { matchRedirectUri } from '../../src/oauth/core/redirect-uri.ts';
import { buildClient } from '../support/core-builders.ts';

const loopback = 'http://127.0.0.1/cb';

function match(type: ClientType, registered: string, requested: string): string | undefined {
  return matchRedirectUri(requested, buildClient(type, { redirectUris: [registered] }));
}

test.each([
  [loopback, 'http://127.0.0.1:49152/cb'],
  [loopback, 'http://127.0.0.1:1/cb'],
  [loopback, 'http://127.0.0.1:80/cb'],
  [loopback, 'http://127.0.0.1:65535/cb'],
  [loopback, loopback],
  ['http://localhost/cb', 'http://localhost:49152/cb'],
  ['http://[::1]/cb', 'http://[::1]:49152/cb'],
  ['http://localhost', 'http://localhost:49152'],
  ['http://localhost/', 'http://localhost:49152/'],
  ['http://localhost?x=1', 'http://localhost:49152?x=1'],
  ['http://127.0.0.1/cb?x=1', 'http://127.0.0.1:49152/cb?x=1'],
])("a public client's registered %s matches %s, with its port (RFC 8252 §7.3)", (registered, requested) => {
  expect(match('public', registered, requested)).toBe(requested);
});

test('every port from 1 to 65535 matches, no number beyond them does (RFC 8252 §7.3)', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1, max: 200_000 }), (port) => {
      const requested = `http://127.0.0.1:${port}/cb`;

      expect(match('public', loopback, requested)).toBe(port >= 1 && port <= 65535 ? requested : undefined);
    }),
  );
});

test.each([
  ['port 0', 'http://127.0.0.1:0/cb'],
  ['port 65536', 'http://127.0.0.1:65536/cb'],
  ['port 99999', 'http://127.0.0.1:99999/cb'],
  ['a port of six digits', 'http://127.0.0.1:100000/cb'],
  ['a leading zero', 'http://127.0.0.1:080/cb'],
  ['leading zeros before five digits', 'http://127.0.0.1:0049152/cb'],
  ['a colon without a port', 'http://127.0.0.1:/cb'],
  ['a sign', 'http://127.0.0.1:+80/cb'],
  ['a hexadecimal port', 'http://127.0.0.1:0x50/cb'],
  ['an exponent', 'http://127.0.0.1:8e3/cb'],
  ['full-width digits', 'http://127.0.0.1:８０/cb'],
  ['a blank before the port', 'http://127.0.0.1: 80/cb'],
  ['two ports', 'http://127.0.0.1:80:80/cb'],
  ['a line feed behind the port', 'http://127.0.0.1:80\n/cb'],
  ['another path', 'http://127.0.0.1:80/other'],
  ['a trailing slash', 'http://127.0.0.1:80/cb/'],
  ['an extra query', 'http://127.0.0.1:80/cb?x=1'],
  ['a fragment', 'http://127.0.0.1:80/cb#'],
  ['upper case', 'HTTP://127.0.0.1:80/cb'],
  ['user info', 'http://evil@127.0.0.1:80/cb'],
  ['the host as user name', 'http://127.0.0.1:80@evil.example/cb'],
  ['the host as user name before a backslash', 'http://127.0.0.1:80\\@evil.example/cb'],
  ['the host as a prefix', 'http://127.0.0.1.evil.example:80/cb'],
  ['the port as a prefix of a host', 'http://127.0.0.1:80.evil.example/cb'],
  ['the address inside another', 'http://evil.example/http://127.0.0.1:80/cb'],
  ['localhost', 'http://localhost:80/cb'],
  ['[::1]', 'http://[::1]:80/cb'],
  ['127.0.0.2', 'http://127.0.0.2:80/cb'],
  ['0.0.0.0', 'http://0.0.0.0:80/cb'],
  ['another spelling of the address', 'http://127.1:80/cb'],
  ['the address as a number', 'http://2130706433:80/cb'],
  ['https', 'https://127.0.0.1:80/cb'],
])('a loopback address with %s does not match http://127.0.0.1/cb (contract §3)', (_, requested) => {
  expect(match('public', loopback, requested)).toBeUndefined();
});

test.each([
  ['of a confidential client', 'confidential', loopback, 'http://127.0.0.1:49152/cb'],
  ['registered with a port', 'public', 'http://127.0.0.1:3000/cb', 'http://127.0.0.1:49152/cb'],
  ['registered with a port, without it', 'public', 'http://127.0.0.1:3000/cb', loopback],
  ['on https', 'public', 'https://localhost/cb', 'https://localhost:49152/cb'],
  ['named localhost, as 127.0.0.1', 'public', 'http://localhost/cb', 'http://127.0.0.1:49152/cb'],
  ['[::1], as localhost', 'public', 'http://[::1]/cb', 'http://localhost:49152/cb'],
  [
    'of which localhost is only the beginning',
    'public',
    'http://localhost.evil.example/cb',
    'http://localhost:80.evil.example/cb',
  ],
  ['[::1], in full', 'public', 'http://[::1]/cb', 'http://[0:0:0:0:0:0:0:1]:49152/cb'],
] as const)(
  'the port may not vary for an address %s (contract §3, RFC 8252 §7.3)',
  (_, type, registered, requested) => {
    expect(match(type, registered, requested)).toBeUndefined();
  },
);

test.each([
  'http://10.0.0.1/cb',
  'http://127x0x0x1/cb',
  'http://app.example/cb',
  'https://app.example/cb',
  'com.example.app://host/cb',
])('the port may not vary for %s, which is no loopback address (contract §3)', (registered) => {
  const requested = registered.replace('/cb', ':49152/cb');

  expect(match('public', registered, requested)).toBeUndefined();
});
