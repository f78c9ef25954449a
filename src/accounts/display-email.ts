export const managedSuffixLength = 25;

const managedUserSuffix = new RegExp(`\\+[A-Za-z0-9]{${managedSuffixLength}}(?=@[^@]*$)`);

/** Removes a managed user's suffix: `+` and exactly 25 letters or digits (contract §8). */
export function displayEmailOf(email: string): string {
  return email.replace(managedUserSuffix, '');
}

/** Makes an address distinct from the person's own, and from those for other clients. */
export function managedEmailOf(email: string, suffix: string): string {
  return email.replace(/(?=@[^@]*$)/, `+${suffix}`);
}
