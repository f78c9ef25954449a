import { and, count, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Db } from '../../io/database.ts';
import type { WrittenLetter } from '../../outbox/letter.ts';
import { addToOutbox } from '../../outbox/store.ts';
import { lockPermissions } from '../connections/store.ts';
import type { Grant, Lifetimes } from '../core/grant.ts';
import type { RememberedConsent } from '../core/remembered.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { forgetConsents, isConnection, issueGrant, type NewGrant, revokeCode } from '../store.ts';
import { grants, rememberedConsents } from '../tables.ts';

/** So many codes may wait for a client at once without anybody having been asked. */
const maxWaitingCodes = 5;

/** What a user has answered a client before: the last time that it came to something, and what is remembered. */
export interface PastAnswers {
  readonly allowed: { readonly at: Date; readonly scopes: GrantedScopes } | undefined;
  readonly remembered: (RememberedConsent & { readonly rememberedAt: Date }) | undefined;
}

/** What a user has answered a client before; both undefined for somebody who sees it for the first time. */
export async function findPastAnswers(db: Db, userId: number, clientId: string): Promise<PastAnswers> {
  const [[allowed], [remembered]] = await Promise.all([
    db
      .select({ at: grants.issuedAt, scopes: grants.scopes })
      .from(grants)
      .where(and(eq(grants.userId, userId), eq(grants.clientId, clientId), isNotNull(grants.redeemedAt)))
      .orderBy(desc(grants.issuedAt))
      .limit(1),
    db
      .select()
      .from(rememberedConsents)
      .where(and(eq(rememberedConsents.userId, userId), eq(rememberedConsents.clientId, clientId))),
  ]);
  return { allowed, remembered };
}

/**
 * Carries out Allow, all or nothing: issues the grant, remembers the answer or forgets an earlier one, and leaves the letter if the app is new
 * to the user. The same decision sent twice does it once; false when it has been used up, and then nothing changes.
 */
export async function allowClient(
  db: Db,
  grant: NewGrant,
  { isRemembered, letter }: { readonly isRemembered: boolean; readonly letter: WrittenLetter },
  lifetimes: Lifetimes,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockPermissions(tx, grant.userId);
    const isKnown = await isKnownToUser(tx, grant, lifetimes, now);
    if (!(await issueGrant(tx, grant, lifetimes.codeSeconds, now))) return false;
    if (isRemembered) await rememberConsent(tx, grant, now);
    else await forgetConsents(tx, { userId: grant.userId, clientId: grant.clientId });
    if (!isKnown) await addToOutbox(tx, [letter], now);
    return true;
  });
}

/** Whether the user has been told of this client: it is connected, or a code was issued that may still be on its way. */
async function isKnownToUser(
  tx: Pick<Db, 'select'>,
  { userId, clientId }: Pick<Grant, 'userId' | 'clientId'>,
  lifetimes: Lifetimes,
  now: Date,
): Promise<boolean> {
  const known = await tx
    .select({ id: grants.id })
    .from(grants)
    .where(
      and(
        eq(grants.userId, userId),
        eq(grants.clientId, clientId),
        or(isConnection(lifetimes, now), and(eq(grants.generation, 0), isNull(grants.revokedAt))),
      ),
    )
    .limit(1);
  return known.length > 0;
}

async function rememberConsent(
  tx: Pick<Db, 'insert'>,
  { userId, clientId, teamId, scopes, redirectUri }: NewGrant,
  now: Date,
): Promise<void> {
  const kept = scopes === null ? null : [...scopes];
  const remembered = { teamId, scopes: kept, redirectUri, rememberedAt: now };
  await tx
    .insert(rememberedConsents)
    .values({ userId, clientId, ...remembered })
    .onConflictDoUpdate({
      target: [rememberedConsents.userId, rememberedConsents.clientId],
      set: remembered,
    });
}

/**
 * Carries out Deny: a code that Allow on the same page has issued is good for nothing any more, and nothing is remembered that would turn the
 * next request into a silent yes. Tokens that the code was exchanged for already stay; ending those is disconnecting.
 */
export async function denyClient(
  db: Db,
  { id, userId, clientId }: Pick<Grant, 'id' | 'userId' | 'clientId'>,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPermissions(tx, userId);
    await forgetConsents(tx, { userId, clientId });
    await revokeCode(tx, id, now);
  });
}

/**
 * Issues a grant without asking, as long as what was remembered when the request was looked at is still there, and no heap of unused codes
 * tells of somebody who only makes the browser come here. False: the user is to be asked.
 */
export async function issueRemembered(
  db: Db,
  grant: NewGrant,
  rememberedAt: Date,
  codeSeconds: number,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockPermissions(tx, grant.userId);
    const [same] = await tx
      .select({ at: rememberedConsents.rememberedAt })
      .from(rememberedConsents)
      .where(
        and(
          eq(rememberedConsents.userId, grant.userId),
          eq(rememberedConsents.clientId, grant.clientId),
          eq(rememberedConsents.rememberedAt, rememberedAt),
        ),
      );
    if (same === undefined) return false;
    if ((await countWaitingCodes(tx, grant, codeSeconds, now)) >= maxWaitingCodes) return false;
    return issueGrant(tx, grant, codeSeconds, now);
  });
}

async function countWaitingCodes(
  tx: Pick<Db, 'select'>,
  { userId, clientId }: Pick<Grant, 'userId' | 'clientId'>,
  codeSeconds: number,
  now: Date,
): Promise<number> {
  const [counted] = await tx
    .select({ waiting: count() })
    .from(grants)
    .where(
      and(
        eq(grants.userId, userId),
        eq(grants.clientId, clientId),
        eq(grants.generation, 0),
        isNull(grants.revokedAt),
        gt(grants.issuedAt, new Date(now.getTime() - codeSeconds * 1000)),
      ),
    );
  return counted?.waiting ?? 0;
}
