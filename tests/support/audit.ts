import { and, asc, eq, ne, or, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { type AuditContext, systemContext } from '../../src/platform/audit/context.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import type { Db } from '../../src/platform/database.ts';
import { keyOf } from '../../src/platform/limits/store.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import type { TestService } from './service.ts';

/** Lets someone have made so many of today's changes that could be made again and again. */
export async function countChanges(
  { database, clock }: TestService,
  { actorId = null, actorClientId = null }: Partial<Pick<AuditContext, 'actorId' | 'actorClientId'>>,
  count: number,
): Promise<void> {
  const key = keyOf('changes', [actorId ?? '', actorClientId ?? '']);
  const resetAt = new Date(clock.now().getTime() + 86_400_000);
  await database.db
    .insert(rateLimits)
    .values({ key, count, resetAt })
    .onConflictDoUpdate({ target: rateLimits.key, set: { count, resetAt } });
}

/** For what a test does past the pages. */
export function contextOf({ clock }: Pick<TestService, 'clock'>): AuditContext {
  return systemContext(clock.now());
}

/** What is recorded about a user, or by them, since they have an account, oldest first. */
export async function eventsOf({ database }: TestService, { id }: { readonly id: number }) {
  const isConcerned = or(eq(auditEvents.userId, id), eq(auditEvents.actorId, id));
  const isLater = ne(auditEvents.action, 'user.created');
  return database.db.select().from(auditEvents).where(and(isConcerned, isLater)).orderBy(asc(auditEvents.id));
}

export async function actionsOf(service: TestService, user: { readonly id: number }) {
  return (await eventsOf(service, user)).map(({ action }) => action);
}

/** Told apart by their label, however many others there are. */
export async function addOldEvents(to: Db, label: string, days: number, count = 1): Promise<void> {
  await to.execute(sql`
    insert into audit_events (at, action, label)
    select now() - ${days} * interval '1 day', 'client.registered', ${label} from generate_series(1, ${count})`);
}

export const countLabelled = (among: Db, label: string): Promise<number> =>
  among.$count(auditEvents, sql`${auditEvents.label} = ${label}`);

/** Triggers keep every event of the last year, whichever database it is. */
export async function checkAppendOnly(opened: Db): Promise<void> {
  const refused = { cause: { message: expect.stringContaining('append-only') } };
  await addOldEvents(opened, 'kept', 364);
  await addOldEvents(opened, 'expired', 366);

  await expect(opened.update(auditEvents).set({ action: 'user.restored' })).rejects.toMatchObject(refused);
  await expect(opened.delete(auditEvents)).rejects.toMatchObject(refused);
  await expect(opened.execute(sql`truncate audit_events`)).rejects.toMatchObject(refused);
  await opened.delete(auditEvents).where(sql`${auditEvents.label} = 'expired'`);

  expect(await countLabelled(opened, 'kept')).toBe(1);
  expect(await countLabelled(opened, 'expired')).toBe(0);
}
