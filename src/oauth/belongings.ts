import { and, asc, eq, isNull } from 'drizzle-orm';
import { recordAuditEvents } from '../platform/audit/store.ts';
import { type Belonging, type End, rowsOf } from '../platform/belongings.ts';
import { removeEdit, reviseClient } from './clients/edits/store.ts';
import { noteEvent } from './clients/store.ts';
import { revokeUserGrants } from './revocation/store.ts';
import { clientEdits, clientEvents, clients, grants, rememberedConsents } from './tables.ts';

/** Secrets, edits, logos and grants end with their clients. */
const deleteClients: End = async (tx, userId, by) => {
  const { id: clientId, name: label } = clients;
  const apps = await tx.delete(clients).where(eq(clients.ownerId, userId)).returning({ clientId, label });
  const events = apps.map((app) => ({ action: 'client.deleted', userId, ...app }) as const);
  await recordAuditEvents(tx, by, events);
};

/** An intruder may have asked for another redirect URI, which a review would make live. */
const withdrawEdits: End = async (tx, userId, by) => {
  const edited = await tx
    .select({ id: clients.id })
    .from(clients)
    .innerJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(and(eq(clients.ownerId, userId), eq(clientEdits.status, 'pending')))
    .orderBy(asc(clients.id))
    .for('update', { of: clients });
  for (const { id } of edited) {
    await removeEdit(tx, id);
    await reviseClient(tx, id, {});
    await noteEvent(tx, { clientId: id, kind: 'edit_withdrawn', actorId: userId }, by);
  }
};

const endGrants: End = async (tx, userId, by, ender, parts) => revokeUserGrants(tx, parts, userId, ender, by);

export const oauthBelongings: readonly Belonging[] = [
  {
    table: clients,
    of: [clients.ownerId, clients.reviewerId],
    isContent: true,
    counted: { words: 'Own apps' },
    onProof: deleteClients,
    onReset: withdrawEdits, // protects: C204
    onDeletion: deleteClients,
    exported: (_db, { id }) => [rowsOf(clients, eq(clients.ownerId, id), {}, ['reviewerId'])],
  },
  { table: clientEvents, of: [clientEvents.actorId] },
  {
    table: grants,
    of: [grants.userId],
    isContent: true,
    counted: { words: 'Access of apps and tokens', which: isNull(grants.revokedAt) },
    onProof: endGrants,
    onReset: endGrants,
    onDeletion: endGrants, // protects: C92
  },
  { table: rememberedConsents, of: [rememberedConsents.userId] },
];
