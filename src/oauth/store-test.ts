// The whole file is the public surface of `latchkey/store-test`.

import type { ClientWithSecrets } from './core/client.ts';
import type { Grant } from './core/grant.ts';
import type { TokenStore } from './core/ports.ts';

export interface StoreUnderTest {
  readonly store: TokenStore;
  /** The store has this client, with two live secrets. */
  readonly client: ClientWithSecrets;
  /** And another one. */
  readonly otherClientId: string;
  addGrant(grant: Grant): Promise<void>;
  /** Opens the same data again, as after a crash. */
  restart?(): Promise<TokenStore>;
}

export interface StoreTestOptions {
  newId?(): string;
  /** Two people whom the store knows, where it knows any. */
  readonly userIds?: readonly [string, string];
  /** False leaves out the tests that need `restart`: then durability isn't tested. */
  readonly restarts?: boolean;
  /** A failover can lose a commit, so a grant may move by two (ADR 13). */
  readonly losesCommits?: boolean;
}

/** Pass each promise by its name to the `test` of your runner. Tests may run together. */
export type StoreTests = Readonly<Record<string, () => Promise<void>>>;

const inParallel = 20;
const first = new Date('2030-01-07T09:00:00.123Z');
const later = new Date('2030-01-07T09:00:30.456Z');
const last = new Date('2030-01-07T09:01:00.789Z');

/** Returns tests of what a `TokenStore` promises. Each test calls `open` once. */
export function tokenStoreTests(
  open: () => Promise<StoreUnderTest>,
  {
    newId = () => crypto.randomUUID(),
    userIds: [userId, otherUserId] = ['2147483646', '41'],
    restarts = true,
    losesCommits = false,
  }: StoreTestOptions = {},
): StoreTests {
  const addGrant = async (under: StoreUnderTest, changes: Partial<Grant> = {}) => {
    const grant: Grant = {
      id: newId(),
      clientId: under.client.id,
      userId,
      teamId: null,
      scopes: ['notes:read', 'NOTES_WRITE'],
      resources: null,
      redirectUri: 'https://app.example/callback',
      codeChallenge: null,
      dpopJkt: null,
      generation: 0,
      issuedAt: first,
      redeemedAt: null,
      rotatedAt: null,
      revokedAt: null,
      revocationReason: null,
      ...changes,
    };
    await under.addGrant(grant);
    const readAgain = async (store: TokenStore = under.store): Promise<Grant> => {
      const found = (await store.find(under.client.id, grant.id)).grant;
      if (found === undefined) throw new Error('find should return the grant');
      return found;
    };
    return { grant, readAgain };
  };
  const addRedeemed = async (under: StoreUnderTest, changes: Partial<Grant> = {}) => {
    const { grant, readAgain } = await addGrant(under, changes);
    expectEqual(await under.store.redeem(grant, first), true, 'redeem of a new grant');
    return { grant: await readAgain(), readAgain };
  };
  /**
   * Grants that nothing may change but what names them: of the same person, of another one, of
   * another client.
   */
  const addNeighbours = async (under: StoreUnderTest) => {
    const added = [
      await addRedeemed(under),
      await addRedeemed(under, { userId: otherUserId }),
      await addRedeemed(under, { clientId: under.otherClientId }),
      // After them, since they are redeemed and it isn't.
      await addGrant(under),
    ];
    const before = await Promise.all(added.map(({ readAgain }) => readAgain()));
    return async (change: string): Promise<void> => {
      const after = await Promise.all(added.map(({ readAgain }) => readAgain()));
      for (const [index, grant] of after.entries())
        expectSame(grant, before[index] ?? {}, `another grant after ${change}`);
    };
  };
  const tests: Record<string, (() => Promise<void>) | false> = {
    'find returns the client and the grant, and nothing for what there is none of': async () => {
      const under = await open();
      const { store, client } = under;
      const { grant } = await addGrant(under);
      const found = await store.find(client.id, grant.id);
      expectClient(found.client, client);
      expectSame(found.grant ?? {}, grant, 'the grant');
      expectClient((await store.find(client.id, undefined)).client, client);
      expectEqual((await store.find(client.id, undefined)).grant, undefined, 'the grant of no id');
      expectEqual((await store.find(client.id, newId())).grant, undefined, 'the grant of an unknown id');
      expectEqual((await store.find('unknown-client', grant.id)).client, undefined, 'an unknown client');
      const { client: other, grant: ofFirst } = await store.find(under.otherClientId, grant.id);
      expectEqual(other?.id, under.otherClientId, 'the id of the other client');
      // The store may leave it out, but it never becomes the asking client's.
      expectEqual(
        ofFirst?.clientId ?? client.id,
        client.id,
        'the client of the grant that another one asks for',
      );
    },
    'find returns all of a grant as it was added': async () => {
      const under = await open();
      const { client, otherClientId } = under;
      const everything: Partial<Grant> = {
        resources: ['https://api.example', 'https://api.example/notes?of=all'],
        redirectUri: 'https://app.example/callback?a=1&b=%20x',
        codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        dpopJkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
      };
      const [code, refreshed, revoked, narrowest, ofOther] = [
        await addGrant(under, everything),
        await addGrant(under, { ...everything, generation: 7, redeemedAt: later, rotatedAt: last }),
        await addGrant(under, { revokedAt: last, revocationReason: 'user' }),
        await addGrant(under, { scopes: [], resources: [], userId: otherUserId }),
        await addGrant(under, { clientId: otherClientId, userId: otherUserId }),
      ];
      for (const { grant, readAgain } of [code, refreshed, revoked, narrowest])
        expectSame(await readAgain(), grant, 'the grant');
      const { grant: found = {} } = await under.store.find(otherClientId, ofOther.grant.id);
      expectSame(found, ofOther.grant, 'the grant of another client');
      expectEqual((await under.store.find(client.id, undefined)).grant, undefined, 'the grant of no id');
    },
    'a change is of the grant that it names, and of no other part of it': async () => {
      const under = await open();
      const { store } = under;
      const expectUnchanged = await addNeighbours(under);
      const { grant, readAgain } = await addGrant(under, { resources: ['https://api.example'] });
      await store.redeem(grant, later);
      const redeemed = { ...grant, generation: 1, redeemedAt: later, rotatedAt: later };
      expectSame(await readAgain(), redeemed, 'the redeemed grant');
      await expectUnchanged('redeem');
      await store.advance(redeemed, 2, last);
      const advanced = { ...redeemed, generation: 2, rotatedAt: last };
      expectSame(await readAgain(), advanced, 'the advanced grant');
      await expectUnchanged('advance');
      await store.revoke(advanced, 'user', last);
      const { revokedAt, ...revoked } = await readAgain();
      expectEqual(revokedAt === null, false, 'whether revokedAt is null');
      const { revokedAt: _, ...expected } = { ...advanced, revocationReason: 'user' as const };
      expectSame(revoked, expected, 'the revoked grant');
      await expectUnchanged('revoke');
    },
    'a grant that is gone can’t be changed': async () => {
      const under = await open();
      const { store } = under;
      const expectUnchanged = await addNeighbours(under);
      const { grant } = await addRedeemed(under);
      const gone = { ...grant, id: newId() };
      expectEqual(await store.redeem({ ...gone, generation: 0 }, later), false, 'redeem of an unknown grant');
      expectEqual(await store.advance(gone, 2, later), false, 'advance of an unknown grant');
      await store.revoke(gone, 'user', later);
      expectEqual((await store.find(grant.clientId, gone.id)).grant, undefined, 'the unknown grant');
      await expectUnchanged('a change of an unknown grant');
    },
    'a code is redeemed once, by one of any number of parallel callers': async () => {
      const under = await open();
      const { store } = under;
      const { grant, readAgain } = await addGrant(under);
      const redeemed = await together(() => store.redeem(grant, later));
      expectEqual(redeemed.filter((isRedeemed) => isRedeemed).length, 1, 'how many callers redeemed it');
      expectEqual(await store.redeem(grant, last), false, 'redeem of a redeemed grant');
      const { generation, redeemedAt, rotatedAt } = await readAgain();
      expectEqual(generation, 1, 'the generation');
      expectEqual(redeemedAt?.getTime(), later.getTime(), 'redeemedAt');
      expectEqual(rotatedAt?.getTime(), later.getTime(), 'rotatedAt');
    },
    'a refresh token is advanced once, and parallel callers find it there': async () => {
      const under = await open();
      const { store } = under;
      const { grant, readAgain } = await addRedeemed(under);
      const advanced = await together(() => store.advance(grant, 2, later));
      expectEqual(
        advanced.every((isThere) => isThere),
        true,
        'whether all callers find it there',
      );
      expectEqual((await readAgain()).generation, 2, 'the generation');
    },
    'only the move sets rotatedAt, so that a retry has no longer time': async () => {
      const under = await open();
      const { store } = under;
      const { grant, readAgain } = await addRedeemed(under);
      expectEqual(await store.advance(grant, 2, later), true, 'the move');
      expectEqual(await store.advance(grant, 2, last), true, 'the retry');
      expectEqual((await readAgain()).rotatedAt?.getTime(), later.getTime(), 'rotatedAt');
    },
    'a grant never goes back, nor further ahead than it may': async () => {
      const under = await open();
      const { store } = under;
      const { grant, readAgain } = await addRedeemed(under);
      expectEqual(await store.advance(grant, losesCommits ? 4 : 3, later), false, 'an advance too far');
      for (const generation of [2, 3]) await store.advance(grant, generation, later);
      expectEqual(await store.advance(grant, 2, last), false, 'an advance to what is behind');
      expectEqual((await readAgain()).generation, 3, 'the generation');
      expectEqual(await store.redeem(grant, last), false, 'redeem of what was advanced');
    },
    'where a failover can lose a commit, a grant moves by two, from its code, too':
      losesCommits &&
      (async () => {
        const under = await open();
        const { store } = under;
        const { grant, readAgain } = await addGrant(under);
        expectEqual(await store.advance(grant, 2, later), true, 'an advance by two');
        const { generation, redeemedAt } = await readAgain();
        expectEqual(generation, 2, 'the generation');
        expectEqual(redeemedAt?.getTime(), first.getTime(), 'redeemedAt, which is issuedAt then');
      }),
    'a revoked grant moves no more, and keeps its first reason': async () => {
      const under = await open();
      const { store } = under;
      const code = await addGrant(under);
      await store.revoke(code.grant, 'user', later);
      expectEqual(await store.redeem(code.grant, last), false, 'redeem of a revoked grant');
      const { grant, readAgain } = await addRedeemed(under);
      await store.revoke(grant, 'refresh_token_theft', later);
      await store.revoke(grant, 'user', last);
      expectEqual(await store.advance(grant, 2, last), false, 'advance of a revoked grant');
      const { generation, revokedAt, revocationReason } = await readAgain();
      expectEqual(generation, 1, 'the generation');
      expectEqual(revokedAt === null, false, 'whether revokedAt is null');
      expectEqual(revocationReason, 'refresh_token_theft', 'the reason');
    },
    'a revocation between others is kept': async () => {
      const under = await open();
      const { store } = under;
      const { grant, readAgain } = await addRedeemed(under);
      const moves = together(() => store.advance(grant, 2, later));
      await store.revoke(grant, 'user', later);
      await moves;
      expectEqual((await readAgain()).revokedAt === null, false, 'whether revokedAt is null');
      expectEqual(await store.advance(grant, 2, last), false, 'advance after the revocation');
      expectEqual(await store.advance(grant, 3, last), false, 'the next advance after the revocation');
    },
    'a change keeps the key that it came with, and a grant that is bound takes no other': async () => {
      const under = await open();
      const { store } = under;
      const { grant, readAgain } = await addRedeemed(under, { dpopJkt: 'own-key' });
      expectEqual((await readAgain()).dpopJkt, 'own-key', 'the key');
      const other = { ...grant, dpopJkt: 'other-key' };
      expectEqual(await store.advance(other, 2, later), false, 'advance with another key');
      expectEqual(await store.advance(grant, 2, later), true, 'advance with the key');
      const unbound = await addRedeemed(under);
      const bound = { ...unbound.grant, dpopJkt: 'own-key' };
      expectEqual(await store.advance(bound, 2, later), true, 'advance that binds');
      expectEqual((await unbound.readAgain()).dpopJkt, 'own-key', 'the key of the binding');
    },
    'what was spent stays spent after a crash, and what was not still works':
      restarts &&
      (async () => {
        const under = await open();
        if (under.restart === undefined)
          throw new Error('This needs restart(). The option `restarts: false` leaves durability untested.');
        const { store } = under;
        const code = await addGrant(under);
        const refreshed = await addRedeemed(under);
        const revoked = await addRedeemed(under);
        await store.redeem(code.grant, later);
        await store.advance(refreshed.grant, 2, later);
        await store.revoke(revoked.grant, 'user', later);
        const reopened = await under.restart();
        expectEqual(await reopened.redeem(code.grant, last), false, 'redeem of a redeemed grant');
        expectEqual(await reopened.advance(revoked.grant, 2, last), false, 'advance of a revoked grant');
        expectEqual(await reopened.advance(refreshed.grant, 3, last), true, 'the next advance');
        expectEqual((await refreshed.readAgain(reopened)).generation, 3, 'the generation');
      }),
  };
  return Object.fromEntries(Object.entries(tests).flatMap(([promise, run]) => (run ? [[promise, run]] : [])));
}

function together<Value>(ask: () => Promise<Value>): Promise<readonly Value[]> {
  return Promise.all(Array.from({ length: inParallel }, ask));
}

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** The store may return more than is expected, but nothing else. */
function expectSame(actual: object, expected: object, what: string): void {
  const found = new Map<string, unknown>(Object.entries(actual));
  for (const [name, value] of Object.entries(expected))
    if (!isSame(found.get(name), value)) expectEqual(found.get(name), value, `${name} of ${what}`);
}

function expectClient(
  actual: ClientWithSecrets | undefined,
  { secrets, ...expected }: ClientWithSecrets,
): void {
  expectSame(actual ?? {}, expected, 'the client');
  const hashes = (all: ClientWithSecrets['secrets'] = []) =>
    all.map(({ id, hash }) => `${id}: ${hash.join()}`).sort();
  expectEqual(hashes(actual?.secrets).join(), hashes(secrets).join(), 'the secrets of the client');
}

function isSame(actual: unknown, expected: unknown): boolean {
  if (expected instanceof Date) return actual instanceof Date && actual.getTime() === expected.getTime();
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((one, index) => isSame(actual[index], one))
    );
  return actual === expected;
}
