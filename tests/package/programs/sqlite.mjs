import { checkSql } from './sql-check.mjs';

/** The SQLite that the runtime brings: Node.js has one since 22, and Deno has the same; Bun has its own. */
async function openDatabase() {
  if ('Bun' in globalThis) {
    const { Database } = await import('bun:sqlite');
    const database = new Database(':memory:');
    return (statement) => database.query(statement);
  }
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(':memory:');
  return (statement) => database.prepare(statement);
}

const prepare = await openDatabase();
await checkSql(async (statement, values) => prepare(statement).all(...values), '?1');
