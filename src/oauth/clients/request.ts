import { z } from 'zod';
import { lineOf, textOf } from '../../forms.ts';
import { type ClientType, clientTypes } from '../core/client.ts';
import { redirectUriMaxLength } from '../core/redirect-uri.ts';
import { isScope, type Scope } from '../core/scope.ts';
import { datedFormIdOf } from './form-id.ts';
import { maxRedirectUris, readRedirectUris } from './redirect-uris.ts';

const websiteUrl = z
  .string({ error: 'Fill this in once, or leave it empty.' })
  .trim()
  .max(500, { error: 'Use 500 characters at most.' })
  .refine((text) => text === '' || isWebsite(text), {
    error: 'This is not a web address such as https://app.example.',
  })
  .transform((text) => (text === '' ? null : text));

function isWebsite(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** None ticked means full access, as the contract has it for a client without scopes (§6). */
const scopeChoice = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .optional()
  .transform((names) => [...new Set(names ?? [])])
  .refine((names) => names.every(isScope), { error: 'Choose from the list.' })
  .transform((names): readonly Scope[] | null => (names.length === 0 ? null : names.filter(isScope)));

/** What an owner says of a client, and may change later (contract §2). */
const values = {
  name: lineOf(80),
  purpose: textOf(500),
  redirect_uris: z
    .string({ error: 'Fill this in, once.' })
    .max(maxRedirectUris * (redirectUriMaxLength + 2), { error: 'This is too long.' }),
  website_url: websiteUrl.optional().transform((url) => url ?? null),
  scopes: scopeChoice,
};

interface TypedRedirectUris {
  readonly redirect_uris: string;
}

interface Typed extends TypedRedirectUris {
  readonly name: string;
  readonly purpose: string;
  readonly website_url: string | null;
  readonly scopes: readonly Scope[] | null;
}

/** One fault a line, so that each of several bad addresses is named. */
function checkRedirectUris<Form extends TypedRedirectUris>(typeOf: (form: Form) => ClientType) {
  return ({ value, issues }: z.core.ParsePayload<Form>): void => {
    const input = value.redirect_uris;
    const message = readRedirectUris(input, typeOf(value)).faults.join('\n');
    if (message !== '') issues.push({ code: 'custom', path: ['redirect_uris'], message, input });
  };
}

function read({ name, purpose, redirect_uris, website_url: websiteUrl, scopes }: Typed, type: ClientType) {
  const redirectUris = readRedirectUris(redirect_uris, type).uris;
  return { name, purpose, redirectUris, websiteUrl, scopes };
}

const incomplete = 'A part of this form was missing. It is whole now: please send it again.';

/** The registration form (contract §2). `form_id` is the form's own name, by which a repetition is recognized. */
export const registrationForm = z
  .object({
    ...values,
    client_type: z.enum(clientTypes, { error: 'Choose one.' }),
    form_id: datedFormIdOf(incomplete),
  })
  .check(checkRedirectUris(({ client_type: type }) => type))
  .transform((typed) => ({
    ...read(typed, typed.client_type),
    type: typed.client_type,
    formId: typed.form_id,
  }));

/** The form that changes a client of this type; `version` is what the form was opened with. */
export function editForm(type: ClientType) {
  return z
    .object({ ...values, version: z.string().max(100).catch('') })
    .check(checkRedirectUris(() => type))
    .transform((typed) => ({ values: read(typed, type), version: typed.version }));
}

/** What a form says again about a client: its version for a withdrawal, its name for a deletion. */
export const withdrawalForm = z.object({ version: z.string().max(100).catch('') });
export const deletionForm = z.object({
  name: z.string({ error: 'Type the name, once.' }).max(500, { error: 'This is not the name of the app.' }),
});

/** The scopes that were ticked, for a form to be shown again. */
export function readTicked(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || !('scopes' in body)) return [];
  return Array.isArray(body.scopes) ? body.scopes : [body.scopes];
}
