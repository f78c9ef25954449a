import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { users } from '../../accounts/tables.ts';
import type { AuditContext } from '../../platform/audit/store.ts';
import { type Db, inTransaction } from '../../platform/database.ts';
import type { RenderedEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { consumeOne, type RateLimit } from '../../platform/rate-limits/store.ts';
import { noteEvent } from '../clients/store.ts';
import { endRecorded } from '../revocation/store.ts';
import { isConnection, isWaitingCode } from '../store.ts';
import { clientSecrets, clients, grants } from '../tables.ts';

/** What leaked: the values prove it. */
export interface Leaked {
  /** Of refresh tokens, and of access tokens that haven't expired. */
  readonly grantIds: readonly string[];
  /** Of codes, which do nothing once they were exchanged. */
  readonly codeGrantIds: readonly string[];
  readonly secretHashes: readonly string[];
}

interface EndedByLeak {
  readonly client: { readonly id: string; readonly name: string };
  /** The user of a grant, the owner of a secret; a managed user has no account to look at. */
  readonly user: { readonly id: number; readonly email: string; readonly managingClientId: string | null };
}

export interface LeakNotices {
  /** One email an hour: of a user and an app there may be a hundred grants. */
  readonly limitOf: (ended: EndedByLeak) => RateLimit;
  readonly ofGrant: (ended: EndedByLeak) => RenderedEmail;
  readonly ofSecret: (ended: EndedByLeak, hint: string) => RenderedEmail;
}

/** Ends what is live, notifies its user or owner, and records it; false when nothing was. */
export async function endLeaked(
  { config: { lifetimes }, db, parts }: Pick<Platform, 'config' | 'db' | 'parts'>,
  { grantIds, codeGrantIds, secretHashes }: Leaked,
  notices: LeakNotices,
  by: AuditContext,
): Promise<boolean> {
  const now = by.at;
  const isLiveGrant = and(inArray(grants.id, [...grantIds]), isConnection(lifetimes, now));
  const isLiveCode = and(inArray(grants.id, [...codeGrantIds]), isWaitingCode(lifetimes.codeSeconds, now));
  return inTransaction(db, async (tx) => {
    const ended = await endRecorded(tx, parts, [sql`${or(isLiveGrant, isLiveCode)}`], 'leaked', by);
    const deleted = await tx
      .update(clientSecrets)
      .set({ deletedAt: now })
      .where(and(inArray(clientSecrets.secretHash, [...secretHashes]), isNull(clientSecrets.deletedAt)))
      .returning({ id: clientSecrets.id, clientId: clientSecrets.clientId, hint: clientSecrets.hint });
    for (const { clientId, userId } of ended) {
      const concerned = await findConcerned(tx, clientId, eq(users.id, userId));
      if (concerned === undefined || concerned.user.managingClientId !== null) continue;
      if ((await consumeOne(tx, notices.limitOf(concerned), now)) !== undefined)
        await addToOutbox(tx, [notices.ofGrant(concerned)], now);
    }
    for (const secret of deleted) {
      const concerned = await findConcerned(tx, secret.clientId, eq(users.id, clients.ownerId));
      if (concerned === undefined) continue;
      const { id: objectId, clientId } = secret;
      await noteEvent(tx, { clientId, kind: 'secret_leaked', actorId: null, objectId }, by);
      await addToOutbox(tx, [notices.ofSecret(concerned, secret.hint)], now);
    }
    return ended.length + deleted.length > 0;
  });
}

async function findConcerned(tx: Db, clientId: string, isUser: SQL): Promise<EndedByLeak | undefined> {
  const [found] = await tx
    .select({
      client: { id: clients.id, name: clients.name },
      user: { id: users.id, email: users.email, managingClientId: users.managingClientId },
    })
    .from(clients)
    .innerJoin(users, isUser)
    .where(eq(clients.id, clientId));
  return found;
}
