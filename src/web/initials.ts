/**
 * Stands for a picture: the first letters of the first and the last word, or a dot. More marks than
 * two on a letter would draw over what is beside it.
 */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{M}\p{L}\p{N}'\u2019.-]*/gu) ?? [];
  const firsts = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word = '') =>
    (/^.\p{M}{0,2}/u.exec(word)?.[0] ?? '').toUpperCase(),
  );
  return firsts.join('') || '•';
}
