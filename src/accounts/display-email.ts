export const managedSuffixLength = 25;

const managedUserSuffix = new RegExp(`\\+[A-Za-z0-9]{${managedSuffixLength}}(?=@[^@]*$)`);

/**
 * An email address without a managed user's suffix: `+` and exactly 25 letters or digits (contract
 * §8).
 */
export function displayEmailOf(email: string): string {
  return email.replace(managedUserSuffix, '');
}

/** Distinct from the person's own account, and from other clients'. */
export function managedEmailOf(email: string, suffix: string): string {
  return email.replace(/(?=@[^@]*$)/, `+${suffix}`);
}
