import { z } from 'zod';

export const savedMark = z
  .object({ saved: z.unknown().optional() })
  .transform(({ saved }) => ({ saved: saved !== undefined }));

/** Undefined for a word that isn't ours: anyone can write an address. */
export function readDone(query: unknown, words: Readonly<Record<string, string>>): string | undefined {
  if (typeof query !== 'object' || query === null || !('done' in query)) return undefined;
  const { done } = query;
  return typeof done === 'string' && Object.hasOwn(words, done) ? words[done] : undefined;
}
