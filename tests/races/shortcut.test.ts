import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import type { ClientType, ReviewStatus } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { issueDpopNonce } from '../../src/oauth/core/dpop.ts';
import type { TokenEndpoint, TokenRequest } from '../../src/oauth/core/ports.ts';
import { issueRefreshToken, readRefreshToken } from '../../src/oauth/core/refresh.ts';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { answerTokenRequest } from '../../src/oauth/core/token-request.ts';
import { revokeGrant } from '../../src/oauth/revocation/store.ts';
import { clientSecrets, clients, grants } from '../../src/oauth/tables.ts';
import { createShortcut } from '../../src/oauth/token/shortcut.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import { nodeHash } from '../../src/platform/runtime.ts';
import { challenge, lifetimes, mac, noon, secondsAfter, verifier } from '../support/core-builders.ts';
import { createDpopKey, signProof } from '../support/dpop.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const manager = await addUser(service);
const member = await addUser(service);
const team = await addTeam(service, manager);
const day = 86_400;
const url = 'https://api.example/token';
const keys = { own: createDpopKey(), another: createDpopKey() };
const nonce = await issueDpopNonce(mac, noon);
const iat = noon.getTime() / 1000;
const proofs = {
  none: undefined,
  own: signProof(keys.own, { jti: 'own', htm: 'POST', htu: url, iat, nonce }),
  another: signProof(keys.another, { jti: 'another', htm: 'POST', htu: url, iat, nonce }),
  'without nonce': signProof(keys.own, { jti: 'own', htm: 'POST', htu: url, iat }),
  invalid: 'invalid',
} as const;

const plain: TokenEndpoint = {
  store: {
    ...tokenStore(db),
    revoke: ({ id }, reason, now) => revokeGrant({ db, parts: [] }, id, reason, systemContext(now)),
  },
  issuer: {
    issuer: 'https://id.example',
    resources: ['https://api.example', 'https://notes.example'],
    scopes: scopeNames,
    signer: () => ({ keyId: 'key', sign: () => new Uint8Array(64) }),
    mac,
    randomBytes: (length) => new Uint8Array(length),
  },
  lifetimes,
  hash: nodeHash,
  url,
  now: () => noon,
};
const withShortcut: TokenEndpoint = { ...plain, shortcut: createShortcut(db, lifetimes, scopeNames) };

const scopes = fc.constantFrom<readonly Scope[] | null>(
  null,
  null,
  ['PROFILE_READ', 'BOOKING_WRITE'],
  ['BOOKING_READ'],
  ['SCHEDULE_READ'],
);

/** What usual requests differ in. */
const usual = {
  type: fc.constantFrom<ClientType>('confidential', 'public'),
  registered: scopes,
  granted: scopes,
  generation: fc.constantFrom(0, 1, 2),
  hasChallenge: fc.boolean(),
  proof: fc.constantFrom<keyof typeof proofs>(
    ...(['none', 'none', 'none', 'none', 'own', 'own', 'another', 'without nonce', 'invalid'] as const),
  ),
};

/** What else a decision depends on (contract §4); ages are in seconds. */
interface Faults {
  readonly status: ReviewStatus;
  readonly secret: 'right' | 'wrong' | 'none' | 'deleted';
  /** Generations after the current one. */
  readonly presented: number;
  readonly kind: 'fitting' | 'code' | 'refresh_token';
  readonly issuedAgo: number;
  readonly redeemedAgo: number;
  readonly rotatedAgo: number;
  readonly isRevoked: boolean;
  /** Seconds from the approval to a suspension of the client, which was accepted again. */
  readonly suspendedAfter: number | undefined;
  readonly verifier: 'fitting' | 'wrong' | 'none' | 'malformed';
  readonly redirectUri: string;
  readonly client: 'own' | 'another' | 'unknown' | 'malformed';
  readonly team: 'none' | 'managed' | 'not managed';
  readonly scope: string | undefined;
  readonly resource: string | undefined;
  readonly resources: readonly string[] | null;
  readonly boundTo: keyof typeof keys | undefined;
  readonly isGone: boolean;
}

const right: Faults = {
  status: 'accepted',
  secret: 'right',
  presented: 0,
  kind: 'fitting',
  issuedAgo: 30,
  redeemedAgo: 20,
  rotatedAgo: 10,
  isRevoked: false,
  suspendedAfter: undefined,
  verifier: 'fitting',
  redirectUri: 'https://app.example/callback',
  client: 'own',
  team: 'none',
  scope: undefined,
  resource: undefined,
  resources: null,
  boundTo: undefined,
  isGone: false,
};

const faults: { readonly [Name in keyof Faults]: readonly Faults[Name][] } = {
  status: ['pending', 'rejected'],
  secret: ['wrong', 'none', 'deleted'],
  presented: [-1, -2, 1, 2],
  kind: ['code', 'refresh_token'],
  issuedAgo: [59, 60, 61],
  redeemedAgo: [364 * day, 365 * day, 366 * day],
  rotatedAgo: [59, 61, day - 1, day + 1, 30 * day - 1, 30 * day, 31 * day],
  isRevoked: [true],
  suspendedAfter: [-1, 0, 1],
  verifier: ['wrong', 'none', 'malformed'],
  redirectUri: ['https://app.example/other', '\ud800'],
  client: ['another', 'unknown', 'malformed'],
  team: ['managed', 'not managed'],
  scope: ['BOOKING_READ', 'EVENT_TYPE_WRITE'],
  resource: ['https://api.example/v2', 'https://notes.example', 'https://evil.example'],
  resources: [
    ['https://notes.example'],
    ['https://api.example', 'https://notes.example'],
    ['https://unlisted.example'],
  ],
  boundTo: ['own', 'another'],
  isGone: [true],
};

/** At most two faults: with more, hardly a request would get as far as the last check. */
const scene = fc
  .record({
    common: fc.record(usual),
    faulty: fc.record(
      Object.fromEntries(Object.entries(faults).map(([name, values]) => [name, fc.constantFrom(...values)])),
    ),
    names: fc.subarray(Object.keys(faults), { maxLength: 2 }),
  })
  .map(({ common, faulty, names }) => {
    const wrong = Object.entries(faulty).filter(([name]) => names.includes(name));
    return { ...common, ...right, ...Object.fromEntries(wrong) };
  });
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

/** Each fault alone, of an exchange and a refresh, by a client of either type. */
const singleFaults: readonly Scene[] = Object.entries(faults).flatMap(([name, values]) =>
  values.flatMap((value) =>
    (['confidential', 'public'] as const).flatMap((type) =>
      ([0, 2] as const).map((generation) => ({
        ...{ type, generation, registered: null, granted: null, hasChallenge: true, proof: 'none' as const },
        ...{ ...right, [name]: value },
      })),
    ),
  ),
);

/** Puts the scene into the database: its grant, and the request. */
async function set(it: Scene) {
  const client = await addClient(service, { type: it.type, scopes: it.registered });
  const ago = (seconds: number): Date => secondsAfter(noon, -seconds);
  const grantsEndedAt = it.suspendedAfter === undefined ? null : ago(it.issuedAgo - it.suspendedAfter);
  await db.update(clients).set({ status: it.status, grantsEndedAt }).where(eq(clients.id, client.id));
  if (it.secret === 'deleted')
    await db.update(clientSecrets).set({ deletedAt: noon }).where(eq(clientSecrets.clientId, client.id));
  const id = randomUUID();
  const { generation } = it;
  const user = it.team === 'not managed' ? member : manager;
  const row = {
    id,
    clientId: client.id,
    userId: user.id,
    teamId: it.team === 'none' ? null : team.id,
    scopes: it.granted === null ? null : [...it.granted],
    resources: it.resources,
    redirectUri: 'https://app.example/callback',
    codeChallenge: it.hasChallenge ? challenge : null,
    dpopJkt: it.boundTo === undefined ? null : keys[it.boundTo].jkt,
    generation,
    issuedAt: ago(it.issuedAgo),
    ...(generation > 0 ? { redeemedAt: ago(it.redeemedAgo), rotatedAt: ago(it.rotatedAgo) } : {}),
    ...(it.isRevoked ? { revokedAt: ago(3), revocationReason: 'user' as const } : {}),
  };
  if (!it.isGone) await db.insert(grants).values(row);
  const another = it.client === 'another' ? await addClient(service, { type: it.type }) : client;
  const secretOf = { right: another.secret, deleted: another.secret, wrong: 'wrong', none: undefined };
  const clientId = { own: client.id, another: another.id, unknown: 'unknown', malformed: '\ud800' }[
    it.client
  ];
  const presentedClient = { clientId, clientSecret: secretOf[it.secret] };
  const isCode = it.kind === 'code' || (it.kind === 'fitting' && generation === 0);
  const presented = Math.max(1, generation + it.presented);
  const fitting = it.hasChallenge ? verifier : undefined;
  const verifiers = { fitting, wrong: verifier.toUpperCase(), none: undefined, malformed: 'short' };
  const request: TokenRequest = isCode
    ? {
        grantType: 'authorization_code',
        client: presentedClient,
        code: await issueCode(id, mac),
        redirectUri: it.redirectUri,
        codeVerifier: verifiers[it.verifier],
        resource: it.resource,
        dpopProof: proofs[it.proof],
      }
    : {
        grantType: 'refresh_token',
        client: presentedClient,
        refreshToken: await issueRefreshToken({ grantId: id, generation: presented }, mac),
        scope: it.scope,
        resource: it.resource,
        dpopProof: proofs[it.proof],
      };
  return { id, request };
}

/** The answer, and what it left in the database. */
async function outcomeOf(endpoint: TokenEndpoint, { id, request }: Awaited<ReturnType<typeof set>>) {
  const answer = await answerTokenRequest(endpoint, request);
  const [row] = await db.select().from(grants).where(eq(grants.id, id));
  const { id: _, clientId: __, ...left } = row ?? { id, clientId: '' };
  if (!answer.ok) return { reason: answer.reason, left };
  const token = await readRefreshToken(answer.value.refreshToken, mac);
  const { scopeNames: names, isFullAccess, accessToken } = answer.value;
  const { aud, cnf } = decodeJwt(accessToken);
  return { generation: token?.generation, isOwn: token?.grantId === id, names, isFullAccess, aud, cnf, left };
}

test('grouped requests of any kind are answered, and leave their grants, as single ones that the core decides (ADR 12)', {
  tags: 'parts',
  timeout: 60_000,
}, async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(scene, { minLength: 20, maxLength: 40 }), async (scenes) => {
      const expected = [];
      for (const one of scenes) expected.push(await outcomeOf(plain, await set(one)));
      const together = await Promise.all(scenes.map(set));

      const outcomes = await Promise.all(together.map((one) => outcomeOf(withShortcut, one)));

      expect(outcomes).toEqual(expected);
      answered += expected.filter((outcome) => 'generation' in outcome).length;
    }),
    { numRuns: 10, examples: [[[...singleFaults]]] },
  );
  expect(answered).toBeGreaterThan(0);
});

test('of two requests with the same token, only the one that proves itself is answered (security C11)', async () => {
  const { request } = await set({
    ...right,
    type: 'confidential',
    registered: null,
    granted: null,
    generation: 1,
    hasChallenge: false,
    proof: 'none',
  });
  const stolen = (changes: Partial<TokenRequest['client']>): TokenRequest => ({
    ...request,
    client: { ...request.client, ...changes },
  });
  const requests = [
    stolen({ clientSecret: 'wrong' }),
    stolen({ clientId: client.id, clientSecret: client.secret }),
    request,
    stolen({ clientSecret: undefined }),
    request,
  ];

  const answers = await Promise.all(requests.map((one) => answerTokenRequest(withShortcut, one)));

  expect(answers.map((answer) => (answer.ok ? 'tokens' : answer.reason))).toEqual([
    'invalid_client_credentials',
    'invalid_refresh_token',
    'tokens',
    'invalid_client_credentials',
    'tokens',
  ]);
});

const client = await addClient(service);

/** An active grant, and a refresh of it. */
async function addGrant() {
  const id = randomUUID();
  const active = { generation: 1, issuedAt: noon, redeemedAt: noon, rotatedAt: noon };
  const parties = { clientId: client.id, userId: manager.id, redirectUri: 'https://app.example/callback' };
  await db.insert(grants).values({ id, ...parties, ...active });
  const request: TokenRequest = {
    grantType: 'refresh_token',
    client: { clientId: client.id, clientSecret: client.secret },
    refreshToken: await issueRefreshToken({ grantId: id, generation: 1 }, mac),
    scope: undefined,
  };
  return { id, request };
}

test('fifty refreshes that arrive together share a few statements (ADR 12)', async () => {
  const added = await Promise.all(Array.from({ length: 50 }, addGrant));
  service.database.statements.splice(0);

  const answers = await Promise.all(added.map(({ request }) => answerTokenRequest(withShortcut, request)));

  expect(answers.filter(({ ok }) => ok)).toHaveLength(50);
  expect(service.database.statements.length).toBeLessThan(10);
});

test('a grant that something else has locked keeps nobody else waiting (ADR 12)', async () => {
  const locked = await addGrant();
  const free = await addGrant();
  let isLockedAnswered = false;
  let waiting: Promise<unknown> | undefined;

  await db.transaction(async (tx) => {
    await tx.select().from(grants).where(eq(grants.id, locked.id)).for('update');
    waiting = answerTokenRequest(withShortcut, locked.request).finally(() => {
      isLockedAnswered = true;
    });
    const answer = await answerTokenRequest(withShortcut, free.request);
    expect(answer.ok).toBe(true);
    expect(isLockedAnswered).toBe(false);
  });

  expect(await waiting).toMatchObject({ ok: true });
});

test('a token sent under many client ids at once takes one turn (ADR 12)', async () => {
  const { id: grantId } = await addGrant();
  const shortcut = createShortcut(db, lifetimes, scopeNames);
  const secretHash = new Uint8Array(32);
  const usual = { grantId, generation: 1, jkt: null, secretHash, exchange: undefined, now: noon };
  const refused: unknown[] = [];

  const asked = Array.from({ length: 50 }, () => shortcut.move({ ...usual, clientId: randomUUID() }));
  for (const one of asked) void one.then((answer) => refused.push(answer));
  await new Promise(process.nextTick);

  expect(refused).toEqual(Array.from({ length: 49 }));
  await Promise.all(asked);
  expect(await shortcut.move({ ...usual, clientId: randomUUID() })).toBeUndefined();
});
