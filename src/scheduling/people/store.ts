import { and, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { isBookable } from '../../accounts/store.ts';
import { users } from '../../accounts/tables.ts';
import { clients } from '../../oauth/tables.ts';
import type { Platform } from '../../platform/platform.ts';

/** Managed users go with their client: without it nobody could cancel (contract §1). */
export function mayBeBooked(config: Pick<Platform['config'], 'emailVerification'>): SQL | undefined {
  const isStillManaged = sql`exists (
    select from ${clients} where ${clients.id} = ${users.managingClientId} and ${clients.status} = 'accepted'
  )`;
  return and(isBookable(config), or(isNull(users.managingClientId), isStillManaged));
}

export async function isSomeoneBookable(
  { config, db }: Pick<Platform, 'config' | 'db'>,
  people: readonly { readonly id: number }[],
): Promise<boolean> {
  const ids = people.map(({ id }) => id);
  return (await db.$count(users, and(inArray(users.id, ids), mayBeBooked(config)))) > 0;
}
