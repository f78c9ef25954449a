import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import { noteEvent } from '../clients/history/store.ts';
import type { NewSecret } from '../clients/store.ts';
import { mostLiveSecrets } from '../core/secret.ts';
import { clientSecrets, clients } from '../tables.ts';

const shown = {
  id: clientSecrets.id,
  hint: clientSecrets.hint,
  createdAt: clientSecrets.createdAt,
  lastUsedAt: clientSecrets.lastUsedAt,
};

/** A client's live secrets as its owner may see them, oldest first. */
export async function listLiveSecrets(db: Db, clientId: string) {
  return db
    .select(shown)
    .from(clientSecrets)
    .where(and(eq(clientSecrets.clientId, clientId), isNull(clientSecrets.deletedAt)))
    .orderBy(asc(clientSecrets.createdAt), clientSecrets.id);
}

/** A secret's owner-side facts, and when it was deleted; undefined when the client has none of this id, which must be a UUID. */
export async function findSecret(db: Db, clientId: string, id: string) {
  const [found] = await db
    .select({ ...shown, deletedAt: clientSecrets.deletedAt })
    .from(clientSecrets)
    .where(and(eq(clientSecrets.id, id), eq(clientSecrets.clientId, clientId)));
  return found;
}

/** What became of a secret that was to be added: `repeated` says that it is there already, from an earlier sending of the same form. */
export type Addition =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'repeated'; readonly createdAt: Date; readonly isLive: boolean }
  | { readonly outcome: 'enough_live' }
  | { readonly outcome: 'no_client' };

/**
 * Adds a secret to an owner's confidential client, with the letter about it, all or nothing. The client's row is locked meanwhile, so that
 * of any number of additions at once no more than {@link mostLiveSecrets} live; the lock lets grants be issued.
 */
export async function addSecret(
  db: Db,
  clientId: string,
  ownerId: number,
  secret: NewSecret,
  notice: WrittenLetter,
  now: Date,
): Promise<Addition> {
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.id, clientId), eq(clients.ownerId, ownerId), eq(clients.type, 'confidential')))
      .for('no key update');
    if (locked.length === 0) return { outcome: 'no_client' };
    const [earlier] = await tx
      .select({ createdAt: clientSecrets.createdAt, deletedAt: clientSecrets.deletedAt })
      .from(clientSecrets)
      .where(eq(clientSecrets.id, secret.id));
    if (earlier !== undefined) {
      return { outcome: 'repeated', createdAt: earlier.createdAt, isLive: earlier.deletedAt === null };
    }
    const live = and(eq(clientSecrets.clientId, clientId), isNull(clientSecrets.deletedAt));
    if ((await tx.$count(clientSecrets, live)) >= mostLiveSecrets) return { outcome: 'enough_live' };
    await tx.insert(clientSecrets).values({ ...secret, clientId, createdAt: now });
    await noteEvent(tx, { clientId, kind: 'secret_added', actorId: ownerId }, now);
    await addToOutbox(tx, [notice], now);
    return { outcome: 'added' };
  });
}

/** Ends a live secret at once, with the letter about it, all or nothing; false when it is not live. Its hash stays for a while. */
export async function deleteSecret(
  db: Db,
  clientId: string,
  id: string,
  actorId: number,
  notice: WrittenLetter,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const deleted = await tx
      .update(clientSecrets)
      .set({ deletedAt: now })
      .where(
        and(eq(clientSecrets.id, id), eq(clientSecrets.clientId, clientId), isNull(clientSecrets.deletedAt)),
      )
      .returning({ id: clientSecrets.id });
    if (deleted.length === 0) return false;
    await noteEvent(tx, { clientId, kind: 'secret_deleted', actorId }, now);
    await addToOutbox(tx, [notice], now);
    return true;
  });
}

/** Notes the last uses of secrets in one statement; a later one that another instance has noted stays. */
export async function noteSecretUses(
  db: Db,
  uses: readonly (readonly [secretId: string, at: Date])[],
): Promise<void> {
  const rows = JSON.stringify(uses.map(([id, at]) => ({ id, at })));
  const used = sql`json_to_recordset(${rows}::text::json) as used(id uuid, at timestamptz)`;
  await db
    .update(clientSecrets)
    .set({ lastUsedAt: sql`used.at` })
    .from(used)
    .where(
      and(
        eq(clientSecrets.id, sql`used.id`),
        or(isNull(clientSecrets.lastUsedAt), lt(clientSecrets.lastUsedAt, sql`used.at`)),
      ),
    );
}

/** Forgets the secrets that were deleted before this. */
export async function sweepSecrets(db: Db, deletedBefore: Date): Promise<void> {
  await db.delete(clientSecrets).where(lt(clientSecrets.deletedAt, deletedBefore));
}
