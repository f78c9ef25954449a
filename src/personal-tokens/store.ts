import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { lockUser } from '../accounts/store.ts';
import type { Lifetimes } from '../oauth/core/grant.ts';
import { isConnection, momentOf } from '../oauth/standing.ts';
import { clients, grantedScopes, grants } from '../oauth/tables.ts';
import type { AuditSentences } from '../platform/audit/actions.ts';
import { type AuditContext, ownClientPrefix } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import type { Belonging, End } from '../platform/belongings.ts';
import type { Db } from '../platform/database.ts';
import { counted, spendAll } from '../platform/limits/store.ts';
import type { RenderedEmail } from '../platform/mail/email.ts';
import { addToOutbox } from '../platform/mail/store.ts';
import { prepared } from '../platform/prepared.ts';
import { batchRows, type Expired } from '../platform/retention/store.ts';
import { personalTokens } from './tables.ts';

export const tokenAudit = {
  'personal_token.created': 'The personal token {name} was created',
  'personal_token.deleted': 'The personal token {name} was deleted',
} as const satisfies AuditSentences;

export const maxPersonalTokens = 20;

export type NewPersonalToken = Omit<
  typeof personalTokens.$inferInsert,
  'clientId' | 'createdAt' | 'lastUsedAt'
> & { readonly scopes: string[] };

const shown = {
  id: personalTokens.grantId,
  name: personalTokens.name,
  hint: personalTokens.hint,
  scopes: grantedScopes,
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
  const { clientId, expiresAt, grantId, tokenHash, userId } = personalTokens;
  return db
    .select({ grantId, clientId, userId, expiresAt, scopes: grantedScopes })
    .from(personalTokens)
    .innerJoin(grants, eq(grants.id, grantId))
    .where(eq(tokenHash, sql.placeholder('tokenHash')))
    .prepare('personal_token');
});

export type TokenAddition = 'added' | 'added_before' | 'enough';

/** Locks the account, so that parallel additions stay within {@link maxPersonalTokens}. */
export async function addPersonalToken(
  db: Db,
  { scopes, ...token }: NewPersonalToken,
  {
    sessionIdHash,
    lifetimes,
    notices,
  }: {
    readonly sessionIdHash: string;
    readonly lifetimes: Lifetimes;
    readonly notices: readonly RenderedEmail[];
  },
  by: AuditContext,
): Promise<TokenAddition> {
  const { userId, grantId, expiresAt, name: label } = token;
  return db.transaction(async (tx) => {
    await lockUser(tx, userId, sessionIdHash);
    const ofForm = and(eq(personalTokens.userId, userId), eq(personalTokens.formKey, token.formKey));
    if ((await tx.$count(personalTokens, ofForm)) > 0) return 'added_before';
    if ((await listPersonalTokens(tx, userId, lifetimes, by.at)).length >= maxPersonalTokens) return 'enough';
    await spendAll(tx, [counted('notable', ['personal token', userId])], by.at);
    const clientId = `${ownClientPrefix}${grantId}`; // protects: C280
    await addClientOf(tx, clientId, { name: label, scopes }, by.at);
    await tx.insert(grants).values({
      id: grantId,
      clientId,
      userId,
      scopes,
      redirectUri: '',
      generation: 1,
      issuedAt: by.at,
      redeemedAt: by.at,
      // A token ends when it says so, however seldom it is used.
      rotatedAt: expiresAt,
    });
    await tx.insert(personalTokens).values({ ...token, clientId, createdAt: by.at });
    await recordAuditEvent(tx, by, { action: 'personal_token.created', objectId: grantId, label });
    await addToOutbox(tx, notices, by.at);
    return 'added';
  });
}

/** Without a redirect URI nobody can authorize it, and it's no app. */
async function addClientOf(
  tx: Db,
  id: string,
  own: Pick<typeof clients.$inferInsert, 'name' | 'scopes'>,
  now: Date,
): Promise<void> {
  const purpose = 'A script of the account’s own.';
  const times = { createdAt: now, submittedAt: now };
  await tx
    .insert(clients)
    .values({ id, ...own, purpose, redirectUris: [], type: 'confidential', status: 'accepted', ...times });
}

/** With its client, all access of the token ends at once, and its webhooks hear nothing. */
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
      .select({ label: personalTokens.name, clientId: personalTokens.clientId })
      .from(personalTokens)
      .where(and(eq(personalTokens.userId, userId), eq(personalTokens.grantId, id)));
    if (deleted === undefined) return;
    const { label, clientId } = deleted;
    await tx.delete(clients).where(eq(clients.id, clientId)); // protects: C280
    await recordAuditEvent(tx, by, { action: 'personal_token.deleted', objectId: id, label });
  });
}

/** The grant of a client that is gone gives no access, and is deleted as that of an app. */
export function expiredPersonalTokens(now: Date): Expired {
  const expired = sql`select ${personalTokens.clientId} from ${personalTokens}
    where ${personalTokens.expiresAt} < ${now.toISOString()}::timestamptz limit ${batchRows}`;
  // An array is evaluated once, as in `isAmong`.
  return { table: clients, isExpired: sql`${clients.id} = any(array(${expired}))` };
}

const endAll: End = async (tx, userId) => {
  const ids = tx
    .select({ id: personalTokens.clientId })
    .from(personalTokens)
    .where(eq(personalTokens.userId, userId));
  await tx.delete(clients).where(inArray(clients.id, ids));
};

export const personalTokenBelongings: readonly Belonging[] = [
  {
    table: personalTokens,
    of: [personalTokens.userId],
    onProof: endAll,
    onReset: endAll,
    onDeletion: endAll,
  },
];
