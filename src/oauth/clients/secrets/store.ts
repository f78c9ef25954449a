import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { lockUser } from '../../../accounts/store.ts';
import { users } from '../../../accounts/tables.ts';
import type { AuditContext } from '../../../platform/audit/context.ts';
import { type Db, inTransaction } from '../../../platform/database.ts';
import { counted, spendAll } from '../../../platform/limits/store.ts';
import type { RenderedEmail } from '../../../platform/mail/email.ts';
import { addToOutbox } from '../../../platform/mail/store.ts';
import { maxLiveSecrets } from '../../core/client.ts';
import { clientSecrets, clients } from '../../tables.ts';
import { type NewSecret, noteEvent } from '../store.ts';

const shown = {
  id: clientSecrets.id,
  hint: clientSecrets.hint,
  createdAt: clientSecrets.createdAt,
  lastUsedAt: clientSecrets.lastUsedAt,
  deletedAt: clientSecrets.deletedAt,
  /** Someone who had the owner's password then may have the secret. */
  isBeforeReset: sql<boolean>`coalesce(${clientSecrets.createdAt} < ${users.passwordResetAt}, false)`,
};

const secretsOf = (db: Db, clientId: string, isOne: SQL) =>
  db
    .select(shown)
    .from(clientSecrets)
    .innerJoin(clients, eq(clients.id, clientSecrets.clientId))
    .innerJoin(users, eq(users.id, clients.ownerId))
    .where(and(eq(clientSecrets.clientId, clientId), isOne))
    .orderBy(asc(clientSecrets.createdAt), clientSecrets.id);

export async function listLiveSecrets(db: Db, clientId: string) {
  return secretsOf(db, clientId, isNull(clientSecrets.deletedAt));
}

export async function findSecret(db: Db, clientId: string, id: string) {
  const [found] = await secretsOf(db, clientId, eq(clientSecrets.id, id));
  return found;
}

export type SecretAddition = 'added' | 'added_before' | 'enough_live' | 'no_client';

/**
 * Call it with the owner's client. Its row is locked, so that parallel additions stay within
 * {@link maxLiveSecrets}.
 */
export async function addSecret(
  db: Db,
  {
    clientId,
    ownerId,
    sessionIdHash,
  }: Readonly<{ clientId: string; ownerId: number; sessionIdHash: string }>,
  secret: NewSecret & { readonly registrationKey: string },
  notice: RenderedEmail,
  by: AuditContext,
): Promise<SecretAddition> {
  return db.transaction(async (tx) => {
    await lockUser(tx, ownerId, sessionIdHash);
    const locked = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(eq(clients.id, clientId))
      .for('no key update');
    if (locked.length === 0) return 'no_client';
    const ofClient = eq(clientSecrets.clientId, clientId);
    const ofForm = and(ofClient, eq(clientSecrets.registrationKey, secret.registrationKey));
    if ((await tx.$count(clientSecrets, ofForm)) > 0) return 'added_before';
    const live = and(ofClient, isNull(clientSecrets.deletedAt));
    if ((await tx.$count(clientSecrets, live)) >= maxLiveSecrets) return 'enough_live';
    // Every secret sends an email, and its hash stays for a while.
    await spendAll(tx, [counted('notable', ['secret', clientId])], by.at);
    await tx.insert(clientSecrets).values({ ...secret, clientId, createdAt: by.at });
    const event = { clientId, kind: 'secret_added', actorId: ownerId, objectId: secret.id } as const;
    await noteEvent(tx, event, by);
    await addToOutbox(tx, [notice], by.at);
    return 'added';
  });
}

/** Changes nothing if the secret isn't live. The hash stays for a while. */
export async function deleteSecret(
  db: Db,
  { clientId, id }: Readonly<{ clientId: string; id: string }>,
  notice: RenderedEmail,
  by: AuditContext,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const deleted = await tx
      .update(clientSecrets)
      .set({ deletedAt: by.at })
      .where(and(eq(clientSecrets.id, id), isNull(clientSecrets.deletedAt)))
      .returning({ id: clientSecrets.id });
    if (deleted.length === 0) return;
    await noteEvent(tx, { clientId, kind: 'secret_deleted', actorId: by.actorId, objectId: id }, by);
    await addToOutbox(tx, [notice], by.at);
  });
}
