import { and, eq, inArray } from 'drizzle-orm';
import { isUnused } from '../oauth/clients/logo-files/store.ts';
import { logos } from '../oauth/tables.ts';
import type { Db } from '../platform/database.ts';
import type { Logo } from './logo.ts';

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
