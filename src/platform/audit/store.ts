import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Belonging, rowsOf } from '../belongings.ts';
import type { Db } from '../database.ts';
import { counted, spendAll } from '../limits/store.ts';
import { count } from '../metrics/counters.ts';
import type { Expired } from '../retention/store.ts';
import { type AuditContext, ownClientId, ownClientPrefix } from './context.ts';
import { auditEvents, isAboutAnother } from './tables.ts';

type Row = typeof auditEvents.$inferInsert;

export interface AuditEvent
  extends Pick<Row, 'action' | 'userId' | 'clientId' | 'groupId' | 'objectId' | 'label' | 'reason'> {
  /**
   * Such an event has no limit of its own, though each is kept for a year. Endings aren't
   * repeatable.
   */
  readonly isRepeatable?: boolean;
}

/**
 * Belongs into the transaction of what happens, so that nothing goes unrecorded (security C73).
 * `userId` is the actor's by default. The log line, written before the commit, has ids only.
 *
 * @throws LimitReached when the actor has made too many changes today
 */
export async function recordAuditEvent(
  tx: Db,
  { log, ...context }: AuditContext,
  { isRepeatable = false, ...event }: AuditEvent,
): Promise<void> {
  if (isRepeatable) await countChange(tx, context); // protects: C73
  await recordAuditEvents(tx, { log, ...context }, [event]); // protects: C73
}

const maxEvents = 1000;

/** Records what isn't repeatable, in one statement for each thousand. */
export async function recordAuditEvents(
  tx: Db,
  { log, ...context }: AuditContext,
  events: readonly Omit<AuditEvent, 'isRepeatable'>[],
): Promise<void> {
  const { actorId, actorClientId } = context;
  for (let start = 0; start < events.length; start += maxEvents) {
    const some = events.slice(start, start + maxEvents);
    await tx.insert(auditEvents).values(some.map((event) => ({ userId: actorId, ...context, ...event })));
  }
  for (const { label: _label, reason: _reason, ...ids } of events) {
    count('audit_events', ids.action);
    log?.info({ audit: { actorId, actorClientId, userId: actorId, ...ids } }, 'recorded');
  }
}

/** A client changes things for all users whom it manages. */
const timesOfClient = 60;

async function countChange(
  tx: Db,
  { at, actorId, actorClientId }: Pick<AuditContext, 'at' | 'actorId' | 'actorClientId'>,
): Promise<void> {
  if (actorId === null && actorClientId === null) return;
  const isOwn = ownClientId.test(actorClientId ?? '');
  const client = isOwn ? ownClientPrefix : (actorClientId ?? ''); // protects: C289
  await spendAll(tx, [counted('changes', [actorId ?? '', client], actorId === null ? timesOfClient : 1)], at);
}

export const auditBelongings: readonly Belonging[] = [
  {
    table: auditEvents,
    of: [auditEvents.userId, auditEvents.actorId],
    exported: (_db, { id }) => {
      // An admin's name and network are theirs (contract §1).
      const unlessAnothers = (column: PgColumn): SQL =>
        sql`case when ${auditEvents.actorId} <> ${id} then null else ${column} end`;
      const { userId, actorId, address, userAgent, requestId } = auditEvents;
      return [
        rowsOf(auditEvents, or(eq(userId, id), and(eq(actorId, id), isAboutAnother(auditEvents))), {
          actorId: unlessAnothers(actorId),
          address: unlessAnothers(address),
          userAgent: unlessAnothers(userAgent),
          requestId: unlessAnothers(requestId),
        }),
      ];
    },
  },
];

const keptDays = 365;

/** The database's own clock counts, too: its trigger refuses to delete younger rows. */
export function expiredAuditEvents(now: Date): Expired {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const isExpired = and(lt(auditEvents.at, before), sql`${auditEvents.at} < now() - interval '365 days'`);
  return { table: auditEvents, isExpired };
}
