import { asc, eq, or } from 'drizzle-orm';
import { pino } from 'pino';
import { type AuditContext, systemContext } from '../../src/platform/audit/store.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import type { TestService } from './service.ts';

/** For what a test does past the pages. */
export function contextOf({ clock }: Pick<TestService, 'clock'>): AuditContext {
  return systemContext(clock.now(), pino({ level: 'silent' }));
}

/** What is recorded about a user, or by them, oldest first. */
export async function eventsOf({ database }: TestService, { id }: { readonly id: number }) {
  const isConcerned = or(eq(auditEvents.userId, id), eq(auditEvents.actorId, id));
  return database.db.select().from(auditEvents).where(isConcerned).orderBy(asc(auditEvents.id));
}

export async function actionsOf(service: TestService, user: { readonly id: number }) {
  return (await eventsOf(service, user)).map(({ action }) => action);
}
