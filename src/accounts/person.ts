import type { Platform } from '../platform/platform.ts';

export const weekDays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
export type WeekDay = (typeof weekDays)[number];

export const timeFormats = [12, 24] as const;
export type TimeFormat = (typeof timeFormats)[number];

/** A group is a team or an organization: people with roles who invite others. */
export const groupKinds = ['team', 'organization'] as const;
export type GroupKind = (typeof groupKinds)[number];

/** What someone can be in a group. */
export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Their holders may let an app act for the team (contract §3). */
export const managingRoles = ['owner', 'admin'] as const satisfies readonly Role[];

export function isManagingRole(role: Role | null | undefined): boolean {
  return managingRoles.some((managing) => managing === role);
}

/** What a session began with; a link that was emailed stands for the password alone. */
export const signInMeans = ['password', 'passkey', 'recovery_code'] as const;
export type SignInMeans = (typeof signInMeans)[number];

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  /** Null: nobody has shown that the address is theirs. */
  readonly emailVerifiedAt: Date | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly timeFormat: TimeFormat;
  /** `en-GB`: how emails write dates. Null: unknown. */
  readonly dateLocale: string | null;
}

/** An unverified address gives no power (security C57): ask before every act that has some. */
export function needsVerification(
  { emailVerification }: Pick<Platform['config'], 'emailVerification'>,
  { emailVerifiedAt }: Pick<Person, 'emailVerifiedAt'>,
): boolean {
  return emailVerification === 'required' && emailVerifiedAt === null;
}
