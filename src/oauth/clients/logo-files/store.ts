import { and, eq, notExists } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
import type { ExpiredOnWalk } from '../../../platform/retention/store.ts';
import { clientEdits, clients, logos } from '../../tables.ts';

export async function findLogo(db: Db, id: string) {
  const [found] = await db
    .select({ mediaType: logos.mediaType, content: logos.content })
    .from(logos)
    .where(eq(logos.id, id));
  return found;
}

/** A review or a withdrawal leaves logos unused, which a walk finds. */
export function unusedLogos({ db }: { readonly db: Db }): ExpiredOnWalk {
  return { table: logos, key: logos.id, isExpired: isUnused(db) };
}

export function isUnused(db: Db) {
  const ofClient = db.select({ id: clients.id }).from(clients).where(eq(clients.logoId, logos.id));
  const ofEdit = db
    .select({ id: clientEdits.clientId })
    .from(clientEdits)
    .where(eq(clientEdits.logoId, logos.id));
  return and(notExists(ofClient), notExists(ofEdit));
}
