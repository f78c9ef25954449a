import { and, eq, isNull, sql } from 'drizzle-orm';
import { users } from '../../../accounts/tables.ts';
import type { Db } from '../../../platform/database.ts';
import type { IdTokenAlgorithm } from '../../core/client.ts';
import { clientEdits, clients } from '../../tables.ts';
import { type ClientValues, clientValuesOf } from './change.ts';

/** Locks client and edit until the transaction ends. Returns undefined if it's another owner's. */
export async function lockOwnClient(tx: Db, id: string, ownerId: number | null) {
  const [found] = await tx
    .select({ client: clients, owner: { name: users.name, email: users.email } })
    .from(clients)
    .leftJoin(users, eq(users.id, clients.ownerId))
    .where(and(eq(clients.id, id), ownerId === null ? isNull(clients.ownerId) : eq(clients.ownerId, ownerId)))
    .for('update', { of: clients });
  if (found === undefined) return undefined;
  const [edit] = await tx.select().from(clientEdits).where(eq(clientEdits.clientId, id)).for('update');
  return { ...found.client, owner: found.owner, edit };
}

type Changed = Partial<typeof clients.$inferSelect>;

/** The next revision keeps a review of the former values from applying to these. */
export async function reviseClient(tx: Db, id: string, changed: Changed): Promise<void> {
  const revision = sql`${clients.revision} + 1`;
  await tx
    .update(clients)
    .set({ ...changed, revision })
    .where(eq(clients.id, id));
}

export async function saveEdit(tx: Db, clientId: string, values: ClientValues, now: Date): Promise<void> {
  const edit = {
    ...clientValuesOf(values),
    status: 'pending',
    rejectionReason: null,
    submittedAt: now,
  } as const;
  await tx
    .insert(clientEdits)
    .values({ ...edit, clientId })
    .onConflictDoUpdate({ target: clientEdits.clientId, set: edit });
}

export async function keepLogo(
  tx: Db,
  client: Pick<typeof clients.$inferSelect, 'id' | 'status'>,
  logoId: string | null,
) {
  if (client.status === 'rejected') await tx.update(clients).set({ logoId }).where(eq(clients.id, client.id));
  else await tx.update(clientEdits).set({ logoId }).where(eq(clientEdits.clientId, client.id));
}

export async function keepIdTokenAlgorithm(
  tx: Db,
  id: string,
  idTokenAlgorithm: IdTokenAlgorithm,
): Promise<void> {
  await tx.update(clients).set({ idTokenAlgorithm }).where(eq(clients.id, id));
}

export async function removeEdit(tx: Db, clientId: string): Promise<void> {
  await tx.delete(clientEdits).where(eq(clientEdits.clientId, clientId));
}
