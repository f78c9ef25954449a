import { createInterface } from 'node:readline';
import { openPostgres } from '../../src/platform/database.ts';

/** Opens the PostgreSQL database whose address comes in as a line, as an instance of the service does, and answers how it went. */
process.stdout.write('started\n');
for await (const url of createInterface({ input: process.stdin })) {
  try {
    const database = await openPostgres(url);
    const isAlive = await database.isAlive();
    await database.close();
    process.stdout.write(isAlive ? 'opened\n' : 'opened, not alive\n');
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}
