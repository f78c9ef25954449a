import type { Db } from '../../platform/database.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { hashPassword } from '../passwords/password.ts';
import { promoteToAdmin } from '../passwords/store.ts';
import { createUser, findAccount, markVerified, type RevokeGrants } from '../store.ts';

/**
 * Created, or an existing account promoted (contract §1, ADMIN_EMAIL), even by several instances in
 * parallel; an admin keeps their password. Who sets ADMIN_EMAIL vouches for the address.
 */
export async function ensureAdmin(
  db: Db,
  admin: { readonly email: string; readonly password: string },
  runtime: Runtime,
  revokeGrants: RevokeGrants,
): Promise<void> {
  const passwordHash = await hashPassword(admin.password);
  const now = runtime.now();
  const existing = await findAccount(db, admin.email);
  if (existing === undefined) {
    const profile = { username: null, name: 'Administrator', timeZone: 'UTC', weekStart: 'Monday' } as const;
    const created = await createUser(
      db,
      { ...profile, email: admin.email, passwordHash, isAdmin: true, emailVerifiedAt: now },
      now,
    );
    if (created.ok) return;
  }
  await promoteToAdmin(db, admin.email, passwordHash, revokeGrants);
  await markVerified(db, admin.email, now);
}
