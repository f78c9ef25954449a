import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Leaving, LeavingPlatform } from '../accounts/deletion/leaving.ts';
import { endAccount, eraseAccount } from '../accounts/deletion/store.ts';
import { displayEmailOf, managedEmailOf, managedSuffixLength } from '../accounts/display-email.ts';
import { isManaged, type Managed } from '../accounts/store.ts';
import { users } from '../accounts/tables.ts';
import { clients } from '../oauth/tables.ts';
import { type AuditContext, systemContext } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import { type Db, inTransaction } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { randomHex } from '../platform/runtime.ts';

/** Returns false if there is no such user. The address is free for the client to use again. */
export async function deleteManagedUser(
  { db, runtime, parts }: Pick<Platform, 'db' | 'runtime' | 'parts'>,
  managed: Managed,
  by: AuditContext,
): Promise<boolean> {
  const { userId, clientId } = managed;
  return inTransaction(db, async (tx) => {
    const [account] = await tx
      .select({ email: users.email })
      .from(users)
      .where(isManaged(managed))
      .for('no key update');
    if (account === undefined) return false;
    const [client] = await tx.select({ label: clients.name }).from(clients).where(eq(clients.id, clientId));
    await recordAuditEvent(tx, by, { action: 'managed_user.deleted', userId, clientId, ...client });
    const suffix = randomHex(runtime, managedSuffixLength).slice(0, managedSuffixLength);
    const email = managedEmailOf(displayEmailOf(account.email), suffix);
    await endAccount(tx, parts, userId, { email, ender: 'client' }, by);
    return true;
  });
}

const maxLeft = 500;

async function listLeftUsers(db: Db): Promise<readonly Managed[]> {
  const clientId = sql<string>`${users.managingClientId}`;
  return db
    .select({ userId: users.id, clientId })
    .from(users)
    .leftJoin(clients, eq(clients.id, users.managingClientId))
    .where(
      and(
        isNotNull(users.managingClientId),
        isNull(users.deletedAt),
        or(isNull(clients.id), isNotNull(users.suspendedAt)), // protects: C213
      ),
    )
    .limit(maxLeft);
}

export const managedUsersLeaving: Leaving = {
  async deleteLeft(app, attempt) {
    // protects: C130
    for (const left of await listLeftUsers(app.db)) await attempt(left.userId, deleteLeftUser(app, left));
  },
};

async function deleteLeftUser(app: LeavingPlatform, left: Managed): Promise<void> {
  await deleteManagedUser(app, left, systemContext(app.runtime.now()));
  await eraseAccount(app, left.userId);
}
