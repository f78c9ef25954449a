import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { groups } from '../../src/accounts/tables.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { type Database, openEmbedded } from '../../src/platform/open-database.ts';
import { batchRows, deleteBatch, deleteOnWalk, pastLife } from '../../src/platform/retention/store.ts';
import { prepareDataDirectory } from '../support/prepared-directory.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { startLineProcess } from './line-process.ts';

/** One row, told apart from no row and from the row of another database. */
async function writeRow({ db }: Database): Promise<void> {
  await db.insert(groups).values({ kind: 'organization', slug: 'acme', name: 'Acme', createdAt: new Date() });
}

async function makeDataDirectory(): Promise<string> {
  const directory = await makeTemporaryDirectory();
  await prepareDataDirectory(directory);
  return directory;
}

async function readRows({ db }: Database): Promise<string[]> {
  return (await db.select().from(groups)).map(({ slug }) => slug);
}

describe('the embedded database', { timeout: 60_000 }, () => {
  test('what was written is there after closing and opening again (contract §1, DATA_DIR)', async () => {
    const directory = await makeDataDirectory();
    const first = await openEmbedded(directory);
    await writeRow(first);
    await first.close();

    const second = await openEmbedded(directory);
    onTestFinished(second.close);

    expect(second.kind).toBe('embedded');
    expect(await second.isAlive()).toBe(true);
    expect(await readRows(second)).toEqual(['acme']);
  });

  test('a closed database is not alive, and its directory is free', async () => {
    const directory = await makeDataDirectory();
    const database = await openEmbedded(directory);
    await database.close();
    const other = await startLineProcess('directory-holder-process.ts');
    onTestFinished(other.kill);

    expect(await database.isAlive()).toBe(false);
    expect(await other.ask(directory)).toBe('held');
  });

  test.each<readonly [string, (directory: string) => Promise<void>, string]>([
    [
      'a copy that lacks PG_VERSION',
      (directory) => rm(join(directory, 'database/PG_VERSION')),
      "the database in it isn't whole (PG_VERSION is missing). Restore the whole folder from a backup",
    ],
    [
      'a folder that was emptied beside its secret',
      async (directory) => {
        await writeFile(join(directory, 'secret'), 'x'.repeat(43));
        await rm(join(directory, 'database'), { recursive: true });
        await mkdir(join(directory, 'database'));
      },
      'it has the secret of a database, but no database. Restore the whole folder from a backup',
    ],
    [
      'a lost folder beside its secret',
      async (directory) => {
        await writeFile(join(directory, 'secret'), 'x'.repeat(43));
        await rm(join(directory, 'database'), { recursive: true });
      },
      'it has the secret of a database, but no database.',
    ],
    [
      'files that were cut',
      (directory) => truncate(join(directory, 'database/global/pg_control'), 100),
      "its database can't be opened, so its files may be damaged. Restore the whole folder from a backup.",
    ],
  ])(
    '%s is no place for a new database, and stays as it is (contract §1, DATA_DIR)',
    async (_, spoil, says) => {
      const directory = await makeDataDirectory();
      await spoil(directory);
      const files = async () => (await readdir(directory, { recursive: true })).toSorted();
      const before = await files();

      await expect(openEmbedded(directory)).rejects.toThrow(says);

      expect((await files()).filter((name) => !/^latchkey\.|postmaster/.test(name))).toEqual(before);
    },
  );

  test('an empty folder gets a database, also where the folder of the database is there (contract §1)', async () => {
    const directory = await makeTemporaryDirectory();
    await mkdir(join(directory, 'database'));
    const told: unknown[] = [];
    const log = { info: (...line: readonly unknown[]) => void told.push(line.at(-1)), warn: () => {} };

    const database = await openEmbedded(directory, { log });
    onTestFinished(database.close);

    await writeRow(database);
    expect(await readRows(database)).toEqual(['acme']);
    expect(told).toEqual(['DATA_DIR has no database yet; making one', 'the database was migrated']);
  });

  test('statements are shown to the query logger, as on PostgreSQL', async () => {
    const statements: string[] = [];
    const database = await openEmbedded(await makeDataDirectory(), {
      queryLogger: { logQuery: (statement) => void statements.push(statement) },
    });
    onTestFinished(database.close);
    statements.splice(0);

    await database.db.execute(sql`select 1`);

    expect(statements).toEqual(['select 1']);
  });

  test('expired rows are deleted in batches, as on PostgreSQL (security C77)', async () => {
    const database = await openEmbedded(await makeDataDirectory());
    onTestFinished(database.close);
    const now = new Date();
    const rows = Array.from({ length: batchRows + 2 }, (_, n) => ({ key: `${n}`, count: 1, resetAt: now }));
    await database.db.insert(rateLimits).values(rows);
    const expired = pastLife(rateLimits.resetAt)(new Date(now.getTime() + 1));

    expect(await deleteBatch(database.db, expired)).toBe(batchRows);
    expect(await deleteOnWalk(database.db, { ...expired, key: rateLimits.key }, undefined)).toBeUndefined();

    expect(await database.db.$count(rateLimits)).toBe(0);
  });

  test('an opening that fails gives the directory back', async () => {
    const directory = await makeTemporaryDirectory();
    await mkdir(join(directory, 'database'));
    await writeFile(join(directory, 'database/PG_VERSION'), 'not a version');
    const other = await startLineProcess('directory-holder-process.ts');
    onTestFinished(other.kill);

    await expect(openEmbedded(directory)).rejects.toThrow();

    expect(await other.ask(directory)).toBe('held');
  });
});
