import { and, isNull, or, type SQL, sql } from 'drizzle-orm';
import { unverifiedDays } from '../../accounts/sign-up/store.ts';
import { isBookable } from '../../accounts/store.ts';
import { emailVerifications, memberships, users } from '../../accounts/tables.ts';
import { clients, grants } from '../../oauth/tables.ts';
import type { Platform } from '../../platform/platform.ts';
import { batchRows, type Expired } from '../../platform/retention/store.ts';
import { bookingHosts, calendars } from '../tables.ts';

/** Managed users go with their client: without it nobody could cancel (contract §1). */
export function mayBeBooked(config: Pick<Platform['config'], 'emailVerification'>): SQL | undefined {
  const isStillManaged = sql`exists (
    select from ${clients} where ${clients.id} = ${users.managingClientId} and ${clients.status} = 'accepted'
  )`;
  return and(isBookable(config), or(isNull(users.managingClientId), isStillManaged));
}

/**
 * Accounts that someone signed up for and never verified, with nothing in them but hours and event
 * types: they would keep addresses and usernames from others. Never where nobody has to verify
 * anything.
 */
export function expiredSignUps({ emailVerification }: Platform['config'], now: Date): Expired {
  const { userId, browserHash, createdAt } = emailVerifications;
  const before = new Date(now.getTime() - unverifiedDays * 86_400_000).toISOString();
  // The oldest, by index: what stays in spite of its age loses its mark a day later.
  const oldest = sql`select ${userId} from ${emailVerifications}
    where ${createdAt} <= ${before}::timestamptz and ${browserHash} is not null order by ${createdAt} limit ${batchRows}`;
  const isEmpty = [memberships, bookingHosts, calendars, grants].map(
    (table) => sql`not exists (select from ${table} where ${table.userId} = ${users.id})`,
  );
  const isExpired = and(
    sql`${emailVerification} = 'required'`,
    sql`${users.id} = any(array(${oldest}))`,
    isNull(users.emailVerifiedAt),
    isNull(users.suspendedAt),
    ...isEmpty,
    sql`not exists (select from ${clients} where ${clients.ownerId} = ${users.id})`,
  );
  return { table: users, isExpired };
}
