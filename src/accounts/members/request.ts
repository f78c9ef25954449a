import { z } from 'zod';
import { lineOf } from '../../web/forms.ts';
import { roles } from '../person.ts';

/** A new role for a member. */
export const roleForm = z.object({ role: z.enum(roles, { error: 'Choose a role from the list.' }) });

/** What is typed before something goes for good. */
export const confirmationForm = z.object({ confirmation: lineOf(200) });

const largestId = 2 ** 31 - 1;

/** The id of a row in an address; undefined for anything that no row has. */
export function readId(text: string): number | undefined {
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : undefined;
  return id === undefined || id > largestId ? undefined : id;
}

/**
 * Part of an address: lower-case letters and digits with single dashes between; a DNS label, too
 * (RFC 1123 §2.1).
 */
export function slugOf(max: number, reserved: readonly string[]): z.ZodType<string> {
  return lineOf(max)
    .transform((text) => text.toLowerCase())
    .pipe(
      z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: 'Use letters and digits, with single dashes between.' })
        .refine((text) => !reserved.includes(text), { error: 'This is reserved. Choose another.' }),
    );
}
