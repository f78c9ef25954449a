import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { lockUser } from '../accounts/store.ts';
import type { Lifetimes } from '../oauth/core/grant.ts';
import { isConnection, momentOf } from '../oauth/standing.ts';
import { clients, grants } from '../oauth/tables.ts';
import type { AuditContext } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import { type Belonging, deleteOf } from '../platform/belongings.ts';
import type { Db } from '../platform/database.ts';
import type { RenderedEmail } from '../platform/mail/email.ts';
import { addToOutbox } from '../platform/mail/store.ts';
import { prepared } from '../platform/prepared.ts';
import { consumeOne, type KeyedLimit } from '../platform/rate-limits/store.ts';
import { batchRows, type Expired } from '../platform/retention/store.ts';
import { personalTokens } from './tables.ts';

export const maxPersonalTokens = 20;

/** All personal tokens are of this client, which nobody can authorize. */
export const personalClientId = 'personal-tokens';

export type NewPersonalToken = Omit<typeof personalTokens.$inferInsert, 'createdAt' | 'lastUsedAt'> &
  Pick<typeof grants.$inferInsert, 'scopes'>;

const shown = {
  id: personalTokens.grantId,
  name: personalTokens.name,
  hint: personalTokens.hint,
  scopes: grants.scopes,
  createdAt: personalTokens.createdAt,
  expiresAt: personalTokens.expiresAt,
  lastUsedAt: personalTokens.lastUsedAt,
};

const isLive = (userId: number, lifetimes: Lifetimes, now: Date) =>
  and(
    eq(personalTokens.userId, userId),
    gt(personalTokens.expiresAt, now),
    isConnection(momentOf(lifetimes, now)),
  );

/** Lists the tokens that work, the oldest first. */
export async function listPersonalTokens(db: Db, userId: number, lifetimes: Lifetimes, now: Date) {
  return db
    .select(shown)
    .from(personalTokens)
    .innerJoin(grants, eq(grants.id, personalTokens.grantId))
    .where(isLive(userId, lifetimes, now))
    .orderBy(asc(personalTokens.createdAt), personalTokens.grantId);
}

export type ShownToken = Awaited<ReturnType<typeof listPersonalTokens>>[number];

/** Whether its grant stands is asked with its person, as for an app's token. */
export const findByHash = prepared((db) => {
  const { expiresAt, grantId, tokenHash, userId } = personalTokens;
  return db
    .select({ grantId, userId, expiresAt, scopes: grants.scopes })
    .from(personalTokens)
    .innerJoin(grants, eq(grants.id, grantId))
    .where(eq(tokenHash, sql.placeholder('tokenHash')))
    .prepare('personal_token');
});

export type TokenAddition = 'added' | 'added_before' | 'enough' | 'too_many_lately';

/** Locks the account, so that parallel additions stay within {@link maxPersonalTokens}. */
export async function addPersonalToken(
  db: Db,
  { scopes, ...token }: NewPersonalToken,
  {
    sessionIdHash,
    lifetimes,
    notices,
    limit,
  }: {
    readonly sessionIdHash: string;
    readonly lifetimes: Lifetimes;
    readonly notices: readonly RenderedEmail[];
    readonly limit: KeyedLimit;
  },
  by: AuditContext,
): Promise<TokenAddition> {
  const { userId, grantId, expiresAt, name: label } = token;
  return db.transaction(async (tx) => {
    await lockUser(tx, userId, sessionIdHash);
    const ofForm = and(eq(personalTokens.userId, userId), eq(personalTokens.formKey, token.formKey));
    if ((await tx.$count(personalTokens, ofForm)) > 0) return 'added_before';
    if ((await listPersonalTokens(tx, userId, lifetimes, by.at)).length >= maxPersonalTokens) return 'enough';
    if ((await consumeOne(tx, limit, by.at)) === undefined) return 'too_many_lately';
    await addPersonalClient(tx, by.at);
    await tx.insert(grants).values({
      id: grantId,
      clientId: personalClientId,
      userId,
      scopes,
      redirectUri: '',
      generation: 1,
      issuedAt: by.at,
      redeemedAt: by.at,
      // A token ends when it says so, however seldom it is used.
      rotatedAt: expiresAt,
    });
    await tx.insert(personalTokens).values({ ...token, createdAt: by.at });
    await recordAuditEvent(tx, by, { action: 'personal_token.created', objectId: grantId, label });
    await addToOutbox(tx, notices, by.at);
    return 'added';
  });
}

async function addPersonalClient(tx: Db, now: Date): Promise<void> {
  await tx
    .insert(clients)
    .values({
      id: personalClientId,
      name: 'Personal tokens',
      purpose: 'Scripts of the account’s own.',
      redirectUris: [],
      type: 'confidential',
      status: 'accepted',
      createdAt: now,
      submittedAt: now,
    })
    .onConflictDoNothing();
}

/** With its grant, all access of the token ends at once. */
export async function deletePersonalToken(
  db: Db,
  userId: number,
  id: string,
  by: AuditContext,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Whatever else ends the token's grant locks the account first, too.
    await lockUser(tx, userId);
    const [deleted] = await tx
      .select({ label: personalTokens.name })
      .from(personalTokens)
      .where(and(eq(personalTokens.userId, userId), eq(personalTokens.grantId, id)));
    if (deleted === undefined) return;
    await tx.delete(grants).where(eq(grants.id, id));
    await recordAuditEvent(tx, by, { action: 'personal_token.deleted', objectId: id, ...deleted });
  });
}

/** With its grant, everything that was made with a token ends, webhooks among it. */
export function expiredPersonalTokens(now: Date): Expired {
  const expired = sql`select ${personalTokens.grantId} from ${personalTokens}
    where ${personalTokens.expiresAt} < ${now.toISOString()}::timestamptz limit ${batchRows}`;
  // An array is evaluated once, as in `isAmong`.
  return { table: grants, isExpired: sql`${grants.id} = any(array(${expired}))` };
}

export const personalTokenBelongings: readonly Belonging[] = [
  {
    table: personalTokens,
    of: [personalTokens.userId],
    onProof: deleteOf(personalTokens, personalTokens.userId),
    onReset: deleteOf(personalTokens, personalTokens.userId),
  },
];
