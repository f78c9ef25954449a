import { type SQL, sql } from 'drizzle-orm';
import type { TestDatabase } from './database.ts';

/** Takes a table away while `act` runs: every statement that names it is a fault. */
export async function withoutTable<Result>(
  { db }: TestDatabase,
  table: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const [name, away] = [sql.identifier(table), sql.identifier(`${table}_away`)];
  await db.execute(sql`alter table ${name} rename to ${away}`);
  try {
    return await act();
  } finally {
    await db.execute(sql`alter table ${away} rename to ${name}`);
  }
}

/** Lets every insert into a table fail with an SQLSTATE while `act` runs; the table can still be read. */
export async function refusingInserts<Result>(
  database: TestDatabase,
  table: string,
  act: () => Promise<Result>,
  code = 'P0001',
): Promise<Result> {
  const name = sql.identifier(table);
  return withTrigger(
    database,
    sql`create trigger refuse before insert on ${name} for each row execute function refuse()`,
    act,
    code,
  );
}

/** Lets every transaction that has changed a table fail while `act` runs, at its very end. */
export async function refusingCommits<Result>(
  database: TestDatabase,
  table: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const name = sql.identifier(table);
  return withTrigger(
    database,
    sql`create constraint trigger refuse after insert or update on ${name} deferrable initially deferred
      for each row execute function refuse()`,
    act,
  );
}

async function withTrigger<Result>(
  { db }: TestDatabase,
  trigger: SQL,
  act: () => Promise<Result>,
  code = 'P0001',
): Promise<Result> {
  const raise = sql.raw(`raise exception 'refused' using errcode = '${code}'`);
  await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin ${raise}; end $$`);
  try {
    await db.execute(trigger);
    return await act();
  } finally {
    await db.execute(sql`drop function refuse() cascade`);
  }
}
