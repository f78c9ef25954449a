import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { faultOf } from '../support/page-content.ts';
import { clientsOf, findClientRow, register, registeredId } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await sharedService();
const owner = await addUser(service);
const cookie = await startSession(service, owner);

const good = 'https://desk.example/good';
const notPrintable = 'contains spaces or characters that must be percent-encoded.';
const notAbsolute = 'isn’t a full address such as https://app.example/callback.';
const fragment = 'can’t contain a fragment (#…).';
const userInfo = 'can’t contain a user name or password.';
const scheme = 'must start with https://, or be a private-use scheme such as com.example.app:/callback.';
const notLoopback = 'can use http only on localhost, 127.0.0.1 or [::1]. Use https.';
const confidential = 'can’t use a private-use scheme: only public apps can.';
const asBrowsersSend = (address: string): string => `is written ${address} by browsers. Write it that way.`;
const ownParameter = (name: string): string =>
  `can’t contain the parameter ${name}: our response adds its own.`;

/** One of each kind; `core/redirect-uri-check` has all addresses. */
const faults: readonly (readonly [type: ClientType, uri: string, fault: string])[] = [
  ['public', 'https://desk.example/a b', notPrintable],
  ['public', 'https://desk.example/\0', notPrintable],
  ['public', `https://desk.example/${'x'.repeat(1980)}`, 'is longer than 2000 characters.'],
  ['public', '/callback', notAbsolute],
  ['public', 'https://desk.example:99999/', notAbsolute],
  ['public', 'https://desk.example/callback#', fragment],
  ['public', 'https://user@desk.example/', userInfo],
  ['public', 'http://evil@127.0.0.1/callback', userInfo],
  ['public', 'javascript:alert(1)', scheme],
  ['public', 'http://desk.example/callback', notLoopback],
  ['confidential', 'com.example.app:/callback', confidential],
  ['public', 'https://DESK.example/', asBrowsersSend('https://desk.example/')],
  ['public', 'https://desk.example:443/', asBrowsersSend('https://desk.example/')],
  ['public', 'http://127.1/callback', asBrowsersSend('http://127.0.0.1/callback')],
  ['public', 'https://desk.example/?code=1', ownParameter('code')],
];

describe.each(faults)('for a %s client the address %j', (type, uri, fault) => {
  test(`is refused beside its row: it ${fault.slice(0, 60)} (contract §2)`, async () => {
    const answer = await register(service, cookie, { client_type: type, redirect_uris: `${good}\n${uri}` });

    expect(answer.statusCode).toBe(400);
    const [, named, said] =
      /^(\S.*?) ((?:isn’t|is|contains|must|can’t|can) .*)$/.exec(faultOf(answer, 'redirect_uris_2') ?? '') ??
      [];
    expect(said).toBe(fault);
    expect(named).toBe(
      uri.length > 60 ? `${uri.slice(0, 47)}…${uri.slice(-12)}` : uri.replaceAll(/\p{Cc}/gu, '\uFFFD'),
    );
    expect(await clientsOf(service, owner.id)).toEqual([]);
  });
});

test('every faulty address has its fault beside its row, and the first one has the focus (contract §2)', async () => {
  const uris = ['https://desk.example/#x', good, '', ' http://desk.example/', 'javascript:alert(1)'];

  const answer = await register(service, cookie, { redirect_uris: uris.join('\n') });

  const rows = ['', '_2', '_3', '_4'].map((row) => `redirect_uris${row}`);
  expect(rows.map((row) => faultOf(answer, row))).toEqual([
    `https://desk.example/#x ${fragment}`,
    undefined,
    `http://desk.example/ ${notLoopback}`,
    `javascript:alert(1) must start with https://.`,
  ]);
  expect(answer.body.match(/<input id="redirect_uris(?:_\d)?"[^>]* autofocus/g)).toHaveLength(1);
  expect(answer.body).toMatch(/<input id="redirect_uris"[^>]* autofocus/);
});

test.each([
  ['none', '', 'Enter at least one redirect URI.'],
  ['blank lines alone', ' \r\n\n ', 'Enter at least one redirect URI.'],
  [
    'eleven',
    Array.from({ length: 11 }, (_, index) => `https://desk.example/${index}`).join('\n'),
    'Enter up to 10 redirect URIs; these are 11.',
  ],
] as const)('%s is refused (contract §2)', async (_name, text, fault) => {
  const answer = await register(service, cookie, { redirect_uris: text });

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'redirect_uris')).toBe(fault);
});

test.each([
  ['confidential', 'https://desk.example:8443/a%2Fb/~me?x=a%20b&y='],
  ['confidential', `https://desk.example/${'x'.repeat(1979)}`],
  ['public', 'http://127.0.0.1/callback'],
  ['public', 'com.example.app:/callback'],
] as const)('a %s client may register %s (contract §2)', async (type, uri) => {
  const developer = await startSession(service, await addUser(service));

  const answer = await register(service, developer, { client_type: type, redirect_uris: uri });

  expect(answer.statusCode).toBe(303);
  expect(await findClientRow(service, registeredId(answer))).toMatchObject({ type, redirectUris: [uri] });
});

test('ten addresses may be registered, in their order (contract §2)', async () => {
  const uris = Array.from({ length: 10 }, (_, index) => `https://desk.example/${9 - index}`);
  const developer = await startSession(service, await addUser(service));

  const answer = await register(service, developer, { redirect_uris: uris.join('\r\n') });

  expect(await findClientRow(service, registeredId(answer))).toMatchObject({ redirectUris: uris });
});
