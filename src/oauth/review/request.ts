import { z } from 'zod';
import { textOf } from '../../web/forms.ts';
import type { ReviewDecision } from '../core/client.ts';

/** The revision that the reviewer saw; the form carries it. */
const revision = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number);
const withReason = z.object({ revision, reason: textOf(1000) });

/** The reviewer's forms; the owner reads the reason. */
export const decisionForms = {
  accept: z.object({ revision }).transform((form) => ({ ...form, reason: null })),
  reject: withReason,
  suspend: withReason,
} as const satisfies Record<ReviewDecision, z.ZodType>;
