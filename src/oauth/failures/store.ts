import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { advisoryLocks, type Db } from '../../io/database.ts';
import type { Findings, OpenQuestion } from '../core/examination.ts';
import type { Explanation } from '../core/explanation.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import { clientSecrets, clients, failedTokenRequests, grants } from '../tables.ts';
import type { Advice } from './advice.ts';

/** A failure that waits to be written: nothing in it is secret. */
export interface NotedFailure {
  readonly id: string;
  readonly clientId: string;
  readonly requestId: string;
  readonly reason: TokenRefusalReason;
  readonly at: Date;
  readonly examined: Explanation | OpenQuestion;
}

/** How long an owner can read of a failure. */
export const keptDays = 7;
/** Of each reason, and of each client. */
const mostOfReason = 20;
const mostOfClient = 100;

type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

/**
 * Writes the failures of clients that exist, each as `explain` puts it, and removes the oldest beyond what is kept, all or nothing.
 * However many write at once, a client never has more rows than the bounds say.
 */
export async function keepFailures(
  db: Db,
  noted: readonly NotedFailure[],
  explain: (failure: NotedFailure, findings: Findings) => Advice,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Whoever writes failures counts them, and so does it alone.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.failures})`);
    const findingsOf = await loadFindings(tx, noted);
    const rows = noted.flatMap((failure) => {
      const { examined: _examined, ...row } = failure;
      const findings = findingsOf(failure);
      return findings === undefined ? [] : [{ ...row, explanation: explain(failure, findings) }];
    });
    if (rows.length === 0) return;
    await tx.insert(failedTokenRequests).values(rows);
    await trim(tx, [...new Set(rows.map(({ clientId }) => clientId))]);
  });
}

/** What the failures' clients, their secrets and the grants in question are; undefined for a client that does not exist. */
async function loadFindings(
  tx: Tx,
  noted: readonly NotedFailure[],
): Promise<(failure: NotedFailure) => Findings | undefined> {
  const clientIds = [...new Set(noted.map(({ clientId }) => clientId))];
  const grantIds = noted.flatMap(({ examined }) =>
    examined.kind === 'which_grant' ? [examined.grantId] : [],
  );
  // Key share: none of them is deleted before its failures are written.
  const statuses = await tx
    .select({ id: clients.id, status: clients.status })
    .from(clients)
    .where(inArray(clients.id, clientIds))
    .for('key share');
  const secrets = await tx.select().from(clientSecrets).where(inArray(clientSecrets.clientId, clientIds));
  const found =
    grantIds.length === 0 ? [] : await tx.select().from(grants).where(inArray(grants.id, grantIds));
  return ({ clientId, examined }) => {
    const client = statuses.find(({ id }) => id === clientId);
    if (client === undefined) return undefined;
    const grantId = examined.kind === 'which_grant' ? examined.grantId : undefined;
    return {
      status: client.status,
      secrets: secrets.filter((secret) => secret.clientId === clientId),
      grant: found.find((grant) => grant.id === grantId && grant.clientId === clientId),
    };
  };
}

/** The newest of each reason outlive more of the same: who floods a client with one failure does not push out the others. */
async function trim(tx: Tx, clientIds: readonly string[]): Promise<void> {
  const { id, clientId, reason, at } = failedTokenRequests;
  const ofReason = tx.$with('of_reason').as(
    tx
      .select({
        id,
        clientId,
        at,
        rank: sql<number>`row_number() over (partition by ${clientId}, ${reason} order by ${at} desc, ${id})`.as(
          'rank',
        ),
      })
      .from(failedTokenRequests)
      .where(inArray(clientId, [...clientIds])),
  );
  const ofClient = tx.$with('of_client').as(
    tx
      .select({
        id: ofReason.id,
        rank: ofReason.rank,
        place:
          sql<number>`row_number() over (partition by ${ofReason.clientId} order by ${ofReason.rank}, ${ofReason.at} desc, ${ofReason.id})`.as(
            'place',
          ),
      })
      .from(ofReason),
  );
  const beyond = tx
    .with(ofReason, ofClient)
    .select({ id: ofClient.id })
    .from(ofClient)
    .where(sql`${ofClient.rank} > ${mostOfReason} or ${ofClient.place} > ${mostOfClient}`);
  await tx.delete(failedTokenRequests).where(inArray(id, beyond));
}

/** A client's failures that an owner may still read, newest first; of one request, if its id is given. */
export async function listFailures(db: Db, clientId: string, requestId: string | undefined, now: Date) {
  return db
    .select()
    .from(failedTokenRequests)
    .where(
      and(
        eq(failedTokenRequests.clientId, clientId),
        gt(failedTokenRequests.at, keptSince(now)),
        requestId === undefined ? undefined : eq(failedTokenRequests.requestId, requestId),
      ),
    )
    .orderBy(desc(failedTokenRequests.at), desc(failedTokenRequests.id));
}

/** Removes what nobody can read any more. */
export async function sweepFailures(db: Db, now: Date): Promise<void> {
  await db.delete(failedTokenRequests).where(lt(failedTokenRequests.at, keptSince(now)));
}

function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptDays * 86_400_000);
}
