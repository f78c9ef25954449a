import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { type Belonging, rowsOf } from '../belongings.ts';
import { auditEvents, isAboutAnother } from './tables.ts';

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
