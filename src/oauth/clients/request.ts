import { z } from 'zod';
import { lineOf, textOf } from '../../forms.ts';
import { type ClientType, clientTypes } from '../core/client.ts';
import { checkRedirectUri, type RedirectUriFault, redirectUriMaxLength } from '../core/redirect-uri.ts';
import { isScope, type Scope } from '../core/scope.ts';

const maxRedirectUris = 10;

const redirectUriFaults = {
  empty: () => 'is empty.',
  too_long: () => `is longer than ${redirectUriMaxLength} characters.`,
  not_printable_ascii: () => 'has blanks or characters that an address must write percent-encoded.',
  not_absolute: () => 'is not a whole address such as https://app.example/callback.',
  fragment: () => 'must not have a part behind #.',
  user_info: () => 'must not have a user name or password.',
  scheme_not_allowed: () =>
    'must begin with https://, or be a private-use scheme such as com.example.app:/callback.',
  http_not_loopback: () => 'may use http only on localhost, 127.0.0.1 or [::1]. Use https.',
  private_scheme_of_confidential_client: () => 'may use a private-use scheme only for a public client.',
  not_canonical: (detail) => `should be written the way a browser sends it: ${detail}`,
  answer_parameter: (detail) => `must not have a parameter ${detail}, because the answer brings its own.`,
} as const satisfies Record<RedirectUriFault, (detail: string) => string>;

/** The addresses in a text, one a line; blank lines and repetitions do not count. */
function linesOf(text: string): string[] {
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== '');
}

function faultsOfRedirectUris(uris: readonly string[], type: ClientType): string[] {
  if (uris.length === 0) return ['Name at least one address.'];
  if (uris.length > maxRedirectUris) return [`Name ${maxRedirectUris} addresses at most.`];
  return uris.flatMap((uri, index) => {
    const checked = checkRedirectUri(uri, type);
    return checked.ok
      ? []
      : [`Address ${index + 1} ${redirectUriFaults[checked.reason](checked.detail ?? '')}`];
  });
}

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

/** The registration form, contract §2. */
export const clientForm = z
  .object({
    name: lineOf(80),
    purpose: textOf(500),
    client_type: z.enum(clientTypes, { error: 'Choose one.' }),
    redirect_uris: z
      .string({ error: 'Fill this in, once.' })
      .max(maxRedirectUris * (redirectUriMaxLength + 2), { error: 'This is too long.' })
      .transform(linesOf),
    website_url: websiteUrl.optional().transform((url) => url ?? null),
    scopes: scopeChoice,
  })
  .check(({ value, issues }) => {
    const faults = faultsOfRedirectUris(value.redirect_uris, value.client_type);
    if (faults.length > 0) {
      issues.push({
        code: 'custom',
        path: ['redirect_uris'],
        message: faults.join(' '),
        input: value.redirect_uris,
      });
    }
  });
