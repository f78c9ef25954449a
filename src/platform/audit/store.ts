import { and, asc, inArray, lt, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../database.ts';
import { auditEvents } from './tables.ts';

type Row = typeof auditEvents.$inferInsert;

/** Who does something, when and from where; a visitor has no actor. */
export interface AuditContext
  extends Required<Pick<Row, 'at' | 'actorId' | 'actorClientId' | 'address' | 'userAgent' | 'requestId'>> {
  readonly log: Pick<FastifyBaseLogger, 'info'>;
}

/** For what no request causes. */
export function systemContext(at: Date, log: AuditContext['log']): AuditContext {
  return { at, log, actorId: null, actorClientId: null, address: null, userAgent: null, requestId: null };
}

export type AuditEvent = Pick<
  Row,
  'action' | 'userId' | 'clientId' | 'groupId' | 'objectId' | 'label' | 'reason'
>;

/**
 * In the transaction of the thing itself, so that nothing happens unrecorded (security C73). It's
 * about the actor's own account unless `userId` says otherwise. The log line, written before the
 * commit, has ids only.
 */
export async function recordAuditEvent(
  tx: Pick<Db, 'insert'>,
  { log, ...context }: AuditContext,
  event: AuditEvent,
): Promise<void> {
  const { actorId, actorClientId } = context;
  await tx.insert(auditEvents).values({ userId: actorId, ...context, ...event });
  const { label: _label, reason: _reason, ...ids } = event;
  log.info({ audit: { actorId, actorClientId, userId: actorId, ...ids } }, 'recorded');
}

const batch = 1000;
/** Of one run, so that a cleanup ends. */
const maxBatches = 100;

/** The database's own clock counts too: its trigger refuses to delete what is younger. */
export async function deleteExpiredAuditEvents(db: Db, before: Date): Promise<void> {
  const isExpired = and(lt(auditEvents.at, before), sql`${auditEvents.at} < now() - interval '365 days'`);
  for (let count = 0; count < maxBatches; count += 1) {
    const oldest = db
      .select({ id: auditEvents.id })
      .from(auditEvents)
      .where(isExpired)
      .orderBy(asc(auditEvents.at), asc(auditEvents.id))
      .limit(batch);
    const deleted = await db
      .delete(auditEvents)
      .where(inArray(auditEvents.id, oldest))
      .returning({ id: auditEvents.id });
    if (deleted.length < batch) return;
  }
}
