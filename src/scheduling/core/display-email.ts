const managedUserSuffix = /\+[A-Za-z0-9]{25}(?=@[^@]*$)/;

/** An e-mail address as people know it: without a managed user's suffix, `+` and exactly 25 letters or digits before the `@` (contract §8). */
export function displayEmailOf(email: string): string {
  return email.replace(managedUserSuffix, '');
}
