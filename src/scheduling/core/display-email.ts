/** The length of the suffix in a managed user's stored address. */
export const managedSuffixLength = 25;

const managedUserSuffix = new RegExp(`\\+[A-Za-z0-9]{${managedSuffixLength}}(?=@[^@]*$)`);

/**
 * An email address as people know it, without a managed user's suffix: `+` and exactly 25 letters
 * or digits before the `@` (contract §8).
 */
export function displayEmailOf(email: string): string {
  return email.replace(managedUserSuffix, '');
}

/** A managed user's stored address, apart from an account of their own and from other clients'. */
export function managedEmailOf(email: string, suffix: string): string {
  return email.replace(/(?=@[^@]*$)/, `+${suffix}`);
}
