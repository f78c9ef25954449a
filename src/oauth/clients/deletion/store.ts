import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../io/database.ts';
import type { WrittenLetter } from '../../../outbox/letter.ts';
import { addToOutbox } from '../../../outbox/store.ts';
import { clients } from '../../tables.ts';

/**
 * Deletes an owner's client with everything that hangs on it, its grants too, and leaves the notice of it, all or nothing. False when the user owns
 * no such client, or not any more.
 */
export async function deleteOwnClient(
  db: Db,
  id: string,
  ownerId: number,
  notice: WrittenLetter,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const deleted = await tx
      .delete(clients)
      .where(and(eq(clients.id, id), eq(clients.ownerId, ownerId)))
      .returning({ id: clients.id });
    if (deleted.length === 0) return false;
    await addToOutbox(tx, [notice], now);
    return true;
  });
}
