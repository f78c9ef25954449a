import { eq } from 'drizzle-orm';
import { recordAuditEvents } from '../platform/audit/store.ts';
import { type Belonging, type End, rowsOf } from '../platform/belongings.ts';
import { revokeUserGrants } from './revocation/store.ts';
import { clientEvents, clients, grants, rememberedConsents } from './tables.ts';

/** Secrets, edits, logos and grants end with their clients. */
const deleteClients: End = async (tx, userId, by) => {
  const { id: clientId, name: label } = clients;
  const apps = await tx.delete(clients).where(eq(clients.ownerId, userId)).returning({ clientId, label });
  const events = apps.map((app) => ({ action: 'client.deleted', userId, ...app }) as const);
  await recordAuditEvents(tx, by, events);
};

const endGrants: End = async (tx, userId, by, ender, parts) => revokeUserGrants(tx, parts, userId, ender, by);

export const oauthBelongings: readonly Belonging[] = [
  {
    table: clients,
    of: [clients.ownerId, clients.reviewerId],
    isContent: true,
    onProof: deleteClients,
    onDeletion: deleteClients,
    exported: (_db, { id }) => [rowsOf(clients, eq(clients.ownerId, id), {}, ['reviewerId'])],
  },
  { table: clientEvents, of: [clientEvents.actorId] },
  {
    table: grants,
    of: [grants.userId],
    isContent: true,
    onProof: endGrants,
    onReset: endGrants,
    onDeletion: endGrants, // protects: C92
  },
  { table: rememberedConsents, of: [rememberedConsents.userId] },
];
