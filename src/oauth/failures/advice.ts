import { z } from 'zod';
import type { Explanation } from '../core/explanation.ts';

/** What is stored of a failure and shown to the client's owner. Names between backticks are code. */
export const advice = z.object({
  wrong: z.string(),
  toDo: z.string(),
  /** Two addresses to lay side by side: the presented one, redacted, and the one that was expected. */
  comparison: z.object({ sent: z.string(), expected: z.string() }).optional(),
});

export type Advice = z.output<typeof advice>;

export type OfKind<Kind extends Explanation['kind']> = Extract<Explanation, { readonly kind: Kind }>;

/** The words for every kind of explanation, or for some: a kind without words does not compile. */
export type Words<Kinds extends Explanation['kind'] = Explanation['kind']> = {
  readonly [Kind in Kinds]: (it: OfKind<Kind>) => Advice;
};

/** A length of time in words, as exact as it helps. */
export function durationOf(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 10) return `${(Math.round(seconds * 10) / 10).toString()} seconds`;
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}
