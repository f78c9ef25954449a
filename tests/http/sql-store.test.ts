import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, test } from 'vitest';
import type { ClientWithSecrets } from '../../src/oauth/core/client.ts';
import { newGrant } from '../../src/oauth/http/new-grant.ts';
import { createGrantsTable, type SqlStoreOptions, sqlStore } from '../../src/oauth/sql.ts';
import { tokenStoreTests } from '../../src/oauth/store-test.ts';

const client: ClientWithSecrets = {
  ...{ id: 'app', type: 'confidential', status: 'accepted', scopes: ['notes:read'], requiresPkce: false },
  redirectUris: ['https://app.example/callback'],
  secrets: [1, 2].map((number) => ({ id: `secret-${number}`, hash: new Uint8Array(32).fill(number) })),
};
const clients = [client, { ...client, id: 'other' }];
const findClient = async (clientId: string) => clients.find(({ id }) => id === clientId);

const postgres = await PGlite.create();
afterAll(() => postgres.close());
await postgres.exec(createGrantsTable);
const sqlite = new DatabaseSync(':memory:');
sqlite.exec(createGrantsTable);

const databases: readonly (readonly [string, SqlStoreOptions])[] = [
  [
    'PostgreSQL',
    {
      findClient,
      query: async (statement, values) =>
        (await postgres.query<Record<string, unknown>>(statement, [...values])).rows,
    },
  ],
  [
    'SQLite',
    {
      findClient,
      parameter: '?1',
      query: async (statement, values) => sqlite.prepare(statement).all(...values),
    },
  ],
];

describe.each(databases)('the store over a table of %s keeps what a store promises', (_name, options) => {
  const tests = tokenStoreTests(async () => {
    const store = sqlStore(options);
    const restart = async () => sqlStore(options);
    return { store, client, otherClientId: 'other', addGrant: (grant) => store.add(grant), restart };
  });
  for (const [promise, run] of Object.entries(tests)) test(promise, run);

  test('adds a grant once', async () => {
    const store = sqlStore(options);
    const grant = newGrant({
      clientId: 'app',
      userId: 'ann',
      scopes: ['a'],
      redirectUri: 'https://app.example/',
    });
    await store.add(grant);
    await store.add({ ...grant, userId: 'bob' });

    expect((await store.find('app', grant.id)).grant?.userId).toBe('ann');
  });

  test.each(['scopes', 'user_id', 'generation'])('takes nothing from a row without %s', async (column) => {
    const grant = newGrant({
      clientId: 'app',
      userId: 'ann',
      scopes: ['a'],
      redirectUri: 'https://app.example/',
    });
    await sqlStore(options).add(grant);
    const losing = sqlStore({
      ...options,
      query: async (...asked) =>
        (await options.query(...asked)).map((row) => ({ ...row, [column]: undefined })),
    });

    await expect(losing.find('app', grant.id)).rejects.toThrow(`oauth_grants.${column}`);
  });
});
