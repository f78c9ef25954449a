import { describe, expect, test } from 'vitest';
import { openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { expectErrorPage } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  openAuthorizePage,
  postForm,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));
const client = await addClient(service, {
  redirectUris: [
    'https://app.example/callback',
    'https://app.example/a%2Fb/~me',
    'https://xn--bcher-kva.example/callback',
    'http://127.0.0.1/callback',
  ],
});

const spoilt = {
  'another case of the host': 'https://APP.example/callback',
  'another case of the scheme': 'HTTPS://app.example/callback',
  'another case of the path': 'https://app.example/Callback',
  'a trailing slash': 'https://app.example/callback/',
  'no path': 'https://app.example',
  'the default port': 'https://app.example:443/callback',
  'another port': 'https://app.example:8443/callback',
  'an escaped letter': 'https://app.example/c%61llback',
  'a slash for %2F': 'https://app.example/a/b/~me',
  'another case of %2F': 'https://app.example/a%2fb/~me',
  '%7e for ~': 'https://app.example/a%2Fb/%7eme',
  '%7E for ~': 'https://app.example/a%2Fb/%7Eme',
  'an IDN for its punycode': 'https://bücher.example/callback',
  'a dot segment': 'https://app.example/./callback',
  'two dot segments': 'https://app.example/x/../callback',
  'an escaped dot segment': 'https://app.example/%2e/callback',
  'a doubled slash': 'https://app.example//callback',
  'an empty query': 'https://app.example/callback?',
  'a query': 'https://app.example/callback?x=1',
  'an empty fragment': 'https://app.example/callback#',
  'a fragment': 'https://app.example/callback#part',
  'a user': 'https://user@app.example/callback',
  'our host as the user': 'https://app.example@evil.example/callback',
  'our host as a label': 'https://app.example.evil.example/callback',
  'a longer path': 'https://app.example/callback.evil',
  'a trailing dot of the host': 'https://app.example./callback',
  'a subdomain': 'https://evil.app.example/callback',
  'another host': 'https://evil.example/callback',
  'no TLS': 'http://app.example/callback',
  'no scheme': '//app.example/callback',
  'a path alone': '/callback',
  'a backslash': 'https://app.example\\callback',
  'a backslash before @': 'https://evil.example\\@app.example/callback',
  'a leading blank': ' https://app.example/callback',
  'a trailing blank': 'https://app.example/callback ',
  'a tab': 'https://app.example/call\tback',
  CR: 'https://app.example/callback\r',
  LF: 'https://app.example/callback\n',
  'CRLF and a header': 'https://app.example/callback\r\nLocation: https://evil.example',
  NUL: 'https://app.example/callback\0',
  'two addresses': 'https://app.example/callback https://evil.example/',
  'a port of a confidential client on loopback': 'http://127.0.0.1:8080/callback',
  javascript: 'javascript:alert(1)//https://app.example/callback',
  data: 'data:text/html,<script>alert(1)</script>',
  '8 KB': `https://app.example/callback?${'x'.repeat(8192)}`,
} as const;

describe.each(['GET', 'POST'] as const)('%s', (method) => {
  test.each(Object.entries(spoilt))(
    'a redirect_uri with %s is not the registered one: the page says so and sends nobody anywhere (contract §3, security C1)',
    async (_name, redirectUri) => {
      const request = { ...requestOf(client), redirect_uri: redirectUri };

      const answer =
        method === 'GET'
          ? await openAuthorizePage(service, request, cookie)
          : await postForm(service, authorizePath, { ...request, action: 'allow' }, cookie);

      expectErrorPage(answer, redirectUri);
      expect(await grantsOf(service, client)).toEqual([]);
    },
  );
});

test('the registered address gets the page (contract §3)', async () => {
  const page = await openAuthorizePage(service, requestOf(client), cookie);

  expect(page.statusCode).toBe(200);
});

describe('a public client on loopback (RFC 8252 §7.3, contract §3)', async () => {
  const native = await addClient(service, {
    type: 'public',
    redirectUris: [
      'http://127.0.0.1/callback',
      'http://localhost/callback?from=app',
      'http://[::1]/callback',
      'http://localhost:9000/fixed',
      'https://app.example/callback',
    ],
  });

  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://127.0.0.1:65535/callback',
    'http://localhost:49152/callback?from=app',
    'http://[::1]:49152/callback',
    'http://localhost:9000/fixed',
  ])('may be answered at %s', async (redirectUri) => {
    const form = await openDecision(service, requestOf(native, { redirect_uri: redirectUri }), cookie);

    const answer = await postForm(service, authorizePath, { ...form, action: 'deny' }, cookie);

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer).address).toBe(redirectUri.replace('?from=app', ''));
  });

  test.each([
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:080/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:80a/callback',
    'http://127.0.0.1:8080/elsewhere',
    'http://127.0.0.1:8080/callback?from=app',
    'http://127.0.0.1:8080',
    'http://localhost:8080/callback',
    'http://localhost:9001/fixed',
    'http://localhost/fixed',
    'http://LOCALHOST:8080/callback?from=app',
    'http://evil@127.0.0.1/callback',
    'http://evil@127.0.0.1:8080/callback',
    'http://127.0.0.1:8080@evil.example/callback',
    'http://127.0.0.1:8080.evil.example/callback',
    'http://127.0.0.1.evil.example:8080/callback',
    'http://127.1:8080/callback',
    'http://127.0.0.2:8080/callback',
    'http://2130706433:8080/callback',
    'http://0.0.0.0:8080/callback',
    'http://[0:0:0:0:0:0:0:1]:8080/callback',
    'https://127.0.0.1:8080/callback',
    'https://app.example:8080/callback',
  ])('is not answered at %s', async (redirectUri) => {
    const request = requestOf(native, { redirect_uri: redirectUri });

    const answer = await openAuthorizePage(service, request, cookie);

    expectErrorPage(answer, redirectUri);
  });
});
