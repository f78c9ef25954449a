import type { Db } from '../io/database.ts';
import type { System } from '../io/system.ts';
import { hashPassword } from './password.ts';
import { createUser, type EndPermissions, findAccount, promoteToAdmin } from './store.ts';

/**
 * The admin of the configuration exists after this: made, or an existing account promoted (contract §1, ADMIN_EMAIL). Several
 * instances may do so at once. An account that is an admin already keeps the password it has.
 */
export async function ensureAdmin(
  db: Db,
  admin: { readonly email: string; readonly password: string },
  system: System,
  endPermissions: EndPermissions,
): Promise<void> {
  const passwordHash = await hashPassword(admin.password);
  const existing = await findAccount(db, admin.email);
  if (existing === undefined) {
    const profile = { username: null, name: 'Administrator', timeZone: 'UTC', weekStart: 'Monday' } as const;
    const created = await createUser(
      db,
      { ...profile, email: admin.email, passwordHash, isAdmin: true },
      system.now(),
    );
    if (created.ok) return;
  }
  await promoteToAdmin(db, admin.email, passwordHash, endPermissions);
}
