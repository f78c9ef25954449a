import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { roles } from '../person.ts';

/** Sorts people by their role: owners first, members last. */
export function byRank(role: AnyColumn): SQL {
  const ranks = roles.map((name, rank) => sql`when ${name} then ${sql.raw(String(rank))}`);
  return sql`case ${role} ${sql.join(ranks, sql` `)} end`;
}
