import postgres from 'postgres';
import { checkSql } from './sql-check.mjs';

const sql = postgres(process.env.DATABASE_URL, { max: 10 });
await checkSql((statement, values) => sql.unsafe(statement, values));
await sql.end();
