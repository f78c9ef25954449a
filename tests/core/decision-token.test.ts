import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AuthorizationRequest } from '../../src/oauth/core/authorization.ts';
import { webCryptoMac } from '../../src/oauth/core/crypto.ts';
import { issueDecision, readDecision, type ShownRequest } from '../../src/oauth/core/decision-token.ts';
import { challenge, mac, noon, otherMac, secondsAfter } from '../support/core-builders.ts';

const grantId = '0f8fad5b-d9cb-469f-a165-70867728950e';

const request: AuthorizationRequest = {
  clientId: 'client-public',
  redirectUri: 'https://app.example/cb',
  responseType: 'code',
  responseMode: 'query',
  state: 'xyz',
  scope: 'PROFILE_READ',
  resource: 'https://api.example',
  codeChallenge: challenge,
  codeChallengeMethod: 'S256',
  dpopJkt: challenge,
  teamSlug: 'support',
  prompt: 'login',
  maxAge: '0',
  uiLocales: 'fr',
  nonce: 'a nonce',
  loginHint: 'ann@example.com',
  idTokenHint: 'a.b.c',
  request: 'a.b.c',
  requestUri: 'https://app.example/request',
};
const shown: ShownRequest = { sessionName: 'session-1', request, scopes: ['PROFILE_READ'] };

const notBound = { ok: false, reason: 'decision_not_bound' };

test('a decision on what was shown gives the id of the grant that it makes (contract §3)', async () => {
  const decision = await issueDecision(shown, grantId, noon, mac);

  expect(await readDecision(decision, shown, noon, mac)).toEqual({ ok: true, value: { grantId } });
});

test('one page sent twice names the same grant, two pages name two: both tabs work (contract §3)', async () => {
  const otherId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const decisions = [
    await issueDecision(shown, grantId, noon, mac),
    await issueDecision(shown, otherId, noon, mac),
  ];

  const read = await Promise.all(
    [...decisions, ...decisions].map((text) => readDecision(text, shown, noon, mac)),
  );

  expect(read).toEqual(
    [grantId, otherId, grantId, otherId].map((id) => ({ ok: true, value: { grantId: id } })),
  );
});

test('a decision goes into a form as it is: base64url, unpadded (contract §3)', async () => {
  expect(await issueDecision(shown, grantId, noon, mac)).toMatch(/^[A-Za-z0-9_-]+$/);
});

/** Another value for each field: a field that is missing here does not compile. */
const others = {
  clientId: 'client-other',
  redirectUri: 'https://app.example/other',
  responseType: 'token',
  responseMode: 'fragment',
  state: 'xyz ',
  scope: 'BOOKING_WRITE',
  resource: 'https://api.example https://notes.example',
  codeChallenge: 'x'.repeat(43),
  codeChallengeMethod: 'plain',
  dpopJkt: 'y'.repeat(43),
  teamSlug: 'sales',
  prompt: 'consent',
  maxAge: '60',
  uiLocales: 'de',
  nonce: 'another nonce',
  loginHint: 'bob@example.com',
  idTokenHint: 'd.e.f',
  request: 'd.e.f',
  requestUri: 'https://app.example/other',
} as const satisfies Record<keyof AuthorizationRequest, string>;

const changes = Object.entries(others).flatMap(([field, other]) => [
  [`with another ${field}`, { ...shown, request: { ...request, [field]: other } }] as const,
  [`with an empty ${field}`, { ...shown, request: { ...request, [field]: '' } }] as const,
  [`without ${field}`, { ...shown, request: { ...request, [field]: undefined } }] as const,
]);

test.each([
  ...changes,
  ['in another session', { ...shown, sessionName: 'session-2' }] as const,
  ['with wider scopes', { ...shown, scopes: ['PROFILE_READ', 'BOOKING_WRITE'] }] as const,
  ['with no scopes', { ...shown, scopes: [] }] as const,
] satisfies readonly (readonly [string, ShownRequest])[])(
  'a decision sent %s is refused (RFC 9700 §4.7)',
  async (_, sent) => {
    const decision = await issueDecision(shown, grantId, noon, mac);

    expect(await readDecision(decision, sent, noon, mac)).toEqual(notBound);
  },
);

test('an absent field is not an empty one (RFC 9700 §4.7)', async () => {
  const bare: ShownRequest = { ...shown, request: { ...request, state: undefined } };
  const decision = await issueDecision(bare, grantId, noon, mac);

  expect(await readDecision(decision, bare, noon, mac)).toMatchObject({ ok: true });
  expect(await readDecision(decision, { ...bare, scopes: [] }, noon, mac)).toEqual(notBound);
  const emptyState = { ...bare, request: { ...request, state: '' } };
  expect(await readDecision(decision, emptyState, noon, mac)).toEqual(notBound);
});

test('text cannot move from one field to its neighbour, whatever it is (RFC 9700 §4.7)', async () => {
  const anyText = fc.string({ unit: 'binary' });
  await fc.assert(
    fc.asyncProperty(anyText, anyText, anyText, async (state, scope, teamSlug) => {
      const one = { ...shown, request: { ...request, state: state + scope, scope: teamSlug } };
      const other = { ...shown, request: { ...request, state, scope: scope + teamSlug } };
      fc.pre(one.request.state !== state);
      const decision = await issueDecision(one, grantId, noon, mac);

      expect(await readDecision(decision, other, noon, mac)).toEqual(notBound);
    }),
  );
});

test.each([
  [0, { ok: true, value: { grantId } }],
  [3600, { ok: true, value: { grantId } }],
  [3600.001, { ok: false, reason: 'decision_too_old' }],
])('a decision on a page shown %d s ago, of at most one hour, is answered %j', async (seconds, expected) => {
  const decision = await issueDecision(shown, grantId, noon, mac);

  expect(await readDecision(decision, shown, secondsAfter(noon, seconds), mac)).toEqual(expected);
});

test('a decision that is too old and not bound does not tell its age (contract §3)', async () => {
  const decision = await issueDecision(shown, grantId, noon, mac);
  const later = secondsAfter(noon, 3601);

  expect(await readDecision(decision, { ...shown, sessionName: 'session-2' }, later, mac)).toEqual(notBound);
});

test('a decision with any bit flipped is refused: id, instant or MAC (contract §3)', async () => {
  const bytes = Buffer.from(await issueDecision(shown, grantId, noon, mac), 'base64url');
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
      const flipped = bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

      const read = await readDecision(Buffer.from(flipped).toString('base64url'), shown, noon, mac);

      expect(read).toEqual(notBound);
    }),
  );
});

test('a decision cut off anywhere is refused (contract §3)', async () => {
  const decision = await issueDecision(shown, grantId, noon, mac);
  const cuts = Array.from({ length: decision.length }, (_, length) => decision.slice(0, length));

  const read = await Promise.all(cuts.map((cut) => readDecision(cut, shown, noon, mac)));

  expect(read).toEqual(cuts.map(() => notBound));
});

test('text that is no decision is refused (contract §3)', async () => {
  const decision = await issueDecision(shown, grantId, noon, mac);
  const texts = [
    '',
    'x',
    '!',
    `${decision}=`,
    `${decision}A`,
    ` ${decision}`,
    `${decision}\n`,
    'A'.repeat(8192),
  ];

  const read = await Promise.all(texts.map((text) => readDecision(text, shown, noon, mac)));

  expect(read).toEqual(texts.map(() => notBound));
});

test('a decision made under another secret is refused, one made under a former secret is taken (contract §1)', async () => {
  const former = webCryptoMac(['the former root secret, long enough too']);
  const both = webCryptoMac([
    'the newest root secret, as long as it must be',
    'the former root secret, long enough too',
  ]);
  const decision = await issueDecision(shown, grantId, noon, former);

  expect(await readDecision(decision, shown, noon, otherMac)).toEqual(notBound);
  expect(await readDecision(decision, shown, noon, both)).toMatchObject({ ok: true });
});
