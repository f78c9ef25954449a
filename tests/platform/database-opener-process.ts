import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { openPostgres } from '../../src/platform/open-database.ts';

/** Opens the PostgreSQL database whose address comes in as a line, as an instance of the service does, asks it, and answers how it went. */
process.stdout.write('started\n');
for await (const url of createInterface({ input: process.stdin })) {
  try {
    const database = await openPostgres(url, { maxConnections: 1 });
    const failing = sql`select 1 / (3 - number) from generate_series(1, 5) as number`;
    await database.db.execute(failing).catch(() => {});
    const rows = await database.db.execute(sql`select 1 as number`);
    const areShifted = JSON.stringify(rows) !== '[{"number":1}]';
    const isAlive = await database.isAlive();
    await database.close();
    process.stdout.write(areShifted ? 'rows are shifted\n' : isAlive ? 'opened\n' : 'opened, not alive\n');
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}
