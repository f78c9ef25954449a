import type { AuditContext } from '../../platform/audit/context.ts';
import type { Platform } from '../../platform/platform.ts';
import { sendPage } from '../../web/pages.ts';
import { isWeakPassword } from '../passwords/password.ts';
import { promoteToAdmin } from '../passwords/store.ts';
import { confirmFirst, type Guard, sessionOf } from '../sessions/session.ts';
import { createUser, findAccount, hasPasskey, markVerified } from '../store.ts';

/** Runs behind `requireSignIn`. Where admins need a passkey, leads to adding or using one. */
export const requireAdmin: Guard = async (request, reply) => {
  const { config, db, secondFactor } = request.server;
  const { person, hasAllFactors } = sessionOf(request);
  if (person.isAdmin) {
    if (config.adminPasskeys === 'off') return undefined;
    if (!(await hasPasskey(db, person.id))) return reply.redirect(secondFactor?.settingsPath ?? '/', 303);
    if (hasAllFactors) return undefined; // protects: C219
    return confirmFirst(reply);
  }
  return sendPage(reply.code(403), 'error', {
    title: 'Admins only',
    text: 'Your account can’t view this page.',
  });
};

/** Throws where admins need passkeys, but no part has any. */
export function checkAdminPasskeys({
  config,
  secondFactor,
}: Pick<Platform, 'config' | 'secondFactor'>): void {
  // protects: C250
  if (config.adminPasskeys === 'required' && secondFactor === undefined)
    throw new Error(
      'ADMIN_PASSKEYS is required, but passkeys are off. Add passkeys to PARTS, or set ADMIN_PASSKEYS to off.',
    );
}

/** What a start did about ADMIN_EMAIL and ADMIN_PASSWORD, in words for the log. */
export const adminOutcomes = {
  created: 'the admin of ADMIN_EMAIL was created, with ADMIN_PASSWORD',
  promoted: 'the account of ADMIN_EMAIL is an admin now, with ADMIN_PASSWORD',
  kept: 'ADMIN_EMAIL is an admin already and keeps their own password: ADMIN_PASSWORD changes none',
} as const;

/**
 * Creates or promotes the admin (contract §1), also when several instances do. Keeps an admin's
 * password. Returns undefined, and does nothing, for a new password that is easy to guess.
 */
export async function ensureAdmin(
  app: Pick<Platform, 'db' | 'config' | 'grants' | 'parts' | 'makeBookable' | 'passwords'>,
  admin: { readonly email: string; readonly password: string },
  by: AuditContext,
): Promise<keyof typeof adminOutcomes | undefined> {
  const { db, makeBookable } = app;
  const existing = await findAccount(db, admin.email);
  if (existing?.isAdmin === true) {
    await markVerified(db, admin.email, by.at);
    return 'kept';
  }
  if (await isWeakPassword(admin.password, { email: admin.email, username: null })) return undefined;
  const passwordHash = await app.passwords.hash(admin.password);
  if (existing === undefined) {
    const profile = { username: null, name: 'Administrator', timeZone: 'UTC', weekStart: 'Monday' } as const;
    const created = await createUser(
      db,
      { ...profile, email: admin.email, passwordHash, isAdmin: true, emailVerifiedAt: by.at },
      by,
      { makeBookable },
    );
    if (created.ok) return 'created';
  }
  await promoteToAdmin(app, admin.email, passwordHash, by);
  await markVerified(db, admin.email, by.at);
  return 'promoted';
}
