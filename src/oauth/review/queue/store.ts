import { and, asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, unionAll } from 'drizzle-orm/pg-core';
import { users } from '../../../accounts/tables.ts';
import type { Db } from '../../../platform/database.ts';
import type { ListPosition } from '../../../web/forms.ts';
import { isSuspended } from '../../clients/store.ts';
import { type ReviewStatus, reviewStatuses } from '../../core/client.ts';
import { isApp } from '../../standing.ts';
import { clientEdits, clients } from '../../tables.ts';

export const listStatuses = ['waiting', 'accepted', 'rejected', 'all'] as const;
export type QueueStatus = (typeof listStatuses)[number];

export interface Listing {
  readonly status: QueueStatus;
  readonly search: string;
  readonly after: ListPosition<string> | undefined;
  readonly limit: number;
}

/** What waits comes oldest first, so that nothing is forgotten. Sources stop at the limit. */
export function listApps(db: Db, listing: Listing) {
  const { status, limit } = listing;
  const listed =
    status === 'all'
      ? unionAll(
          clientsOf(db, reviewStatuses[0], listing),
          clientsOf(db, reviewStatuses[1], listing),
          clientsOf(db, reviewStatuses[2], listing),
        ).as('listed')
      : status === 'waiting'
        ? unionAll(clientsOf(db, 'pending', listing), waitingEdits(db, listing)).as('listed')
        : clientsOf(db, status, listing).as('listed');
  return db
    .select({
      ...getTableColumns(clients),
      ownerName: users.name,
      ownerEmail: users.email,
      isSuspended,
      edit: clientEdits,
      submittedAt: listed.at,
    })
    .from(listed)
    .innerJoin(clients, eq(clients.id, listed.id))
    .leftJoin(users, eq(users.id, clients.ownerId))
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .orderBy(...orderOf(listed.at, listed.id, listing))
    .limit(limit);
}

function clientsOf(db: Db, status: ReviewStatus, listing: Listing) {
  return db
    .select({ id: clients.id, at: clients.submittedAt })
    .from(clients)
    .leftJoin(users, eq(users.id, clients.ownerId))
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(
      and(
        eq(clients.status, status),
        isApp,
        isBeyond(clients.submittedAt, clients.id, listing),
        matches(listing),
      ),
    )
    .orderBy(...orderOf(clients.submittedAt, clients.id, listing))
    .limit(listing.limit);
}

function waitingEdits(db: Db, listing: Listing) {
  return db
    .select({ id: clientEdits.clientId, at: clientEdits.submittedAt })
    .from(clientEdits)
    .innerJoin(clients, eq(clients.id, clientEdits.clientId))
    .leftJoin(users, eq(users.id, clients.ownerId))
    .where(
      and(
        eq(clientEdits.status, 'pending'),
        eq(clients.status, 'accepted'),
        isBeyond(clientEdits.submittedAt, clientEdits.clientId, listing),
        matches(listing),
      ),
    )
    .orderBy(...orderOf(clientEdits.submittedAt, clientEdits.clientId, listing))
    .limit(listing.limit);
}

const isAscending = ({ status }: Listing): boolean => status === 'waiting';

function orderOf(at: AnyPgColumn, id: AnyPgColumn, listing: Listing): readonly [SQL, SQL] {
  return isAscending(listing) ? [asc(at), asc(id)] : [desc(at), desc(id)];
}

function isBeyond(at: AnyPgColumn, id: AnyPgColumn, listing: Listing): SQL | undefined {
  const { after } = listing;
  if (after === undefined) return undefined;
  const position = sql`(${after.at.toISOString()}::timestamptz, ${after.id}::text)`;
  return isAscending(listing) ? sql`(${at}, ${id}) > ${position}` : sql`(${at}, ${id}) < ${position}`;
}

const hostOf = (uri: SQL) =>
  sql`coalesce(substring(${uri} from '^https?://([^/?#]*)'), substring(${uri} from '^([^:]*):'))`;

/** Searches name, client ID, the owner's email address and hosts, an edit's too. */
function matches({ search }: Listing): SQL | undefined {
  if (search === '') return undefined;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const hasHost = (uris: SQL) =>
    sql`exists (select 1 from unnest(${uris}) as uri where ${hostOf(sql`uri`)} ilike ${pattern})`;
  return or(
    sql`${clients.name} ilike ${pattern}`,
    sql`${clients.id} ilike ${pattern}`,
    sql`${users.email} ilike ${pattern}`,
    sql`${clientEdits.name} ilike ${pattern}`,
    ...[clients, clientEdits].map((of) =>
      hasHost(sql`${of.redirectUris} || ${of.postLogoutRedirectUris} || ${of.websiteUrl}`),
    ),
  );
}

/** Apps and edits that wait for a review are counted up to this number. */
const maxCountedApps = 99;

export async function countWaitingApps({ db }: { readonly db: Db }): Promise<number> {
  const apps = db.select({ id: clients.id }).from(clients).where(eq(clients.status, 'pending'));
  const edits = db
    .select({ id: clientEdits.clientId })
    .from(clientEdits)
    .innerJoin(clients, eq(clients.id, clientEdits.clientId))
    .where(and(eq(clientEdits.status, 'pending'), eq(clients.status, 'accepted')));
  const some = unionAll(apps.limit(maxCountedApps), edits.limit(maxCountedApps));
  return db.$count(some.limit(maxCountedApps).as('some'));
}

/** Lists approved apps that have this name, in any case. */
export async function listNamed(db: Db, name: string) {
  const isNamed = sql`lower(${clients.name}) = lower(${name})`;
  return db
    .select({ id: clients.id, ownerId: clients.ownerId, name: clients.name })
    .from(clients)
    .where(and(eq(clients.status, 'accepted'), isNamed, isApp)) // protects: C280
    .limit(250);
}
