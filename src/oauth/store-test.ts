// The whole file is the public surface of `latchkey/store-test`.

import type { Grant } from './core/grant.ts';
import type { TokenStore } from './core/ports.ts';

export interface StoreUnderTest {
  readonly store: TokenStore;
  readonly clientId: string;
  addGrant(grant: Grant): Promise<void>;
  /** Opens the same data again, as after a crash. Without this, durability isn't tested. */
  restart?(): Promise<TokenStore>;
  /** A failover can lose a commit, so a grant may move by two (ADR 13). */
  readonly losesCommits?: boolean;
}

export interface StoreTestOptions {
  newId?(): string;
  readonly userId?: number;
}

/** Pass each promise by its name to the `test` of your runner. Tests may run together. */
export type StoreTests = Readonly<Record<string, () => Promise<void>>>;

const inParallel = 20;
const first = new Date('2030-01-07T09:00:00.000Z');
const later = new Date('2030-01-07T09:00:30.000Z');
const last = new Date('2030-01-07T09:01:00.000Z');

/** Returns tests of what a `TokenStore` promises. Each test calls `open` once. */
export function tokenStoreTests(
  open: () => Promise<StoreUnderTest>,
  { newId = () => crypto.randomUUID(), userId = 1 }: StoreTestOptions = {},
): StoreTests {
  const addGrant = async (under: StoreUnderTest, changes: Partial<Grant> = {}) => {
    const grant: Grant = {
      ...{ id: newId(), clientId: under.clientId, userId, teamId: null, scopes: null, resources: null },
      ...{ redirectUri: 'https://app.example/callback', codeChallenge: null, dpopJkt: null },
      ...{ generation: 0, issuedAt: first, redeemedAt: null, rotatedAt: null },
      ...{ revokedAt: null, revocationReason: null },
      ...changes,
    };
    await under.addGrant(grant);
    const readAgain = async (store: TokenStore = under.store): Promise<Grant> => {
      const found = (await store.find(under.clientId, grant.id)).grant;
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
  return {
    'find returns the client and the grant, and nothing for what there is none of': async () => {
      const under = await open();
      const { store, clientId } = under;
      const { grant } = await addGrant(under);
      const found = await store.find(clientId, grant.id);
      expectEqual(found.client?.id, clientId, 'the id of the client');
      expectEqual(found.grant?.id, grant.id, 'the id of the grant');
      expectEqual(found.grant?.generation, 0, 'the generation of a code');
      expectEqual(found.grant?.issuedAt.getTime(), first.getTime(), 'issuedAt');
      expectEqual((await store.find(clientId, undefined)).grant, undefined, 'the grant of no id');
      expectEqual((await store.find(clientId, newId())).grant, undefined, 'the grant of an unknown id');
      expectEqual((await store.find('unknown-client', grant.id)).client, undefined, 'an unknown client');
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
      const { store, losesCommits = false } = under;
      const { grant, readAgain } = await addRedeemed(under);
      expectEqual(await store.advance(grant, losesCommits ? 4 : 3, later), false, 'an advance too far');
      for (const generation of [2, 3]) await store.advance(grant, generation, later);
      expectEqual(await store.advance(grant, 2, last), false, 'an advance to what is behind');
      expectEqual((await readAgain()).generation, 3, 'the generation');
      expectEqual(await store.redeem(grant, last), false, 'redeem of what was advanced');
    },
    'where a failover can lose a commit, a grant moves by two, from its code, too': async () => {
      const under = await open();
      const { store, losesCommits = false } = under;
      const { grant, readAgain } = await addGrant(under);
      if (!losesCommits) return;
      expectEqual(await store.advance(grant, 2, later), true, 'an advance by two');
      const { generation, redeemedAt } = await readAgain();
      expectEqual(generation, 2, 'the generation');
      expectEqual(redeemedAt?.getTime(), first.getTime(), 'redeemedAt, which is issuedAt then');
    },
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
    'what was spent stays spent after a crash, and what was not still works': async () => {
      const under = await open();
      if (under.restart === undefined) return;
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
    },
  };
}

function together<Value>(ask: () => Promise<Value>): Promise<readonly Value[]> {
  return Promise.all(Array.from({ length: inParallel }, ask));
}

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}
