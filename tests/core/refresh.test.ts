import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/oauth/core/client.ts';
import type { GrantOfToken } from '../../src/oauth/core/grant.ts';
import { decideRefresh } from '../../src/oauth/core/refresh.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import {
  buildActiveGrant,
  buildClient,
  buildIssuedGrant,
  lifetimes,
  noon,
  secondsAfter,
  wordsOf,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const rules = { lifetimes, rules: rulesOf(scopeNames), now: noon };

const clients = { confidential: buildClient('confidential'), public: buildClient('public') } as const;
const day = 86_400;

function present(client: Client, grant: GrantOfToken, generation: number, now: Date): string {
  return wordsOf(decideRefresh({ client, grant, generation, scope: undefined, jkt: null, ...rules, now }));
}

const invalid = (kind: string) => `refuse: invalid_refresh_token (${kind})`;
const theft = 'theft: invalid_refresh_token (refresh_token_spent)';
/** A confidential client's spent token is no theft: it came with the secret. */
const spent = { confidential: invalid('refresh_token_spent'), public: theft } as const;
const [unused, tooOld] = [invalid('refresh_token_unused'), invalid('refresh_token_too_old')];

test.each(['confidential', 'public'] as const)(
  'the current token of a %s client rotates (RFC 6749 §6)',
  (type) => {
    const grant = buildActiveGrant(clients[type], { generation: 4 });

    expect(present(clients[type], grant, 4, noon)).toBe('rotate to 5');
  },
);

test.each([
  ['confidential', 0, 'repeat to 4'],
  ['confidential', day, 'repeat to 4'],
  ['confidential', day + 0.001, spent.confidential],
  ['public', 0, 'repeat to 4'],
  ['public', 60, 'repeat to 4'],
  ['public', 60.001, theft],
  ['public', day, theft],
] as const)(
  'the token before, of a %s client, %d s after the rotation: %s (contract §4)',
  (type, seconds, expected) => {
    const grant = buildActiveGrant(clients[type], { generation: 4 });

    expect(present(clients[type], grant, 3, secondsAfter(noon, seconds))).toBe(expected);
  },
);

test.each([
  ['confidential', 1],
  ['confidential', 2],
  ['public', 1],
  ['public', 2],
] as const)(
  'of a %s client, generation %d of a grant at 4 is spent even within the window (RFC 9700 §4.14.2, contract §4)',
  (type, generation) => {
    const grant = buildActiveGrant(clients[type], { generation: 4 });

    expect(present(clients[type], grant, generation, noon)).toBe(spent[type]);
  },
);

test('the window counts from the last rotation, not from the exchange (contract §4)', () => {
  const rotatedAt = secondsAfter(noon, 20 * day);
  const grant = buildActiveGrant(clients.public, { generation: 4, rotatedAt });

  expect(present(clients.public, grant, 3, secondsAfter(rotatedAt, 60))).toBe('repeat to 4');
});

test('five rotations in one tick of the clock are told apart: the last two tokens live, the others are theft (contract §4)', () => {
  const grants = [1, 2, 3, 4, 5, 6].map((generation) => buildActiveGrant(clients.public, { generation }));

  const rotations = grants.map((grant) => present(clients.public, grant, grant.generation, noon));
  const replays = [1, 2, 3, 4, 5, 6].map((generation) =>
    present(clients.public, grants.at(-1), generation, noon),
  );

  expect(rotations).toEqual([2, 3, 4, 5, 6, 7].map((generation) => `rotate to ${generation}`));
  expect(replays).toEqual([theft, theft, theft, theft, 'repeat to 6', 'rotate to 7']);
});

test.each([
  [30 * day - 0.001, 'rotate to 3'],
  [30 * day, unused],
])('unused for %d s of at most 30 days: %s (contract §1)', (seconds, expected) => {
  const redeemedAt = secondsAfter(noon, -10 * day);
  const grant = buildActiveGrant(clients.confidential, { generation: 2, redeemedAt });

  expect(present(clients.confidential, grant, 2, secondsAfter(noon, seconds))).toBe(expected);
});

test.each([
  [365 * day - 0.001, 'rotate to 3'],
  [365 * day, tooOld],
])('%d s after the exchange, of at most 365 days, however busy: %s (contract §1)', (seconds, expected) => {
  const now = secondsAfter(noon, seconds);
  const grant = buildActiveGrant(clients.confidential, { generation: 2, rotatedAt: secondsAfter(now, -1) });

  expect(present(clients.confidential, grant, 2, now)).toBe(expected);
});

test.each([
  [365 * day - 0.001, 'rotate to 3'],
  [365 * day, tooOld],
])(
  '%d s after the click that remembered consent repeats, however young the exchange: %s (contract §3, security C215)',
  (seconds, expected) => {
    const approvedAt = secondsAfter(noon, -seconds);
    const grant = buildActiveGrant(clients.confidential, { generation: 2, approvedAt });

    expect(present(clients.confidential, grant, 2, noon)).toBe(expected);
  },
);

test('an old token of a grant that is long dead is refused, not theft (contract §4)', () => {
  const grant = buildActiveGrant(clients.confidential, { generation: 4 });

  expect(present(clients.confidential, grant, 1, secondsAfter(noon, 30 * day))).toBe(unused);
  expect(present(clients.confidential, grant, 3, secondsAfter(noon, 30 * day))).toBe(unused);
});

test.each([4, 3, 1])(
  "another client's token, generation %d of 4, is refused and revokes nothing (RFC 6749 §6)",
  (generation) => {
    const grant = buildActiveGrant(buildClient('public', { id: 'another-client' }), { generation: 4 });

    expect(present(clients.public, grant, generation, secondsAfter(noon, 61))).toBe(
      invalid('refresh_token_of_another_client'),
    );
  },
);

test.each([
  ['that speaks for no grant', undefined, 1, 'token_unreadable'],
  ['whose grant was deleted', 'gone', 1, 'grant_gone'],
  ['of a revoked grant', buildActiveGrant(clients.public, { revokedAt: noon }), 1, 'grant_revoked'],
  [
    'spent long ago, of a revoked grant',
    buildActiveGrant(clients.public, { generation: 4, revokedAt: noon }),
    1,
    'grant_revoked',
  ],
  ['two ahead of a grant whose code was not exchanged', buildIssuedGrant(clients.public), 2, 'grant_gone'],
  [
    'of generation 0 of a grant whose code was not exchanged',
    buildIssuedGrant(clients.public),
    0,
    'grant_gone',
  ],
  ['two ahead of its grant', buildActiveGrant(clients.public, { generation: 4 }), 6, 'grant_gone'],
] as const)(
  'a refresh token %s is refused as invalid_refresh_token, and its cause says why (contract §4)',
  (_, grant, generation, kind) => {
    expect(present(clients.public, grant, generation, noon)).toBe(invalid(kind));
  },
);

describe.each(['confidential', 'public'] as const)(
  'after a failover that lost the last refresh of a %s client',
  (type) => {
    const grant = buildActiveGrant(clients[type], { generation: 4 });

    test('the newest token, one generation ahead, rotates to the next (contract §4)', () => {
      expect(present(clients[type], grant, 5, noon)).toBe('rotate to 6');
    });

    test('the one before gives the newest again, so that the chain stays one (contract §4)', () => {
      expect(present(clients[type], grant, 4, noon)).toBe('rotate to 5');
    });

    test('the first token goes on although its exchange was lost, within the lifetimes since the approval (contract §4)', () => {
      const unredeemed = buildIssuedGrant(clients[type]);

      expect(present(clients[type], unredeemed, 1, noon)).toBe('rotate to 2');
      expect(present(clients[type], unredeemed, 1, secondsAfter(noon, 30 * day))).toBe(unused);
    });

    test.each([
      [{ revokedAt: noon }, noon, invalid('grant_revoked')],
      [{}, secondsAfter(noon, 30 * day), unused],
      [{ redeemedAt: secondsAfter(noon, -365 * day) }, noon, tooOld],
    ])('a grant with %j stays ended at %s: %s (contract §4)', (changes, now, words) => {
      const ended = buildActiveGrant(clients[type], { generation: 4, ...changes });

      expect(present(clients[type], ended, 5, now)).toBe(words);
    });
  },
);

const old = { redeemedAt: secondsAfter(noon, -365 * day) };
const times = { generationsAgo: 3, rotatedSecondsAgo: 90 };

test.each([
  ['confidential', 90, {}, { kind: 'refresh_token_spent', ...times, retrySeconds: day, revokes: false }],
  ['public', 90, {}, { kind: 'refresh_token_spent', ...times, retrySeconds: 60, revokes: true }],
  ['public', 90, { revokedAt: noon }, { kind: 'grant_revoked', by: null, secondsAgo: 90 }],
  ['public', 30 * day, {}, { kind: 'refresh_token_unused', lifetimeSeconds: 30 * day }],
  ['public', 0, old, { kind: 'refresh_token_too_old', lifetimeSeconds: 365 * day }],
] as const)(
  'the cause tells the owner of a %s client, %d s after noon, all that matters of %j: %j',
  (type, seconds, changes, cause) => {
    const grant = buildActiveGrant(clients[type], { generation: 4, ...changes });
    const presented = { client: clients[type], grant, generation: 1, scope: undefined, jkt: null };
    const decision = decideRefresh({ ...presented, ...rules, now: secondsAfter(noon, seconds) });

    expect(decision).toMatchObject({ refusal: { detail: cause.kind } });
    expect('refusal' in decision && decision.refusal.cause).toStrictEqual(cause);
  },
);
