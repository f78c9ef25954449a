import { z } from 'zod';
import { formIdOf } from '../clients/form-id.ts';

/** The form that adds a secret. */
export const additionForm = z.object({ form_id: formIdOf('A part of this form was missing.') });

const uuid = z.guid();

/** Whether a part of an address can be a secret's id. */
export function isSecretId(text: string): boolean {
  return uuid.safeParse(text).success;
}
