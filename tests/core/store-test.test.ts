import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ClientWithSecrets } from '../../src/oauth/core/client.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import type { TokenStore } from '../../src/oauth/core/ports.ts';
import { type StoreUnderTest, tokenStoreTests } from '../../src/oauth/store-test.ts';

const client: ClientWithSecrets = {
  ...{ id: 'app', type: 'confidential', status: 'accepted', scopes: ['notes:read'], requiresPkce: true },
  redirectUris: ['https://app.example/callback', 'https://app.example/other'],
  secrets: [1, 2].map((number) => ({ id: `secret-${number}`, hash: new Uint8Array(32).fill(number) })),
};

interface Memory {
  readonly clients: readonly ClientWithSecrets[];
  readonly grants: Map<string, Grant>;
}

const hasKey = (grant: Grant, dpopJkt: string | null): boolean =>
  grant.dpopJkt === null || grant.dpopJkt === dpopJkt;

/** A store that is right, each of whose steps a wrong one can replace. */
function rightStore({ clients, grants }: Memory) {
  const change = (
    id: string,
    mayChange: (grant: Grant) => boolean,
    changes: (grant: Grant) => Partial<Grant>,
  ) => {
    const grant = grants.get(id);
    if (grant === undefined || grant.revokedAt !== null || !mayChange(grant)) return false;
    grants.set(id, { ...grant, ...changes(grant) });
    return true;
  };
  const store: TokenStore = {
    find: async (clientId, grantId) => ({
      client: clients.find(({ id }) => id === clientId),
      grant: grants.get(grantId ?? ''),
    }),
    redeem: async ({ id, dpopJkt }, now) =>
      change(
        id,
        ({ generation }) => generation === 0,
        () => ({ generation: 1, redeemedAt: now, rotatedAt: now, dpopJkt }),
      ),
    advance: async ({ id, dpopJkt }, generation, now) =>
      change(
        id,
        (grant) => [generation - 1, generation].includes(grant.generation) && hasKey(grant, dpopJkt),
        (grant) => ({
          generation,
          dpopJkt,
          rotatedAt: grant.generation === generation ? grant.rotatedAt : now,
        }),
      ),
    revoke: async ({ id }, revocationReason, revokedAt) => {
      change(
        id,
        () => true,
        () => ({ revokedAt, revocationReason }),
      );
    },
  };
  return store;
}

type Wrong = (store: TokenStore, memory: Memory) => Partial<TokenStore>;

const findsGrant =
  (alter: (grant: Grant, clientId: string) => Grant | undefined): Wrong =>
  ({ find }) => ({
    find: async (clientId, grantId) => {
      const { grant, ...found } = await find(clientId, grantId);
      return { ...found, grant: grant && alter(grant, clientId) };
    },
  });

const findsClient =
  (alter: (client: ClientWithSecrets) => ClientWithSecrets | undefined): Wrong =>
  ({ find }) => ({
    find: async (clientId, grantId) => {
      const { client: found, grant } = await find(clientId, grantId);
      return { client: found && alter(found), grant };
    },
  });

/** Also does this to all grants of which it holds. */
const changesOthers =
  (
    name: 'redeem' | 'advance' | 'revoke',
    isMeant: (other: Grant, named: Grant) => boolean,
    changes: (now: Date) => Partial<Grant>,
  ): Wrong =>
  (store, { grants }) => {
    const spoil = (named: Grant, now: Date): void => {
      for (const [id, other] of grants)
        if (id !== named.id && isMeant(other, named)) grants.set(id, { ...other, ...changes(now) });
    };
    if (name === 'redeem')
      return { redeem: async (grant, now) => (spoil(grant, now), store.redeem(grant, now)) };
    if (name === 'advance')
      return { advance: async (grant, to, now) => (spoil(grant, now), store.advance(grant, to, now)) };
    return { revoke: async (grant, reason, now) => (spoil(grant, now), store.revoke(grant, reason, now)) };
  };

const ended = (now: Date): Partial<Grant> => ({ revokedAt: now, revocationReason: 'user' });
const seconds = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);

const wrongStores: Readonly<Record<string, Wrong>> = {
  'takes lost scopes for all': findsGrant((grant) => ({ ...grant, scopes: 'all' })),
  'loses the second scope': findsGrant((grant) => ({
    ...grant,
    scopes: grant.scopes === 'all' ? grant.scopes : grant.scopes.slice(0, 1),
  })),
  'takes no scopes for all': findsGrant((grant) => ({
    ...grant,
    scopes: grant.scopes.length > 0 ? grant.scopes : 'all',
  })),
  'loses resources': findsGrant((grant) => ({ ...grant, resources: null })),
  'takes no resources for all': findsGrant((grant) => ({
    ...grant,
    resources: grant.resources?.length ? grant.resources : null,
  })),
  'gives the grant to another person': findsGrant((grant) => ({ ...grant, userId: '1' })),
  'gives all grants to one person': findsGrant((grant) => ({ ...grant, userId: '41' })),
  'has the person as a text': findsGrant((grant) =>
    Object.assign({ ...grant }, { userId: Number(grant.userId) }),
  ),
  'cuts the person to 16 bits': findsGrant((grant) => ({
    ...grant,
    userId: String(Number(grant.userId) & 0xffff),
  })),
  'says that the grant is of whoever asks': findsGrant((grant, clientId) => ({ ...grant, clientId })),
  'says that all grants are of one client': findsGrant((grant) => ({ ...grant, clientId: 'app' })),
  'loses the challenge': findsGrant((grant) => ({ ...grant, codeChallenge: null })),
  'loses the redirect URI’s query': findsGrant((grant) => ({
    ...grant,
    redirectUri: grant.redirectUri.split('?')[0] ?? '',
  })),
  'decodes the redirect URI': findsGrant((grant) => ({
    ...grant,
    redirectUri: decodeURI(grant.redirectUri),
  })),
  'loses the key': findsGrant((grant) => ({ ...grant, dpopJkt: null })),
  'cuts milliseconds': findsGrant((grant) => ({ ...grant, issuedAt: seconds(grant.issuedAt) })),
  'loses when it was redeemed': findsGrant((grant) => ({ ...grant, redeemedAt: null })),
  'loses when it moved': findsGrant((grant) => ({ ...grant, rotatedAt: null })),
  'loses why it ended': findsGrant((grant) => ({ ...grant, revocationReason: null })),
  'hides grants that have ended': findsGrant((grant) => (grant.revokedAt === null ? grant : undefined)),
  'forgets that they have ended': findsGrant((grant) => ({ ...grant, revokedAt: null })),
  'finds any grant for no id': ({ find }, { grants }) => ({
    find: (clientId, grantId) => find(clientId, grantId ?? [...grants.keys()][0]),
  }),
  'finds the newest grant of the client': ({ find }, { grants }) => ({
    find: (clientId, grantId) => find(clientId, grantId && [...grants.keys()].at(-1)),
  }),
  'leaves secrets out': findsClient((found) => ({ ...found, secrets: [] })),
  'has the first secret alone': findsClient((found) => ({ ...found, secrets: found.secrets.slice(0, 1) })),
  'has the same secret twice': findsClient((found) => ({
    ...found,
    secrets: found.secrets.flatMap(({ id }) =>
      found.secrets.slice(0, 1).map((secret) => ({ ...secret, id })),
    ),
  })),
  'makes clients public': findsClient((found) => ({ ...found, type: 'public' })),
  'accepts all clients’ scopes': findsClient((found) => ({ ...found, scopes: 'all' })),
  'asks for no PKCE': findsClient((found) => ({ ...found, requiresPkce: false })),
  'has one redirect URI': findsClient((found) => ({
    ...found,
    redirectUris: found.redirectUris.slice(0, 1),
  })),
  'knows every client': ({ find }, { clients }) => ({
    find: async (clientId, grantId) => ({ ...(await find(clientId, grantId)), client: clients[0] }),
  }),
  'redeems without `where`': changesOthers(
    'redeem',
    () => true,
    (now) => ({ generation: 1, redeemedAt: now, rotatedAt: now }),
  ),
  'redeems all that wait': changesOthers(
    'redeem',
    ({ generation }) => generation === 0,
    (now) => ({ generation: 1, redeemedAt: now, rotatedAt: now }),
  ),
  'advances without `where id`': changesOthers(
    'advance',
    ({ generation }) => generation > 0,
    (now) => ({ generation: 2, rotatedAt: now }),
  ),
  'ends all grants': changesOthers('revoke', () => true, ended),
  'ends all grants of the client': changesOthers(
    'revoke',
    (one, { clientId }) => one.clientId === clientId,
    ended,
  ),
  'ends all grants of the person': changesOthers('revoke', (one, { userId }) => one.userId === userId, ended),
  'ends the person’s grants of the client': changesOthers(
    'revoke',
    (one, { userId, clientId }) => one.userId === userId && one.clientId === clientId,
    ended,
  ),
  'ends other grants at an exchange': changesOthers(
    'redeem',
    (one, { userId }) => one.userId === userId,
    ended,
  ),
  'redeems, when two wait, twice': (store, { grants }) => ({
    redeem: async (grant, now) => {
      const found = grants.get(grant.id);
      await sleep(1);
      if (found?.generation !== 0 || found.revokedAt !== null) return false;
      grants.set(grant.id, {
        ...found,
        generation: 1,
        redeemedAt: now,
        rotatedAt: now,
        dpopJkt: grant.dpopJkt,
      });
      return true;
    },
  }),
  'redeems what has ended': (_, { grants }) => ({
    redeem: async ({ id, dpopJkt }, now) => {
      const found = grants.get(id);
      if (found?.generation !== 0) return false;
      grants.set(id, { ...found, generation: 1, redeemedAt: now, rotatedAt: now, dpopJkt });
      return true;
    },
  }),
  'moves the time at a retry': (store, { grants }) => ({
    advance: async (grant, generation, now) => {
      const isThere = await store.advance(grant, generation, now);
      const found = grants.get(grant.id);
      if (isThere && found) grants.set(grant.id, { ...found, rotatedAt: now });
      return isThere;
    },
  }),
  'advances to anything': (store, { grants }) => ({
    advance: async (grant, generation, now) => {
      const found = grants.get(grant.id);
      if (!found || found.revokedAt !== null || !hasKey(found, grant.dpopJkt)) return false;
      grants.set(grant.id, { ...found, generation, rotatedAt: now, dpopJkt: grant.dpopJkt });
      return true;
    },
  }),
  'advances grants that are gone': ({ advance }, { grants }) => ({
    advance: async (grant, generation, now) =>
      grants.has(grant.id) ? advance(grant, generation, now) : true,
  }),
  'redeems grants that are gone': ({ redeem }, { grants }) => ({
    redeem: async (grant, now) => (grants.has(grant.id) ? redeem(grant, now) : true),
  }),
  'makes what is gone': ({ revoke }, { grants }) => ({
    revoke: async (grant, reason, now) => {
      if (!grants.has(grant.id)) grants.set(grant.id, grant);
      await revoke(grant, reason, now);
    },
  }),
  'fails for what is gone': ({ revoke }, { grants }) => ({
    revoke: async (grant, reason, now) => {
      if (!grants.has(grant.id)) throw new Error('not found');
      await revoke(grant, reason, now);
    },
  }),
  'advances with any key': ({ advance }, { grants }) => ({
    advance: (grant, generation, now) =>
      advance({ ...grant, dpopJkt: grants.get(grant.id)?.dpopJkt ?? grant.dpopJkt }, generation, now),
  }),
  'drops the key of an exchange': ({ redeem }) => ({
    redeem: (grant, now) => redeem({ ...grant, dpopJkt: null }, now),
  }),
  'widens what it advances': (store, { grants }) => ({
    advance: async (grant, generation, now) => {
      const found = grants.get(grant.id);
      if (found) grants.set(grant.id, { ...found, scopes: 'all' });
      return store.advance(grant, generation, now);
    },
  }),
  'begins the grant anew at a refresh': (store, { grants }) => ({
    advance: async (grant, generation, now) => {
      const isThere = await store.advance(grant, generation, now);
      const found = grants.get(grant.id);
      if (isThere && found) grants.set(grant.id, { ...found, issuedAt: now, redeemedAt: now });
      return isThere;
    },
  }),
  'has the last reason': (_, { grants }) => ({
    revoke: async ({ id }, revocationReason, revokedAt) => {
      const found = grants.get(id);
      if (found) grants.set(id, { ...found, revokedAt, revocationReason });
    },
  }),
  'ends later': (store) => ({
    revoke: async (grant, reason, now) => {
      void sleep(1000, undefined, { ref: false }).then(() => store.revoke(grant, reason, now));
    },
  }),
};

function open(wrong: Wrong): () => Promise<StoreUnderTest> {
  return async () => {
    const memory: Memory = { clients: [client, { ...client, id: 'other' }], grants: new Map() };
    const right = rightStore(memory);
    const store = { ...right, ...wrong(right, memory) };
    const addGrant = async (grant: Grant): Promise<void> => void memory.grants.set(grant.id, grant);
    return { store, client, otherClientId: 'other', addGrant, restart: async () => store };
  };
}

async function faultsOf(wrong: Wrong): Promise<readonly string[]> {
  const runs = Object.entries(tokenStoreTests(open(wrong))).map(async ([promise, run]) =>
    run().then(
      () => [],
      () => [promise],
    ),
  );
  return (await Promise.all(runs)).flat();
}

describe('the tests of a store', () => {
  test('pass for one that is right', async () => {
    expect(await faultsOf(() => ({}))).toEqual([]);
  });

  test.each(Object.entries(wrongStores))('find one that %s', async (_, wrong) => {
    expect(await faultsOf(wrong)).not.toEqual([]);
  });

  test('that can’t run are left out when that is said, and fail otherwise', async () => {
    const { restart: _, ...without } = await open(() => ({}))();
    const all = tokenStoreTests(async () => without);
    const fewer = tokenStoreTests(async () => without, { restarts: false });
    const [left] = Object.keys(all).filter((promise) => !(promise in fewer));

    expect(left).toBe('what was spent stays spent after a crash, and what was not still works');
    await expect(all[left ?? '']?.()).rejects.toThrow('restarts: false');
  });
});
