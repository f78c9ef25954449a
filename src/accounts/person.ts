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

export const groupKinds = ['team', 'organization'] as const;
export type GroupKind = (typeof groupKinds)[number];

export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** Owners and admins may let an app act for the team (contract §3). */
export const managingRoles = ['owner', 'admin'] as const satisfies readonly Role[];

export function isManagingRole(role: Role | null | undefined): boolean {
  return managingRoles.some((managing) => managing === role);
}

/** A sign-in by an emailed link counts as one by password. */
export const signInMeans = ['password', 'passkey', 'recovery_code'] as const;
export type SignInMeans = (typeof signInMeans)[number];

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly emailVerifiedAt: Date | null;
  readonly timeZone: string;
  readonly weekStart: WeekDay;
  readonly timeFormat: TimeFormat;
  readonly dateLocale: string | null;
  readonly language: string | null;
  readonly lastLanguage: string | null;
}

/**
 * An unverified address gives no power (security C57): each act that gives some asks this first.
 */
export function needsVerification(
  { emailVerification }: { readonly emailVerification: 'required' | 'off' },
  { emailVerifiedAt }: Pick<Person, 'emailVerifiedAt'>,
): boolean {
  return emailVerification === 'required' && emailVerifiedAt === null;
}
