import { z } from 'zod';
import { email, password } from '../request.ts';

export const forgotForm = z.object({ email });

export const resetForm = z.object({
  password,
  /** A checkbox: sent when it is ticked. */
  disconnect_apps: z
    .unknown()
    .optional()
    .transform((ticked) => ticked !== undefined),
});
