import { z } from 'zod';

/** An address with `?saved`, after a form was saved. */
export const savedMark = z
  .object({ saved: z.unknown().optional() })
  .transform(({ saved }) => ({ saved: saved !== undefined }));

/**
 * The sentence for an address's `done`; undefined for a word that is not ours, for anybody can
 * write an address.
 */
export function readDone(query: unknown, words: Readonly<Record<string, string>>): string | undefined {
  if (typeof query !== 'object' || query === null || !('done' in query)) return undefined;
  const { done } = query;
  return typeof done === 'string' && Object.hasOwn(words, done) ? words[done] : undefined;
}
