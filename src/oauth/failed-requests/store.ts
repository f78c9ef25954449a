import { and, desc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import { advisoryLocks, type Db } from '../../platform/database.ts';
import { secondsBetween } from '../core/grant.ts';
import { clientSecrets, clients } from '../tables.ts';
import { type Diagnosis, type FailureReason, notRegistered } from './causes.ts';
import { failedTokenRequests } from './tables.ts';

type FailedRequestRow = typeof failedTokenRequests.$inferInsert;

export interface NotedRequest {
  readonly row: FailedRequestRow;
  /** A wrong client secret's hash is compared with the stored ones, and not kept. */
  readonly secretHash: string | undefined;
}

export const failureKeptDays = 7;
const maxOfReason = 20;
export const maxOfClient = 100;

/** Stores requests of existing clients only, and keeps no more rows than the limits say. */
export async function storeFailedRequests(db: Db, noted: readonly NotedRequest[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.failedRequests})`);
    const claimed = [...new Set(noted.map(({ row }) => row.clientId))];
    // The key share lock keeps clients from being deleted before their failed requests are stored.
    const known = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(inArray(clients.id, claimed))
      .for('key share');
    const clientIds = known.map(({ id }) => id);
    if (clientIds.length === 0) return;
    const secrets = await tx.select().from(clientSecrets).where(inArray(clientSecrets.clientId, clientIds));
    const rows = noted
      .filter(({ row }) => clientIds.includes(row.clientId))
      .map(({ row, secretHash }) => ({ ...row, cause: settleSecret(row, secretHash, secrets) }));
    await tx.insert(failedTokenRequests).values(rows);
    // Rows are limited by reason first, so that many of one kind don't push out the few of another.
    await tx.execute(sql`
      delete from failed_token_requests where id in (
        select id from (
          select id, rank, row_number() over (partition by client_id order by rank, at desc, id) as place from (
            select id, client_id, at,
              row_number() over (partition by client_id, reason order by at desc, id) as rank
            from failed_token_requests where ${inArray(failedTokenRequests.clientId, clientIds)}
          ) as of_reason
        ) as of_client where rank > ${maxOfReason} or place > ${maxOfClient}
      )`);
  });
}

function settleSecret(
  { clientId, cause, at }: FailedRequestRow,
  secretHash: string | undefined,
  stored: readonly (typeof clientSecrets.$inferSelect)[],
): Diagnosis {
  if (secretHash === undefined || cause.kind !== 'secret_wrong') return cause;
  const own = stored.filter((secret) => secret.clientId === clientId);
  const sent = own.find((secret) => secret.secretHash === secretHash);
  if (sent?.deletedAt)
    return {
      kind: 'secret_deleted',
      hint: sent.hint,
      secondsAgo: Math.max(0, secondsBetween(sent.deletedAt, at)),
    };
  return { ...cause, activeHints: own.filter(({ deletedAt }) => deletedAt === null).map(({ hint }) => hint) };
}

export async function listFailedRequests(db: Db, clientId: string, now: Date) {
  const { at, id } = failedTokenRequests;
  return db.select().from(failedTokenRequests).where(isKept(clientId, now)).orderBy(desc(at), desc(id));
}

/** Browsers' requests that were refused are none of the token endpoint. */
export async function findLastFailedTokenRequest(db: Db, clientId: string, now: Date) {
  const { at, id, reason, cause } = failedTokenRequests;
  const isOfToken = notInArray(reason, [...notRegistered]);
  const [last] = await db
    .select({ at, reason, cause })
    .from(failedTokenRequests)
    .where(and(isKept(clientId, now), isOfToken))
    .orderBy(desc(at), desc(id))
    .limit(1);
  return last;
}

export async function hasFailed(db: Db, clientId: string, reason: FailureReason, now: Date) {
  const isOne = and(isKept(clientId, now), eq(failedTokenRequests.reason, reason));
  return (await db.$count(failedTokenRequests, isOne)) > 0;
}

export async function countFailedRequests(db: Db, clientId: string, now: Date): Promise<number> {
  return db.$count(failedTokenRequests, isKept(clientId, now));
}

function isKept(clientId: string, now: Date) {
  const since = new Date(now.getTime() - failureKeptDays * 86_400_000);
  return and(eq(failedTokenRequests.clientId, clientId), gt(failedTokenRequests.at, since));
}
