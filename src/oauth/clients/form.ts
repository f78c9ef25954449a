import { z } from 'zod';
import type { Refusal } from '../../result.ts';
import { type FormFaults, lineOf, readForm, textOf } from '../../web/forms.ts';
import { type ClientType, clientTypes } from '../core/client.ts';
import {
  answerParameters,
  checkRedirectUri,
  type RedirectUriFault,
  redirectUriMaxLength,
} from '../core/redirect-uri.ts';
import { identityScopes, type KnownScopes, type Scope } from '../core/scope.ts';
import { mayUse, type OwnScopes } from '../own-scopes.ts';
import type { DescribedScope, Permissions } from '../permissions.ts';
import { notOffered } from './accepted.ts';
import type { TypedValues } from './edits/change.ts';

export const maxRedirectUris = 10;
const shownLength = 60;
const shownEndLength = 12;

const faultWords = {
  empty: () => 'is empty.',
  too_long: () => `is longer than ${redirectUriMaxLength} characters.`,
  not_printable_ascii: () => 'contains spaces or characters that must be percent-encoded.',
  scheme_with_underscore: () =>
    'can’t contain an underscore (_) in the scheme, before the colon. Use a hyphen.',
  not_absolute: () => 'isn’t a full address such as https://app.example/callback.',
  fragment: () => 'can’t contain a fragment (#…).',
  wildcard: () => 'can’t contain a wildcard (*). URIs match character for character: add each one.',
  user_info: () => 'can’t contain a user name or password.',
  scheme_not_allowed: (_detail, type) =>
    type === 'public'
      ? 'must start with https://, or be a private-use scheme such as com.example.app:/callback.'
      : 'must start with https://.',
  http_not_loopback: () => 'can use http only on localhost, 127.0.0.1 or [::1]. Use https.',
  private_scheme_of_confidential_client: () => 'can’t use a private-use scheme: only public apps can.',
  not_canonical: (detail) => `is written ${detail} by browsers. Write it that way.`,
  answer_parameter: (detail) => `can’t contain the parameter ${detail}: our response adds its own.`,
} as const satisfies Record<RedirectUriFault, (detail: string, type: ClientType) => string>;

const uriFields = {
  redirect_uris: {
    label: 'Redirect URIs',
    one: 'redirect URI',
    added: answerParameters,
    isRequired: true,
  },
  /** RP-Initiated Logout, section 3. */
  post_logout_redirect_uris: {
    label: 'Sign-out URIs',
    one: 'sign-out URI',
    added: ['state'],
    isRequired: false,
  },
} as const;
const uriFieldNames = ['redirect_uris', 'post_logout_redirect_uris'] as const;
type UriField = (typeof uriFieldNames)[number];

const sentFields = z.record(z.string(), z.unknown()).catch({});
const linesIn = (text: string): readonly string[] => text.split(/\r\n|\r|\n/).map((line) => line.trim());

/** These buttons save nothing, and show the form again as it is typed. */
export interface Draft {
  readonly focus: string;
}

/** Who adds a row wants to fill it in, and who removes one goes on where it was. */
function draftOf(sent: Readonly<Record<string, unknown>>): Draft | undefined {
  if ('preview' in sent) return { focus: 'preview' };
  if ('add' in sent) return { focus: `last ${sent['add']}` };
  return 'remove' in sent ? { focus: `add ${String(sent['remove']).split(' ')[0]}` } : undefined;
}

const signInOnly = { access: 'chosen', scopes: identityScopes };

/**
 * Rows of URIs and of scopes are fields of their own. They are read as one text of lines and one
 * list, which programs may send as well.
 */
export function readRows(body: unknown): Readonly<Record<string, unknown>> {
  const sent = sentFields.parse(body);
  const uris = Object.fromEntries(uriFieldNames.map((name) => [name, rowsOf(name, sent)]));
  const scopes = Object.entries(sent)
    .filter(([name, value]) => name === 'scopes' || (name.startsWith('scopes_') && value !== ''))
    .flatMap(([, value]) => value);
  const asked = sent['client_type'] === 'sign-in' ? signInOnly : { scopes };
  return { ...sent, ...uris, ...asked };
}

/** A row that is sent twice makes null of its field: a fault, as with every field. */
function rowsOf(name: UriField, sent: Readonly<Record<string, unknown>>): string | null | undefined {
  const fields = Object.keys(sent).filter((field) => field.replace(/_\d+$/, '') === name);
  const texts = fields.map((field) => sent[field]).filter((text) => typeof text === 'string');
  if (texts.length < fields.length) return null;
  if (fields.length === 0) return undefined;
  const rows = texts
    .flatMap(linesIn)
    .filter((row, index) => row !== '' && sent['remove'] !== `${name} ${index}`);
  return (sent['add'] === name ? [...rows, ''] : rows).join('\n');
}

export const isRedirectUri = (uri: string, type: ClientType): boolean => checkRedirectUri(uri, type).ok;

export const isLogoutUri = (uri: string, type: ClientType): boolean =>
  checkRedirectUri(uri, type, uriFields.post_logout_redirect_uris.added).ok;

/** Reads one URI per line, without repetitions (contract §2). */
const uriLines = (type: ClientType, field: UriField) =>
  z
    .string({ error: 'Enter redirect URIs, one per line.' })
    .max(maxRedirectUris * (redirectUriMaxLength + 2), { error: 'This is too long.' })
    .transform((text, { issues }) => {
      const uris = [...new Set(linesIn(text).filter((line) => line !== ''))];
      const message = faultOfAll(uris, type, field);
      if (message !== undefined) issues.push({ code: 'custom', message, input: text, continue: true });
      return uris;
    });

function faultOfAll(uris: readonly string[], type: ClientType, field: UriField): string | undefined {
  const { length: count } = uris;
  if (count === 0 && uriFields[field].isRequired) return 'Enter at least one redirect URI.';
  if (count > maxRedirectUris) return `Enter up to ${maxRedirectUris} redirect URIs; these are ${count}.`;
  return uris.map((uri) => faultOf(uri, type, field)).find((fault) => fault !== undefined);
}

function faultOf(uri: string, type: ClientType, field: UriField): string | undefined {
  const checked = checkRedirectUri(uri, type, uriFields[field].added);
  return checked.ok ? undefined : describeUriFault(uri, checked, type);
}

export function describeUriFault(
  uri: string,
  { reason, detail = '' }: Refusal<RedirectUriFault>,
  type: ClientType,
): string {
  return `${shortenUri(uri)} ${faultWords[reason](shortenUri(detail), type)}`;
}

export function shortenUri(uri: string): string {
  const visible = uri.replaceAll(/\p{C}/gu, '\uFFFD');
  const characters = [...visible];
  if (characters.length <= shownLength) return visible;
  const start = characters.slice(0, shownLength - shownEndLength - 1).join('');
  return `${start}…${characters.slice(-shownEndLength).join('')}`;
}

const websiteUrl = z
  .string({ error: 'Enter one web address.' })
  .trim()
  .max(500, { error: 'Use 500 characters at most.' })
  .refine((text) => text === '' || isWebsite(text), {
    error: 'Enter a web address such as https://app.example.',
  })
  .transform((text) => (text === '' ? null : text));

export function isWebsite(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

export const scopeChoiceOf = (known: KnownScopes) =>
  z
    .array(z.string())
    .transform((names) => [...new Set(names)])
    .refine((names) => names.every((name) => known.includes(name)), { error: 'Choose from the list.' });

/** Names in a hidden field say what its page showed. */
export const scopesInField = z
  .string()
  .max(10_000)
  .transform((text) => text.split(' ').filter((name) => name !== ''));

/** Full access is a choice of its own: nothing selected is none (contract §6). */
const accessFields = (known: KnownScopes) => ({
  access: z.enum(['full', 'chosen'], { error: 'Choose what your app asks for.' }),
  scopes: scopeChoiceOf(known),
  offered: scopesInField.catch([...known]),
});
type Access = z.output<z.ZodObject<ReturnType<typeof accessFields>>>;

/** What the form couldn't show stays as it is stored (security C302). */
function chooseScopes(
  { access, scopes, offered }: Access,
  stored: OwnScopes,
): { readonly scopes: OwnScopes; readonly fault?: string } {
  if (access === 'full') return { scopes: null };
  // A row that says *Write* can't say *Read*, too, which it contains.
  const isKept = (scope: Scope) => !offered.includes(scope) || mayUse(scopes, scope);
  const kept = stored?.filter(isKept) ?? []; // protects: C302
  const all = [...new Set([...scopes, ...kept])];
  // protects: C303
  if (all.length === 0) return { scopes: all, fault: 'Select at least one scope, or choose full access.' };
  const isUseless = all.some((scope) => identityScopes.includes(scope)) && !all.includes('openid');
  return isUseless
    ? { scopes: all, fault: 'Select openid, too: profile and email say nothing without it.' }
    : { scopes: all };
}

/**
 * Faults come in the order of the page, so that its first one gets the focus. A public client always
 * uses PKCE, so only a confidential one may choose.
 */
const clientFormOf = (known: KnownScopes, type: ClientType) =>
  z.object({
    name: lineOf(80, 'Enter a name.'),
    client_type: z
      .enum([...clientTypes, 'sign-in'], { error: 'Choose a type.' })
      .transform((chosen) => (chosen === 'sign-in' ? 'confidential' : chosen)),
    redirect_uris: uriLines(type, 'redirect_uris'),
    purpose: textOf(500, 'Enter a purpose.'),
    website_url: websiteUrl.optional().transform((url) => url ?? null),
    ...accessFields(known),
    /** A form that doesn't show it leaves it as it is stored (contract §2). */
    post_logout_redirect_uris: uriLines(type, 'post_logout_redirect_uris').optional(),
    requires_pkce: z
      .string()
      .optional()
      .transform((ticked) => Boolean(ticked) && type === 'confidential'),
    version: z.string().max(100).catch(''),
  });

const nothingStored = { scopes: [], postLogoutRedirectUris: [] };

/** Reads a form by the type of its app, which a new one chooses and another has. */
export function clientFormsOf(known: KnownScopes) {
  const forms = { confidential: clientFormOf(known, 'confidential'), public: clientFormOf(known, 'public') };
  return (
    sent: Readonly<Record<string, unknown>>,
    stored: Pick<TypedValues, 'scopes' | 'postLogoutRedirectUris'> = nothingStored,
  ) => {
    const form = readForm(forms[sent['client_type'] === 'public' ? 'public' : 'confidential'], sent);
    if (!form.ok) return form;
    const { typed, value } = form;
    const { scopes, fault } = chooseScopes(value, stored.scopes);
    if (fault !== undefined) return { ok: false as const, typed, faults: { scopes: fault } };
    const values = {
      name: value.name,
      purpose: value.purpose,
      websiteUrl: value.website_url,
      requiresPkce: value.requires_pkce,
      redirectUris: value.redirect_uris,
      postLogoutRedirectUris: value.post_logout_redirect_uris ?? stored.postLogoutRedirectUris,
      scopes,
    };
    return { ok: true as const, typed, value: { values, type: value.client_type, version: value.version } };
  };
}

export const sentScopes = z.object({ scopes: z.array(z.unknown()) }).transform(({ scopes }) => scopes);

export const clientBody = z.unknown().transform((body) => {
  const sent = readRows(body);
  return { sent, chosen: sentScopes.parse(sent), draft: draftOf(sent) };
});

const types = [
  { value: 'confidential', title: 'Server', words: 'Confidential: it keeps a secret.' },
  { value: 'public', title: 'Browser or mobile', words: 'Public: it has no secret, and uses PKCE.' },
  {
    value: 'sign-in',
    title: 'Sign-in only',
    words: 'A server that asks for name and email, and nothing else.',
  },
] as const;
const typeNames = { confidential: 'Confidential', public: 'Public' } as const;

export function describeFields(
  { typed, faults }: FormFaults,
  chosenScopes: readonly unknown[],
  permissions: Permissions,
  { type, stored = [] }: { readonly type?: ClientType; readonly stored?: OwnScopes } = {},
) {
  const { client_type: chosenType = 'confidential' } = typed;
  const uris = (name: UriField) => describeUris(name, { typed, faults }, readType(type ?? chosenType));
  return {
    typed,
    faults,
    typeName: type && typeNames[type],
    types: types
      .filter(({ value }) => value !== 'sign-in' || permissions.identity !== undefined)
      .map((one) => ({ ...one, isChosen: one.value === chosenType })),
    mayRequirePkce: type !== 'public',
    redirectUris: uris('redirect_uris'),
    signOutUris: permissions.identity && uris('post_logout_redirect_uris'),
    hasFullAccess: typed['access'] === 'full',
    offered: permissions.known.join(' '),
    kept: notOffered(stored, permissions.known).join(' '),
    ...scopeTableOf(permissions, chosenScopes),
  };
}

const readType = (type: string): ClientType => (type === 'public' ? 'public' : 'confidential');

/** Nobody needs so many, and thousands that are sent aren't answered with as many rows. */
const maxShownRows = 50;

export function describeUris(name: UriField, { typed, faults }: FormFaults, type: ClientType) {
  const { label, one, isRequired } = uriFields[name];
  const isFaulty = faults[name] !== undefined;
  const rows = (typed[name] ?? '')
    .split('\n')
    .slice(0, maxShownRows)
    .map((uri, index) => ({
      uri,
      id: index === 0 ? name : `${name}_${index + 1}`,
      label: `${one[0]?.toUpperCase()}${one.slice(1)} ${index + 1}`,
      fault: isFaulty && uri !== '' ? faultOf(uri, type, name) : undefined,
    }));
  const isOfRow = rows.length <= maxRedirectUris && rows.some(({ fault }) => fault !== undefined);
  return {
    name,
    label,
    one,
    isOptional: !isRequired,
    isUsed: (typed[name] ?? '').trim() !== '',
    rows: isOfRow ? rows : rows.map((row) => ({ ...row, fault: undefined })),
    fault: isOfRow ? undefined : faults[name],
    mayAdd: rows.length < maxRedirectUris,
  };
}

/** Each area is a row with *None*, *Read* and *Write*, which includes *Read*. */
export function scopeTableOf(
  { areas, others, identity }: Pick<Permissions, 'areas' | 'others' | 'identity'>,
  chosenScopes: readonly unknown[],
) {
  const choiceOf = ({ name, words }: DescribedScope) => ({
    name,
    words,
    isChosen: chosenScopes.includes(name),
  });
  return {
    areas: areas.map(({ title, icon, read, write }) => {
      const [mayRead, mayWrite] = [read, write].map(({ name }) => chosenScopes.includes(name));
      return {
        title,
        icon,
        name: `scopes_${read.name}`,
        choices: [
          { value: '', title: 'None', words: undefined, isChosen: !mayRead && !mayWrite },
          { value: read.name, title: 'Read', words: read.words, isChosen: mayRead && !mayWrite },
          { value: write.name, title: 'Write', words: write.words, isChosen: mayWrite },
        ],
      };
    }),
    others: [{ title: 'Other services', scopes: others }, identity ?? []]
      .flat()
      .filter(({ scopes }) => scopes.length > 0)
      .map(({ title, scopes }) => ({ title, scopes: scopes.map(choiceOf) })),
  };
}
