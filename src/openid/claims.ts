import type { Scope } from '../oauth/core/scope.ts';

export interface DescribedUser {
  readonly name: string;
  readonly username: string | null;
  readonly timeZone: string;
  readonly language: string | null;
  readonly lastLanguage: string | null;
  readonly dateLocale: string | null;
  readonly updatedAt: Date | null;
  readonly email: string;
  readonly isEmailVerified: boolean;
}

/** Userinfo and ID tokens have the claims of these names (OpenID Connect Core, section 5.1). */
export const claimNames = {
  profile: ['name', 'preferred_username', 'zoneinfo', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
} as const;

/** Leaves out what isn't known of the user (OpenID Connect Core, sections 5.3.2, 5.4). */
export function claimsOf(user: DescribedUser, scopes: readonly Scope[]) {
  const { updatedAt } = user;
  return {
    ...(scopes.includes('profile') && {
      name: user.name,
      preferred_username: user.username ?? undefined,
      zoneinfo: user.timeZone,
      locale: user.language ?? user.lastLanguage ?? user.dateLocale ?? undefined,
      updated_at: updatedAt === null ? undefined : Math.floor(updatedAt.getTime() / 1000),
    }),
    ...(scopes.includes('email') && { email: user.email, email_verified: user.isEmailVerified }),
  };
}
