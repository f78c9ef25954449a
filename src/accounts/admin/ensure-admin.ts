import type { AuditContext } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import { hashPassword } from '../passwords/password.ts';
import { promoteToAdmin } from '../passwords/store.ts';
import { createUser, findAccount, type MakeBookable, markVerified, type RevokeGrants } from '../store.ts';

/**
 * Created, or an existing account promoted (contract §1, ADMIN_EMAIL), even by several instances in
 * parallel; an admin keeps their password. Who sets ADMIN_EMAIL vouches for the address.
 */
export async function ensureAdmin(
  db: Db,
  admin: { readonly email: string; readonly password: string },
  by: AuditContext,
  revokeGrants: RevokeGrants,
  makeBookable: MakeBookable,
): Promise<void> {
  const passwordHash = await hashPassword(admin.password);
  const existing = await findAccount(db, admin.email);
  if (existing === undefined) {
    const profile = { username: null, name: 'Administrator', timeZone: 'UTC', weekStart: 'Monday' } as const;
    const created = await createUser(
      db,
      { ...profile, email: admin.email, passwordHash, isAdmin: true, emailVerifiedAt: by.at },
      by,
      { makeBookable },
    );
    if (created.ok) return;
  }
  await promoteToAdmin(db, admin.email, passwordHash, by, revokeGrants);
  await markVerified(db, admin.email, by.at);
}
