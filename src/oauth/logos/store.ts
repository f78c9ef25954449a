import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import { decideLogoChange, type LogoChange } from '../core/logo.ts';
import { clientEdits, clientEvents, clients, logos } from '../tables.ts';
import type { Logo } from './picture.ts';

type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];
type ClientRow = typeof clients.$inferSelect;
type EditRow = typeof clientEdits.$inferSelect;

/** A stored logo; undefined when there is none of this id. */
export async function findLogo(db: Db, id: string) {
  const [found] = await db
    .select({ mediaType: logos.mediaType, content: logos.content })
    .from(logos)
    .where(eq(logos.id, id));
  return found;
}

/** A client if the user owns it, with its edit if there is one. */
export async function findOwnClientAndEdit(db: Pick<Db, 'select'>, id: string, ownerId: number) {
  const [found] = await db
    .select({ client: clients, edit: clientEdits })
    .from(clients)
    .leftJoin(clientEdits, eq(clientEdits.clientId, clients.id))
    .where(and(eq(clients.id, id), eq(clients.ownerId, ownerId)));
  return found;
}

export interface NewLogo extends Logo {
  readonly id: string;
}

/**
 * Gives an owner's client a new logo, or none, where {@link decideLogoChange} says, with the notices if it comes into review by that; all or
 * nothing. Whatever nobody refers to any more goes. The same logo once more changes nothing. False when the user owns no such client.
 */
export async function changeLogo(
  db: Db,
  clientId: string,
  ownerId: number,
  logo: NewLogo | undefined,
  notices: readonly WrittenLetter[],
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.id, clientId), eq(clients.ownerId, ownerId)))
      .for('no key update');
    const found = locked.length > 0 ? await findOwnClientAndEdit(tx, clientId, ownerId) : undefined;
    if (found === undefined) return false;
    const { client, edit } = found;
    const { place, event } = decideLogoChange(client.status, edit?.status);
    const present = place === 'edit' && edit !== null ? edit.logoId : client.logoId;
    const logoId = logo === undefined ? null : await storeLogo(tx, client, edit, logo, now);
    if (logoId === present) return true;
    if (place === 'client') await tx.update(clients).set({ logoId }).where(eq(clients.id, clientId));
    const submitted = place === 'edit' ? await writeEdit(tx, client, edit, logoId, event, now) : event;
    if (submitted !== undefined) {
      await tx
        .update(clients)
        .set({ revision: sql`${clients.revision} + 1` })
        .where(eq(clients.id, clientId));
      await tx.insert(clientEvents).values({ clientId, kind: submitted, actorId: ownerId, at: now });
    }
    // What waits already is in the queue, and the admins were told.
    if (submitted === 'edit_submitted' && edit === null) await addToOutbox(tx, notices, now);
    await deleteUnused(tx, clientId);
    return true;
  });
}

/** The id of the logo: of one in use that is the same picture, or its own. */
async function storeLogo(
  tx: Transaction,
  client: ClientRow,
  edit: EditRow | null,
  logo: NewLogo,
  now: Date,
): Promise<string> {
  const inUse = [client.logoId, edit?.logoId].filter((id) => typeof id === 'string');
  const [same] = await tx
    .select({ id: logos.id })
    .from(logos)
    .where(and(inArray(logos.id, inUse), eq(logos.content, logo.content)));
  if (same !== undefined) return same.id;
  await tx.insert(logos).values({ ...logo, clientId: client.id, createdAt: now });
  return logo.id;
}

/** Writes the edit that holds this logo; one that leaves nothing to review is withdrawn instead. */
async function writeEdit(
  tx: Transaction,
  client: ClientRow,
  edit: EditRow | null,
  logoId: string | null,
  event: LogoChange['event'],
  now: Date,
): Promise<LogoChange['event'] | 'edit_withdrawn'> {
  const values = { ...valuesOf(edit ?? client), logoId };
  if (event === undefined) {
    await tx.update(clientEdits).set({ logoId }).where(eq(clientEdits.clientId, client.id));
    return undefined;
  }
  if (isDeepStrictEqual(values, valuesOf(client))) {
    await tx.delete(clientEdits).where(eq(clientEdits.clientId, client.id));
    return 'edit_withdrawn';
  }
  const waiting = { ...values, status: 'pending', rejectionReason: null, submittedAt: now } as const;
  await tx
    .insert(clientEdits)
    .values({ ...waiting, clientId: client.id })
    .onConflictDoUpdate({ target: clientEdits.clientId, set: waiting });
  return event;
}

function valuesOf({ name, purpose, redirectUris, websiteUrl, scopes, logoId }: ClientRow | EditRow) {
  return { name, purpose, redirectUris, websiteUrl, scopes, logoId };
}

async function deleteUnused(tx: Transaction, clientId: string): Promise<void> {
  await tx.delete(logos).where(and(eq(logos.clientId, clientId), isUnused(tx)));
}

/** Removes the logos that no client and no edit refers to any more: what a review or a withdrawal left behind. */
export async function sweepLogos(db: Db): Promise<void> {
  await db.delete(logos).where(isUnused(db));
}

function isUnused(db: Pick<Db, 'select'>) {
  const ofClient = db.select({ id: clients.id }).from(clients).where(eq(clients.logoId, logos.id));
  const ofEdit = db
    .select({ id: clientEdits.clientId })
    .from(clientEdits)
    .where(eq(clientEdits.logoId, logos.id));
  return and(notExists(ofClient), notExists(ofEdit));
}
