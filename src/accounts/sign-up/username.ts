import { type Runtime, randomHex } from '../../platform/runtime.ts';
import type { Result } from '../../result.ts';
import { username } from '../fields.ts';

/** Which Unicode doesn't take apart into a letter and a mark. */
const latin: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' };
/** With what makes it unique, a username is at most 40. */
const maxBase = 32;

/** Made of the name, or else of the email address; the last is nobody's. */
function usernamesLike(person: { readonly name: string; readonly email: string }, runtime: Runtime) {
  const [local = ''] = person.email.split('@');
  const base = [person.name, local].map(plainName).find((text) => username.safeParse(text).success);
  const first = base ?? 'person';
  return [first, `${first}-2`, `${first}-3`, `${first}-${randomHex(runtime, 3)}`];
}

/** Lowercase letters, digits and single dashes; may be empty. */
export function plainName(text: string): string {
  const letters = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const plain = letters.replaceAll(/[ßæœøđłı]/g, (letter) => latin[letter] ?? '');
  return plain
    .split(/[^a-z0-9]+/)
    .join('-')
    .slice(0, maxBase)
    .replaceAll(/^-+|-+$/g, '');
}

/** Writes an account under the first of them that is free, which the write itself decides. */
export async function underProposedUsername<Written extends Result<unknown, string>>(
  person: { readonly name: string; readonly email: string },
  runtime: Runtime,
  write: (username: string) => Promise<Written>,
): Promise<Written> {
  for (const name of usernamesLike(person, runtime)) {
    const written = await write(name);
    if (written.ok || written.reason !== 'username_taken') return written;
  }
  throw new Error('no proposed username is free');
}
