import { z } from 'zod';
import { email } from '../fields.ts';
import { roleForm } from '../members/request.ts';

/** Whom to invite, and as what. */
export const invitationForm = roleForm.extend({ email });

/**
 * The group that an answer to an invitation is about, as the page wrote it into its form: only to
 * find the way when the invitation is gone.
 */
export const answerForm = z.object({
  kind: z.enum(['team', 'organization']),
  group: z.string(),
});
