import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/pg-core';
import { auditEvents, isAboutAnother } from '../../platform/audit/tables.ts';
import type { Db } from '../../platform/database.ts';
import { english } from '../../platform/words.ts';
import type { ListPosition } from '../../web/forms.ts';
import { groups, users } from '../tables.ts';

export interface EventFilter {
  /** Matches both who did it and whom it is about. */
  readonly personId?: number | undefined;
  readonly clientId?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  readonly behind?: ListPosition<number> | undefined;
}

const actors = alias(users, 'actors');

/** Lists events, newest first. Uses an index, and stops at the limit. */
export function listAuditEvents(db: Db, filter: EventFilter, limit: number) {
  const { personId } = filter;
  const { userId, actorId } = auditEvents;
  const listed =
    personId === undefined
      ? eventsWhere(db, undefined, filter, limit).as('listed')
      : unionAll(
          eventsWhere(db, eq(userId, personId), filter, limit),
          eventsWhere(db, and(eq(actorId, personId), isAboutAnother(auditEvents)), filter, limit),
        ).as('listed');
  return db
    .select({ event: auditEvents, actorName: actors.name, userName: users.name, groupName: groups.name })
    .from(listed)
    .innerJoin(auditEvents, eq(auditEvents.id, listed.id))
    .leftJoin(actors, eq(actors.id, auditEvents.actorId))
    .leftJoin(users, eq(users.id, auditEvents.userId))
    .leftJoin(groups, eq(groups.id, auditEvents.groupId))
    .orderBy(desc(listed.at), desc(listed.id))
    .limit(limit);
}

export type ListedEvent = Awaited<ReturnType<typeof listAuditEvents>>[number];

/** Returns the team for which something was done; undefined for events about the team. */
export function teamOf({ event, groupName }: ListedEvent, { t } = english): string | undefined {
  const isAbout = event.action.startsWith('group.') || event.action.startsWith('invitation.');
  return event.groupId === null || isAbout ? undefined : (groupName ?? t('a deleted team'));
}

function eventsWhere(
  db: Db,
  isOf: SQL | undefined,
  { clientId, action, from, until, behind }: EventFilter,
  limit: number,
) {
  const { id, at } = auditEvents;
  const condition = and(
    isOf,
    clientId === undefined ? undefined : eq(auditEvents.clientId, clientId),
    action === undefined ? undefined : sql`${auditEvents.action} = ${action}`,
    from && gte(at, from),
    until && lt(at, until),
    // Only a comparison of rows uses the index.
    behind && sql`(${at}, ${id}) < (${behind.at.toISOString()}::timestamptz, ${behind.id}::bigint)`,
  );
  return db.select({ id, at }).from(auditEvents).where(condition).orderBy(desc(at), desc(id)).limit(limit);
}
