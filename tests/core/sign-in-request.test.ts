import { expect, test } from 'vitest';
import {
  afterSignIn,
  findSignInFault,
  isSilent,
  readSignInRequest,
  takesNewSignIn,
} from '../../src/oauth/core/sign-in-request.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import { buildRequest, noon, secondsAfter } from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const known = [...scopeNames, 'openid', 'profile', 'email'];
const own = {
  nonce: 'n',
  loginHint: 'ann@example.com',
  idTokenHint: 'a.b.c',
  request: 'a.b.c',
  requestUri: 'https://app.example/request',
};

test.each([
  ['asked for by name', 'openid', ['openid', 'email'], known, true],
  ['with the rest', 'openid email BOOKING_READ', ['openid', 'email', 'BOOKING_READ'], known, true],
  ['without a scope, which means all', undefined, ['openid', 'BOOKING_READ'], known, true],
  ['registered, but not asked for', 'BOOKING_READ', ['openid', 'BOOKING_READ'], known, false],
  ['not registered', 'openid', ['BOOKING_READ'], known, false],
  ['of full access', 'openid', 'all', known, false],
  ['not known here', 'openid', ['openid', 'BOOKING_READ'], scopeNames, false],
] as const)(
  'openid, %s: scope %j of an app with %j (OpenID Connect Core, section 3.1.2.1, contract §3)',
  (_name, scope, scopes, here, isSignIn) => {
    const request = buildRequest({ scope, ...own });

    const read = readSignInRequest(request, { scopes }, rulesOf(here));

    expect(read.isSignIn).toBe(isSignIn);
    expect(read.request).toEqual(isSignIn ? request : buildRequest({ scope }));
  },
);

test.each([
  [{}, undefined],
  [{ nonce: 'x'.repeat(512), prompt: 'login consent', maxAge: '0' }, undefined],
  [{ prompt: 'none' }, undefined],
  [{ maxAge: '2147483647' }, undefined],
  [{ nonce: 'x'.repeat(513) }, 'parameter_malformed'],
  [{ maxAge: '-1' }, 'parameter_malformed'],
  [{ maxAge: 'ten' }, 'parameter_malformed'],
  [{ maxAge: '1e3' }, 'parameter_malformed'],
  [{ prompt: 'none login' }, 'parameter_malformed'],
  [{ prompt: 'login none' }, 'parameter_malformed'],
  [{ scope: 'openid' }, 'response_type_missing'],
  [{ scope: 'openid', responseType: 'code' }, undefined],
  [{ request: 'a.b.c' }, 'request_not_supported'],
  [{ requestUri: 'https://app.example/request' }, 'request_uri_not_supported'],
] as const)('%j is answered with %s (OpenID Connect Core, section 3.1.2.6)', (changes, fault) => {
  expect(findSignInFault(buildRequest(changes))).toBe(fault);
});

test.each([
  ['openid', {}, 'ignored'],
  ['openid BOOKING_READ', {}, 'ignored'],
  ['openid', { nonce: 'n' }, 'refused'],
  ['openid', { idTokenHint: 'a.b.c' }, 'refused'],
  ['openid', { prompt: 'none' }, 'refused'],
  ['openid', { prompt: 'login' }, 'ignored'],
  ['BOOKING_READ', { nonce: 'n' }, undefined],
] as const)(
  'of an app without openid, scope %j with %j: what it lacks is %s (OpenID Connect Core, section 3.1.2.6)',
  (scope, sent, missing) => {
    const request = buildRequest({ scope, ...sent });
    const { missingOpenid } = readSignInRequest(request, { scopes: ['BOOKING_READ'] }, rulesOf(known));

    expect(missingOpenid).toBe(missing);
  },
);

test.each([undefined, { scopes: ['SCHEDULE_READ'] }])(
  'a request of %j that gets nothing is no sign-in, and lacks nothing',
  (client) => {
    const read = readSignInRequest(buildRequest({ scope: 'BOOKING_READ', ...own }), client, rulesOf(known));

    expect(read).toStrictEqual({ request: buildRequest({ scope: 'BOOKING_READ' }), isSignIn: false });
    expect(
      readSignInRequest(buildRequest({ scope: 'openid' }), undefined, rulesOf(known)),
    ).not.toHaveProperty('missingOpenid');
  },
);

const signedInAt = secondsAfter(noon, -60);

test.each([
  [{}, false],
  [{ prompt: 'consent' }, false],
  [{ prompt: 'login' }, true],
  [{ prompt: 'consent login' }, true],
  [{ maxAge: '0' }, true],
  [{ maxAge: '59' }, true],
  [{ maxAge: '60' }, true],
  [{ maxAge: '61' }, false],
  [{ maxAge: '9'.repeat(2048) }, false],
  [{ prompt: 'none', maxAge: '59' }, true],
] as const)(
  'a minute after the sign-in, %j takes a new one: %s (OpenID Connect Core, section 3.1.2.3)',
  (changes, isTaken) => {
    expect(takesNewSignIn(buildRequest(changes), signedInAt, noon)).toBe(isTaken);
  },
);

test.each([
  [{}, {}],
  [
    { maxAge: '3600', nonce: 'n' },
    { maxAge: '3600', nonce: 'n' },
  ],
  [
    { prompt: 'login', nonce: 'n' },
    { maxAge: '300', nonce: 'n' },
  ],
  [{ prompt: 'login consent' }, { prompt: 'consent', maxAge: '300' }],
  [{ prompt: 'x login consent' }, { prompt: 'x consent', maxAge: '300' }],
  [{ prompt: 'login', maxAge: '3600' }, { maxAge: '300' }],
  [{ maxAge: '0' }, { maxAge: '300' }],
] as const)(
  'after the sign-in that it takes, %j is %j, which a sign-in of this moment answers (contract §3)',
  (changes, after) => {
    const returned = afterSignIn(buildRequest(changes));

    expect(returned).toEqual(buildRequest(after));
    expect(takesNewSignIn(returned, noon, noon)).toBe(false);
  },
);

test.each([
  { maxAge: '-1' },
  { maxAge: '0x10' },
  { maxAge: '0.5', prompt: 'login' },
  { maxAge: '0', request: 'a' },
])(
  'the sign-in mends no faulty request: %j stays one, of which the client hears (contract §3)',
  (changes) => {
    const request = buildRequest(changes);

    expect(afterSignIn(request)).toEqual(request);
  },
);

test('none alone asks for no page (OpenID Connect Core, section 3.1.2.1)', () => {
  expect(
    ['none', undefined, 'login', 'nonesuch'].map((prompt) => isSilent(buildRequest({ prompt }))),
  ).toEqual([...[true, false, false, false]]);
});
