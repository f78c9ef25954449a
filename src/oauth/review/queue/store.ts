import { and, asc, desc, eq, getTableColumns, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type AnyPgColumn, unionAll } from 'drizzle-orm/pg-core';
import { users } from '../../../accounts/tables.ts';
import type { Db } from '../../../platform/database.ts';
import type { ListPosition } from '../../../web/forms.ts';
import { countWaiting, isSuspended, isWaitingEdit } from '../../clients/store.ts';
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
  const of = (source: Source) => listedOf(db, source, listing);
  const some =
    status === 'all'
      ? unionAll(of(apps(reviewStatuses[0])), of(apps(reviewStatuses[1])), of(apps(reviewStatuses[2])))
      : status === 'waiting'
        ? unionAll(of(apps('pending')), of(edits))
        : of(apps(status));
  const listed = some.as('listed');
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

interface Source {
  readonly isOne: SQL | undefined;
  readonly at: AnyPgColumn;
  readonly id: AnyPgColumn;
}

const apps = (status: ReviewStatus): Source => ({
  isOne: and(eq(clients.status, status), isApp),
  at: clients.submittedAt,
  id: clients.id,
});

const edits: Source = { isOne: isWaitingEdit, at: clientEdits.submittedAt, id: clientEdits.clientId };

function listedOf(db: Db, { isOne, at, id }: Source, listing: Listing) {
  return db
    .select({
      id: sql<string>`${id}`.as('listed_id'),
      at: sql`${at}`.mapWith(clients.submittedAt).as('listed_at'),
    })
    .from(clients)
    .leftJoin(users, eq(users.id, clients.ownerId))
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(and(isOne, isBeyond(at, id, listing), matches(listing)))
    .orderBy(...orderOf(at, id, listing))
    .limit(listing.limit);
}

const isAscending = ({ status }: Listing): boolean => status === 'waiting';

function orderOf(at: SQLWrapper, id: SQLWrapper, listing: Listing): readonly [SQL, SQL] {
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
  return countWaiting(db, undefined, maxCountedApps);
}

/** Lists approved apps that have this name, in any case. */
export async function listNamed(db: Db, name: string) {
  const isNamed = sql`lower(${clients.name}) = lower(${name})`;
  return db
    .select({ id: clients.id, ownerId: clients.ownerId, name: clients.name })
    .from(clients)
    .where(
      and(
        eq(clients.status, 'accepted'),
        isNamed,
        isApp, // protects: C280
      ),
    )
    .limit(250);
}
