import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** So that a check takes a few milliseconds; a longer text is as weak as its beginning. */
const maxChecked = 32;
/** `p@$$w0rd` is found; trying out all combinations would take 200 ms. */
const bounds = { l33tMaxSubstitutions: 4, maxLength: maxChecked };
/** Guessed within 10^6 tries. */
const weakScores: readonly number[] = [0, 1];

let checker: Promise<ZxcvbnFactory> | undefined;

/** The lists are large, and few requests need them. */
async function loadChecker(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({
    ...bounds,
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
  });
}

/** Whether a password is common, or made of the account's email or username (security C61). */
export async function isWeakPassword(
  password: string,
  { email, username }: { readonly email: string; readonly username: string | null },
): Promise<boolean> {
  checker ??= loadChecker();
  const own = [email, email.split('@')[0] ?? '', username ?? ''].filter((text) => text !== '');
  const cut = (text: string): string => text.slice(0, maxChecked);
  return weakScores.includes((await checker).check(cut(password), own.map(cut)).score);
}

export const weakPassword =
  'This password is easy to guess. Use a few unrelated words, and not your email or username.';
