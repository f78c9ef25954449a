/** So that a check takes a few milliseconds; a longer text is as weak as its beginning. */
const maxChecked = 32;
/** Guessed within 10^6 tries. */
const weakScores: readonly number[] = [0, 1];

/** Whether a password is common, or made of the account's email or username (security C61). */
export async function isWeakPassword(
  password: string,
  { email, username }: { readonly email: string; readonly username: string | null },
): Promise<boolean> {
  // Its lists are large, and few requests need them.
  const { checker } = await import('./zxcvbn.ts');
  const own = [email, email.split('@')[0] ?? '', username ?? ''].filter((text) => text !== '');
  const cut = (text: string): string => text.slice(0, maxChecked);
  return weakScores.includes(checker.check(cut(password), own.map(cut)).score);
}

export const weakPassword =
  'This password is easy to guess. Use a few unrelated words, and not your email or username.';
