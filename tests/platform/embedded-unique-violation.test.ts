import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { createUser } from '../../src/accounts/store.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import { uniqueViolationOf } from '../../src/platform/database.ts';
import { type Database, openEmbedded } from '../../src/platform/open-database.ts';
import { openTestDatabase } from '../support/database.ts';
import { prepareDataDirectory } from '../support/prepared-directory.ts';
import { makeDirectoryForFile } from '../support/temporary-directory.ts';

const postgres = await openTestDatabase();
afterAll(postgres.close);
const directory = await makeDirectoryForFile();
await prepareDataDirectory(directory);
const embedded = await openEmbedded(directory);
afterAll(embedded.close);

const drivers = [postgres, embedded].map((database): [string, Database] => [database.kind, database]);

describe.for(drivers)('on %s', ([, { db }]) => {
  async function faultOf(statement: string): Promise<unknown> {
    return db.execute(sql.raw(statement)).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  test('a second row of the same value names the constraint', async () => {
    const insert = `insert into groups (kind, slug, name, created_at) values ('organization', 'acme', 'Acme', now())`;
    await db.execute(sql.raw(insert));

    expect(uniqueViolationOf(await faultOf(insert))).toBe('groups_kind_slug_unique');
  });

  test('so it does inside a transaction', async () => {
    const insert = sql`insert into groups (kind, slug, name, created_at) values ('team', 'night', 'Night', now())`;

    const fault = await db
      .transaction(async (transaction) => {
        await transaction.execute(insert);
        await transaction.execute(insert);
      })
      .catch((error: unknown) => error);

    expect(uniqueViolationOf(fault)).toBe('groups_kind_slug_unique');
  });

  test('an identity sequence that was reset is a fault, not a taken name or email address', async () => {
    const facts = { name: 'Ann', passwordHash: 'x', timeZone: 'UTC', weekStart: 'Monday' } as const;
    const create = (email: string, username: string) =>
      createUser(db, { ...facts, email, username }, systemContext(new Date()));
    await create('ann@example.com', 'ann');
    const taken = [await create('ann@example.com', 'another'), await create('ben@example.com', 'ann')];
    await db.execute(sql`alter table users alter column id restart with 1`);

    const fault = await create('cleo@example.com', 'cleo').catch((error: unknown) => error);

    expect(taken).toMatchObject([{ reason: 'email_taken' }, { reason: 'name_taken' }]);
    expect(uniqueViolationOf(fault)).toBe('users_pkey');
  });

  test('another violated constraint is none', async () => {
    const fault = await faultOf(
      `insert into memberships (group_id, kind, user_id, role) values (-1, 'team', -1, 'owner')`,
    );

    expect(fault).toBeInstanceOf(Error);
    expect(uniqueViolationOf(fault)).toBeUndefined();
  });
});

test('anything else that was thrown is none', () => {
  expect([undefined, null, 'x', new Error('23505')].map(uniqueViolationOf)).toEqual(Array(4).fill(undefined));
});
