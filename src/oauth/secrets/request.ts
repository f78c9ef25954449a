import { z } from 'zod';

/** The form that adds a secret: its random id tells a form that is sent twice from two forms. */
export const additionForm = z.object({ form_id: z.string().regex(/^[0-9a-f]{32}$/) });

const uuid = z.guid();

/** Whether a part of an address can be a secret's id. */
export function isSecretId(text: string): boolean {
  return uuid.safeParse(text).success;
}
