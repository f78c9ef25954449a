import { and, eq, sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { clientValuesOf } from '../../src/oauth/clients/edits/change.ts';
import type { ClientEventKind } from '../../src/oauth/clients/status.ts';
import { isStillRemembered } from '../../src/oauth/standing.ts';
import { clientEdits, clientEvents, clients, rememberedConsents } from '../../src/oauth/tables.ts';
import { findClientRow, reviewHome } from './registration.ts';
import type { TestService } from './service.ts';

type Edit = Omit<typeof clientEdits.$inferInsert, 'clientId' | 'submittedAt'>;

/** Lets the owner of an accepted client submit new values, past the settings page; what is not said stays as it is. */
export async function submitEdit(
  service: TestService,
  clientId: string,
  changes: Partial<Edit> = {},
): Promise<void> {
  const { db } = service.database;
  const client = await bumpRevision(service, clientId);
  const edit = { ...clientValuesOf(client), ...changes };
  await db.insert(clientEdits).values({ ...edit, clientId, submittedAt: service.clock.now() });
  await addEvent(service, clientId, 'edit_submitted', client.ownerId);
}

/** Lets the owner replace a waiting edit, past the settings page. */
export async function replaceEdit(
  service: TestService,
  clientId: string,
  changes: Partial<Edit>,
): Promise<void> {
  const { db } = service.database;
  const { ownerId } = await bumpRevision(service, clientId);
  await db.update(clientEdits).set(changes).where(eq(clientEdits.clientId, clientId));
  await addEvent(service, clientId, 'edit_submitted', ownerId);
}

/** Lets the owner change a pending client, past the settings page; nothing when it waits no more. */
export async function changePending(
  service: TestService,
  clientId: string,
  changes: Partial<typeof clients.$inferInsert>,
): Promise<void> {
  const [changed] = await service.database.db
    .update(clients)
    .set({ ...changes, revision: sql`${clients.revision} + 1` })
    .where(and(eq(clients.id, clientId), eq(clients.status, 'pending')))
    .returning({ ownerId: clients.ownerId });
  if (changed !== undefined) await addEvent(service, clientId, 'changed', changed.ownerId);
}

/** Lets the owner of a rejected client submit it again, past the settings page. */
export async function resubmit(service: TestService, clientId: string): Promise<void> {
  const { ownerId } = await bumpRevision(service, clientId);
  const again = { status: 'pending', submittedAt: service.clock.now() } as const;
  await service.database.db.update(clients).set(again).where(eq(clients.id, clientId));
  await addEvent(service, clientId, 'resubmitted', ownerId);
}

/** Lets the owner take the waiting edit back, past the settings page. */
export async function withdrawEdit(service: TestService, clientId: string): Promise<void> {
  await service.database.db.delete(clientEdits).where(eq(clientEdits.clientId, clientId));
  await bumpRevision(service, clientId);
  await addEvent(service, clientId, 'edit_withdrawn', null);
}

async function bumpRevision({ database }: TestService, clientId: string) {
  const [client] = await database.db
    .update(clients)
    .set({ revision: sql`${clients.revision} + 1` })
    .where(eq(clients.id, clientId))
    .returning();
  if (client === undefined) throw new Error('there is no such client');
  return client;
}

/** Adds a line to a client's history. */
export async function addEvent(
  { database, clock }: TestService,
  clientId: string,
  kind: ClientEventKind,
  actorId: number | null,
  reason: string | null = null,
): Promise<void> {
  await database.db.insert(clientEvents).values({ clientId, kind, actorId, reason, at: clock.now() });
}

/** Lets a user be asked no more about a client. */
export async function rememberConsent(
  { database, clock }: TestService,
  clientId: string,
  userId: number,
): Promise<void> {
  await database.db
    .insert(rememberedConsents)
    .values({ clientId, userId, redirectUri: 'https://app.example/callback', rememberedAt: clock.now() });
}

/** Everything that a decision about a client may change. */
export async function stateOf(service: TestService, clientId: string) {
  const { db } = service.database;
  const [client, edits, events, consents] = await Promise.all([
    findClientRow(service, clientId),
    db.select().from(clientEdits).where(eq(clientEdits.clientId, clientId)),
    db.select().from(clientEvents).where(eq(clientEvents.clientId, clientId)).orderBy(clientEvents.id),
    db
      .select()
      .from(rememberedConsents)
      .where(and(eq(rememberedConsents.clientId, clientId), isStillRemembered)),
  ]);
  return { client, edit: edits[0], events, consents };
}

/** The page on which an admin judges a client. */
export async function openReviewPage(
  { app }: TestService,
  clientId: string,
  cookie: string,
): Promise<LightMyRequestResponse> {
  return app.inject({ url: `${reviewHome}/${clientId}`, headers: { cookie } });
}
