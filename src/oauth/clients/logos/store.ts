import { and, eq, inArray, notExists } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
import type { ExpiredOnWalk } from '../../../platform/retention/store.ts';
import { clientEdits, clients, logos } from '../../tables.ts';
import type { Logo } from './logo.ts';

export async function findLogo(db: Db, id: string) {
  const [found] = await db
    .select({ mediaType: logos.mediaType, content: logos.content })
    .from(logos)
    .where(eq(logos.id, id));
  return found;
}

export interface NewLogo extends Logo {
  readonly id: string;
}

export async function storeLogo(
  tx: Db,
  clientId: string,
  logo: NewLogo,
  inUse: readonly (string | null)[],
  now: Date,
): Promise<string> {
  const ids = inUse.filter((id) => id !== null);
  const [same] = await tx
    .select({ id: logos.id })
    .from(logos)
    .where(and(inArray(logos.id, ids), eq(logos.content, logo.content)));
  if (same !== undefined) return same.id;
  await tx.insert(logos).values({ ...logo, clientId, createdAt: now });
  return logo.id;
}

export async function deleteUnused(tx: Db, clientId: string): Promise<void> {
  await tx.delete(logos).where(and(eq(logos.clientId, clientId), isUnused(tx)));
}

/** A review or a withdrawal leaves logos unused, which a walk finds. */
export function unusedLogos({ db }: { readonly db: Db }): ExpiredOnWalk {
  return { table: logos, key: logos.id, isExpired: isUnused(db) };
}

function isUnused(db: Db) {
  const ofClient = db.select({ id: clients.id }).from(clients).where(eq(clients.logoId, logos.id));
  const ofEdit = db
    .select({ id: clientEdits.clientId })
    .from(clientEdits)
    .where(eq(clientEdits.logoId, logos.id));
  return and(notExists(ofClient), notExists(ofEdit));
}
