import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { inTransaction, together } from '../../src/platform/database.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';

const database = await openTestDatabase();
const { db, close } = await openPostgres(database.url);
afterAll(close);
afterAll(database.close);
const written = () => queryRows(database.url, 'select text from noted order by text');
const insert = (text: string | null) => sql`insert into noted values (${text}::text)`;
await db.execute(sql`create table noted (text text not null)`);

test('what goes out with the commit undoes everything where it fails, while the rest still waits', async () => {
  const failing = inTransaction(db, async (tx, last) => {
    await tx.execute(insert('first'));
    last(tx.execute(sql`select 1 / 0`));
    await sleep(100);
    await tx.execute(sql`select 1`);
  });

  await expect(failing).rejects.toMatchObject({ cause: { code: '22012' } });
  expect(await written()).toEqual([]);
});

test('what goes out with the commit is undone where the rest fails, and no failure is left unhandled', async () => {
  const failing = inTransaction(db, async (tx, last) => {
    const refused = together([tx.execute(insert(null)), tx.execute(insert('beside'))]);
    last(tx.execute(insert('last')));
    await refused;
  });

  await expect(failing).rejects.toMatchObject({ cause: { code: '23502' } });
  expect(await written()).toEqual([]);
});

test('what is asked together, and with the commit, is sent once', async () => {
  await inTransaction(db, async (tx, last) => {
    last(tx.execute(insert('c')));
    return together([tx.execute(insert('a')), tx.execute(insert('b'))]);
  });

  expect(await written()).toEqual([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
});
