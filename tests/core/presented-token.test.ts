import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { keysOfJwks, webCryptoSigner } from '../../src/oauth/core/access-token.ts';
import { type Client, type ClientWithSecrets, hashClientSecret } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import type { TokenIssuer } from '../../src/oauth/core/ports.ts';
import {
  answerIntrospection,
  answerRevocation,
  type TokenVerifier,
} from '../../src/oauth/core/presented-token.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { issueTokens } from '../../src/oauth/core/token-request.ts';
import { memoryStore } from '../../src/oauth/memory.ts';
import { rulesOf } from '../../src/oauth/own-scopes.ts';
import {
  buildActiveGrant,
  buildClient,
  lifetimes,
  mac,
  noon,
  secondsAfter,
} from '../support/core-builders.ts';
import { scopeNames } from '../support/scopes.ts';

const [api, notes, gone] = ['https://api.example', 'https://notes.example', 'https://gone.example'];
const scopes = ['PROFILE_READ', 'BOOKING_WRITE'];
const hash = await hashClientSecret('secret', webCryptoHash);
const secrets = [{ id: 'secret-1', hash }];
const { privateKey, publicKey } = await generateKeyPair('ES256');
const issuer: TokenIssuer = {
  ...rulesOf(scopeNames),
  issuer: 'https://id.example',
  resources: [api, notes],
  signer: () => webCryptoSigner('key', privateKey),
  mac,
  randomBytes: (length) => new Uint8Array(length),
};
const keys = keysOfJwks({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key' }] });
const app = buildClient('confidential', { id: 'app', scopes });
const mobile = buildClient('public', { id: 'mobile', scopes });
const day = 24 * 3600;

/** What is true when a token is presented. Nothing said: the app presents its own, a minute after it was issued. */
interface Setting {
  readonly by?: string;
  readonly secret?: string | undefined;
  /** The app as it is by now, or undefined if it was deleted. */
  readonly owner?: Partial<Client> | undefined;
  readonly grant?: Partial<Grant>;
  readonly isForgotten?: boolean;
  readonly token?: (tokens: Tokens) => string;
  /** What the access token gives and for whom, if not all. */
  readonly access?: { readonly scopes?: readonly Scope[]; readonly aud?: string[]; readonly jkt?: string };
  readonly after?: number;
  readonly changes?: Partial<TokenVerifier>;
}

type Tokens = Readonly<Record<'access' | 'refresh' | 'spent' | 'code', string>>;
const access = ({ access: token }: Tokens) => token;
const refresh = ({ refresh: token }: Tokens) => token;
const spent = ({ spent: token }: Tokens) => token;
const kinds = [
  ['access token', access],
  ['refresh token', refresh],
] as const;

async function present(setting: Setting, answer: typeof answerIntrospection) {
  const { by = 'app', grant: changes = {}, isForgotten = false, token: choose = access } = setting;
  const owner: Client = { ...(changes.clientId === 'mobile' ? mobile : app), ...setting.owner };
  const others: readonly Client[] = [
    buildClient('confidential', { id: 'other' }),
    buildClient('confidential', { id: 'notes', resource: notes }),
    buildClient('confidential', { id: 'gone', resource: gone }),
  ];
  const isDeleted = 'owner' in setting && setting.owner === undefined;
  const clients = [...(isDeleted ? [] : [owner]), ...others].map(
    (one): ClientWithSecrets => ({ ...one, secrets }),
  );
  const kept = memoryStore(clients);
  const grant = buildActiveGrant(owner, { scopes, generation: 3, ...changes });
  if (!isForgotten) await kept.add(grant);
  const calls: string[] = [];
  const endpoint: TokenVerifier = {
    store: {
      find: (...named) => {
        calls.push('find');
        return kept.find(...named);
      },
      revoke: async ({ id }, reason, now) => {
        calls.push(`revoke: ${reason}`);
        await kept.revoke({ ...grant, id }, reason, now);
      },
    },
    issuer,
    lifetimes,
    hash: webCryptoHash,
    keys: () => keys,
    now: () => secondsAfter(noon, setting.after ?? 60),
    ...setting.changes,
  };
  const given = { scopes: setting.access?.scopes ?? scopes, resources: setting.access?.aud ?? null };
  const issued = { ...given, jkt: setting.access?.jkt ?? null };
  const { accessToken, refreshToken } = await issueTokens(issuer, grant, 3, issued, noon);
  const tokens = {
    access: accessToken,
    refresh: refreshToken,
    spent: await issueRefreshToken({ grantId: grant.id, generation: 2 }, mac),
    code: await issueCode(grant.id, mac),
  };
  const secret = 'secret' in setting ? setting.secret : 'secret';
  const answered = await answer(endpoint, { clientId: by, clientSecret: secret }, choose(tokens));
  const left = (await kept.find(owner.id, grant.id)).grant;
  return { answered, calls, grant, left, accessToken };
}

const introspect = (setting: Setting) => present(setting, answerIntrospection);
const active = { active: true, scope: 'PROFILE_READ BOOKING_WRITE', client_id: 'app', sub: '7' };
const bearer = { ...active, token_type: 'bearer', aud: api };
const narrowed = { owner: { scopes: ['BOOKING_READ', 'SCHEDULE_READ'] } };
const full: Setting = { owner: { scopes: 'all' }, grant: { scopes: 'all' }, access: { scopes: scopeNames } };
const ofMobile = { clientId: 'mobile', dpopJkt: 'thumbprint' };

test.each<readonly [string, Setting, object]>([
  ['its access token', {}, bearer],
  ['that of a team', { grant: { teamId: 3 } }, { ...bearer, team_id: 3 }],
  ['one with fewer scopes', { access: { scopes: ['BOOKING_READ'] } }, { ...bearer, scope: 'BOOKING_READ' }],
  ['what is left of one', narrowed, { ...bearer, scope: 'BOOKING_READ' }],
  ['one of full access', full, { ...bearer, scope: scopeNames.join(' ') }],
  [
    'one that is bound to a key',
    { access: { jkt: 'thumbprint' } },
    { ...bearer, token_type: 'DPoP', cnf: { jkt: 'thumbprint' } },
  ],
  ['one for several servers', { access: { aud: [api, notes] } }, { ...bearer, aud: [api, notes] }],
  [
    'one of another app for this server',
    { by: 'notes', access: { aud: [notes] } },
    { ...bearer, aud: notes },
  ],
  [
    'one of a public client, whose key is elsewhere',
    { by: 'notes', grant: ofMobile, access: { aud: [api, notes] } },
    { ...bearer, client_id: 'mobile', aud: [api, notes] },
  ],
])(
  'introspection tells of %s what it says and gives now (RFC 7662 §2.2, RFC 9449 §6.2)',
  async (_, setting, told) => {
    const { answered, calls, grant, left, accessToken } = await introspect(setting);
    const { iss, iat, exp, jti } = decodeJwt(accessToken);

    expect(answered).toStrictEqual({ ok: true, value: { ...told, iss, iat, exp, jti } });
    expect(calls).toEqual(['find', 'find']);
    expect(left).toEqual(grant);
  },
);

test.each<readonly [string, Setting, object]>([
  ['its refresh token', {}, { aud: api }],
  ['one that was spent, whose answer may have been lost', { token: spent }, { aud: api }],
  ['what is left of one', narrowed, { aud: api, scope: 'BOOKING_READ' }],
  ['one of full access', full, { aud: api, scope: scopeNames.join(' ') }],
  ['one for several servers', { grant: { resources: [api, notes] } }, { aud: [api, notes] }],
  ['one for servers that are still known', { grant: { resources: [notes, gone] } }, { aud: [notes] }],
  ['one that is a month old', { after: 30 * day - 1 }, { aud: api }],
])('introspection tells of %s what its successor would give (RFC 7662 §2.2)', async (_, setting, told) => {
  const { answered, calls, grant, left } = await introspect({ token: refresh, ...setting });

  expect(answered).toStrictEqual({ ok: true, value: { ...active, iss: 'https://id.example', ...told } });
  expect(calls).toEqual(['find']);
  expect(left).toEqual(grant);
});

const ended = { revokedAt: noon, revocationReason: 'user' } as const;

describe('introspection tells nothing but that it is inactive (RFC 7662 §2.2, security C95)', () => {
  test.each<readonly [string, Setting]>([
    ...kinds.flatMap(([kind, token]): (readonly [string, Setting])[] => [
      [`another client's ${kind}`, { by: 'other', token }],
      [`the ${kind} of another client, for a server that is none of ours`, { by: 'gone', token }],
      [`the ${kind} of a grant that was revoked`, { token, grant: ended }],
      [`the ${kind} of a grant that is gone`, { token, isForgotten: true }],
      [
        `the ${kind} of a grant whose year is over`,
        { token, grant: { redeemedAt: secondsAfter(noon, 61 - 365 * day - 1) } },
      ],
      [
        `the ${kind} that was unused for a month`,
        { token, grant: { rotatedAt: secondsAfter(noon, 60 - 30 * day) } },
      ],
      [
        `the ${kind} of which no scope is registered any more`,
        { token, owner: { scopes: ['SCHEDULE_READ'] } },
      ],
    ]),
    [
      "another app's refresh token for this server",
      { by: 'notes', token: refresh, grant: { resources: [notes] } },
    ],
    ["another app's access token for other servers", { by: 'notes', access: { aud: [api] } }],
    ['one for this server, which is known no more', { by: 'gone', access: { aud: [api, gone] } }],
    [
      'one for this server, of an app that was deleted',
      { by: 'notes', access: { aud: [notes] }, owner: undefined },
    ],
    [
      'one of an app that is pending',
      { by: 'notes', access: { aud: [notes] }, owner: { status: 'pending' } },
    ],
    ['an access token without scopes', { access: { scopes: [] } }],
    ['an access token that is half an hour old', { after: 1800 }],
    [
      'an access token of another issuer',
      { changes: { issuer: { ...issuer, issuer: 'https://b.example' } } },
    ],
    ['a refresh token for servers that are known no more', { token: refresh, grant: { resources: [gone] } }],
    ['a refresh token whose successor was used', { token: spent, grant: { generation: 4 } }],
    ['a code', { token: ({ code }) => code }],
    ['a random text', { token: () => 'unknown' }],
  ])('%s', async (_name, setting) => {
    const { answered, left, grant } = await introspect(setting);

    expect(answered).toStrictEqual({ ok: true, value: { active: false } });
    expect(left).toEqual(setting.isForgotten === true ? undefined : grant);
  });
});

describe.each(kinds)('a limit for one client and the grant of its %s (security C41, C95)', (_kind, token) => {
  test.each([
    [true, { ok: true }],
    [false, { reason: 'too_many_requests', detail: 'too many introspections of this grant' }],
  ])('allows: %s', async (isAllowed, answer) => {
    const counted: unknown[] = [];
    const introspectionLimit = {
      allows(...of: readonly string[]) {
        counted.push(of);
        return isAllowed;
      },
    };
    const { answered, grant } = await introspect({ token, changes: { introspectionLimit } });

    expect(answered).toMatchObject(answer);
    expect(counted).toEqual([['app', grant.id]]);
  });
});

const strangers = [
  ['unknown', { by: 'unknown' }, 'client_not_found'],
  ['with a wrong secret', { secret: 'wrong' }, 'invalid_client_credentials'],
  ['without a secret', { secret: undefined }, 'invalid_client_credentials'],
] as const;

test.each<readonly [string, Setting, string]>([
  ...strangers,
  ['public', { by: 'mobile', grant: { clientId: 'mobile' } }, 'invalid_client_credentials'],
  ['pending', { owner: { status: 'pending' } }, 'client_not_accepted'],
])(
  'a client that is %s may not introspect, whatever it presents (RFC 7662 §2.1, security C95)',
  async (_, setting, reason) => {
    for (const token of [access, refresh]) {
      const { answered } = await introspect({ ...setting, token });
      expect(answered).toMatchObject({ ok: false, reason });
    }
  },
);

describe.each(kinds)('revocation by the %s (RFC 7009 §2, contract §7)', (_kind, token) => {
  const done = { ok: true, value: {} };
  const untouched: Partial<Grant> = { revokedAt: null };
  const revoked: Partial<Grant> = { revokedAt: secondsAfter(noon, 60), revocationReason: 'client' };

  test.each<readonly [string, Setting, object, object]>([
    ['ends the grant of its client', {}, done, revoked],
    [
      'ends that of a public client',
      { by: 'mobile', secret: undefined, grant: { clientId: 'mobile' } },
      done,
      revoked,
    ],
    ['ends that of a rejected client', { owner: { status: 'rejected' } }, done, revoked],
    ['leaves the first reason', { grant: ended }, done, ended],
    ["leaves another client's alone, and does not say so", { by: 'other' }, done, untouched],
    [
      "leaves another client's alone, whose server asks",
      { by: 'notes', access: { aud: [notes] } },
      done,
      untouched,
    ],
    ...strangers.map(
      ([name, setting, reason]) =>
        [`is refused to a client that is ${name}`, setting, { ok: false, reason }, untouched] as const,
    ),
  ])('%s', async (_name, setting, answer, left) => {
    const presented = await present({ ...setting, token }, answerRevocation);

    expect(presented.answered).toMatchObject(answer);
    expect(presented.left).toMatchObject(left);
  });

  test('of a grant that is gone is no failure, as little as that of another text (RFC 7009 §2.2)', async () => {
    for (const setting of [
      { token, isForgotten: true },
      { token: () => 'unknown' },
      { token: ({ code }: Tokens) => code },
    ])
      expect(await present(setting, answerRevocation)).toMatchObject({
        answered: done,
        calls: expect.not.arrayContaining(['revoke: client']),
      });
  });
});
