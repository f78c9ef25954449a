import { globSync } from 'node:fs';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';

const folder = join(import.meta.dirname, '../../src');
const modules = await Promise.all(
  globSync('**/tables.ts', { cwd: folder }).map(async (path): Promise<object> => import(join(folder, path))),
);

/** All tables, of whatever parts there are. */
export const allTables: readonly PgTable[] = modules.flatMap((module) =>
  Object.values(module).filter((one) => is(one, PgTable)),
);
