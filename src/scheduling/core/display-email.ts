/** The length of the suffix that tells a managed user's address from everybody's, see {@link displayEmailOf}. */
export const managedSuffixLength = 25;

const managedUserSuffix = new RegExp(`\\+[A-Za-z0-9]{${managedSuffixLength}}(?=@[^@]*$)`);

/** An e-mail address as people know it: without a managed user's suffix, `+` and exactly 25 letters or digits before the `@` (contract §8). */
export function displayEmailOf(email: string): string {
  return email.replace(managedUserSuffix, '');
}

/** The address under which a managed user is stored: one account a client and address, apart from the account that its person may have. */
export function managedEmailOf(email: string, suffix: string): string {
  return email.replace(/(?=@[^@]*$)/, `+${suffix}`);
}
