import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openPostgres } from '../../src/platform/open-database.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { openTestDatabase } from '../support/database.ts';
import { startLineProcess } from './line-process.ts';

const testDatabase = await openTestDatabase();
atTheEnd(testDatabase.close);

test('a statement that fails between its first row and its end does not shift the rows of the next one (security C68)', async () => {
  const database = await openPostgres(testDatabase.url, { maxConnections: 1 });
  atTheEnd(database.close);
  const failing = database.db.execute(sql`select 1 / (3 - number) from generate_series(1, 5) as number`);
  await expect(failing).rejects.toThrow();

  const rows = await database.db.execute(sql`select number from generate_series(1, 3) as number`);

  expect(rows).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test.each(['dev', 'demo', 'node'])(
  '`npm run %s`, from the sources, has the corrected driver, too',
  async (script) => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');

    expect(JSON.parse(manifest).scripts[script]).toContain('--import=./patches/register.ts');
  },
);

test('a process from the sources sees every row in its place (security C68)', async () => {
  const process = await startLineProcess('database-opener-process.ts');
  atTheEnd(process.kill);

  expect(await process.ask(testDatabase.url)).toBe('opened');
});
