import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { users } from '../../../accounts/tables.ts';
import type { Db } from '../../../io/database.ts';
import type { ClientEventKind } from '../../core/client.ts';
import { clientEvents, clients } from '../../tables.ts';

export interface NewEvent {
  readonly clientId: string;
  readonly kind: ClientEventKind;
  readonly actorId: number;
  /** Of a refusal. */
  readonly reason?: string | null;
}

/** One more line of a client's history; it goes with the change that it tells of, in one transaction. */
export async function noteEvent(tx: Db, event: NewEvent, now: Date): Promise<void> {
  await tx.insert(clientEvents).values({ ...event, at: now });
}

/** What happened to a client and who did it, latest first; at most `limit` lines. The name is null when the account is gone. */
export async function listEvents(db: Db, clientId: string, limit: number) {
  return db
    .select({
      kind: clientEvents.kind,
      actorName: users.name,
      reason: clientEvents.reason,
      at: clientEvents.at,
    })
    .from(clientEvents)
    .leftJoin(users, eq(users.id, clientEvents.actorId))
    .where(eq(clientEvents.clientId, clientId))
    .orderBy(desc(clientEvents.id))
    .limit(limit);
}

/** Of a statement about clients: whether a client is rejected because it was suspended, as the last refusal in its history says. */
export function isSuspended(db: Db): SQL<boolean> {
  const lastRefusal = db
    .select({ kind: clientEvents.kind })
    .from(clientEvents)
    .where(and(eq(clientEvents.clientId, clients.id), inArray(clientEvents.kind, ['rejected', 'suspended'])))
    .orderBy(desc(clientEvents.id))
    .limit(1);
  return sql<boolean>`coalesce(${clients.status} = 'rejected' and ${lastRefusal} = 'suspended', false)`;
}
