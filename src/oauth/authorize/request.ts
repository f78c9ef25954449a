import { type ParsedUrlQuery, parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { wayOf } from '../../accounts/sessions/on-the-way.ts';
import { queryIn, type Session } from '../../accounts/sessions/session.ts';
import { ok, type Result, refuse } from '../../result.ts';
import {
  type Answer,
  type AuthorizationRequest,
  malformedValue,
  requestParameters,
  type Team,
} from '../core/authorization.ts';
import type { RegisteredRedirectUri } from '../core/redirect-uri.ts';
import type { ResponseMode } from '../core/response-mode.ts';
import { maxResources, resourceMaxLength } from '../core/scope.ts';
import type { RefusedOnPage } from '../failed-requests/recorder.ts';
import type { NamedClient } from '../store.ts';
import type { PastConsent } from './store.ts';

export const authorizePath = '/auth/oauth2/authorize';

/** No registered redirect URI is longer. */
const maxLength = 2048;
/** An ID token with a long name and address is longer (contract §4). */
const maxIdTokenLength = 4096;
/** Some brokers put a whole request into the state, and none that we know needs more. */
const maxStateBytes = 4096;

/**
 * A parameter that is repeated, too long or holds NUL can't be trusted; an empty one counts as
 * absent.
 */
const text = z.string({ error: 'is repeated' }).refine((value) => !value.includes('\0'), {
  error: 'contains NUL',
});
const parameterOf = (schema: typeof text) =>
  schema.optional().transform((value) => (value === '' ? undefined : value));
const parameter = parameterOf(text.max(maxLength, { error: 'is too long' }));
const state = parameterOf(
  text.refine((value) => Buffer.byteLength(value) <= maxStateBytes, { error: 'is too long' }),
);

/**
 * Only `resource` may be repeated (RFC 8707 §2). The page sends the values back separated by
 * spaces.
 */
const resource = z
  .union([z.string(), z.array(z.string()).max(maxResources, { error: 'is too long' })])
  .optional()
  .transform((value) => [value ?? []].flat().join(' '))
  .pipe(z.string().max(maxResources * (resourceMaxLength + 1), { error: 'is too long' }))
  .refine((value) => !value.includes('\0'), { error: 'contains NUL' })
  .transform((value) => (value === '' ? undefined : value));

const wireNames = requestParameters.map((name) => [name, nameOnWire(name)] as const);

function nameOnWire(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Parameter = z.ZodType<string | undefined>;

/** Contract §3. A value that doesn't say where an answer goes is refused there. */
const read = (schema: Parameter): Parameter => schema.catch(malformedValue);
const idTokenHint = parameterOf(text.max(maxIdTokenLength, { error: 'is too long' }));
/** What isn't understood is no fault (OpenID Connect Core, section 3.1.2.1). */
const uiLocales = parameter.catch(undefined);
const ownRules = { resource: read(resource), idTokenHint: read(idTokenHint), uiLocales };
/** A logout reads what it has in common with an authorization as that does. @public */
export const ofLogout = {
  client_id: read(parameter),
  id_token_hint: read(idTokenHint),
  post_logout_redirect_uri: read(parameter),
  state: read(state),
  ui_locales: read(parameter),
} as const;
const special = { clientId: parameter, redirectUri: parameter, state, ...ownRules };
const readers = new Map<string, Parameter>(Object.entries(special));
const parameters = z.object(
  Object.fromEntries(wireNames.map(([name, onWire]) => [onWire, readers.get(name) ?? read(parameter)])),
);

/** Every answer goes there and carries these values (contract §3, RFC 9207). */
export interface Destination {
  readonly redirectUri: RegisteredRedirectUri;
  readonly mode: ResponseMode;
  readonly state: string | undefined;
  readonly issuer: string;
}

export interface ValidRequest {
  readonly request: AuthorizationRequest;
  readonly missing?: RefusedOnPage | undefined;
  /** The request is for `openid`. */
  readonly isSignIn: boolean;
  /** False where an `id_token_hint` says nothing of whom the app asks for. */
  readonly isHintKnown: boolean;
  readonly client: NamedClient;
  readonly destination: Destination;
  readonly session: Session;
  /** The user manages these. */
  readonly teams: readonly Team[];
  readonly past: PastConsent;
  /** The rest couldn't be read. */
  readonly fault?: unknown;
}

/** If a malformed value says where an answer goes, the page refuses it (RFC 6749 §3.1). */
export const authorizationQuery = z.unknown().transform((query) => toRequest(parameters.safeParse(query)));

/** Reads bytes that aren't UTF-8 as NUL, which no parameter may have; a `%` alone is itself. */
export function parseParameters(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { decodeURIComponent: decodeParameter });
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return '\0'; // protects: C231
  }
}

export const queryOf = (address: string): ParsedUrlQuery => parseParameters(queryIn(address));

/**
 * Returns the address of a request that an app posts (RFC 6749 §3.1), or that a 307 of its own form
 * does, whose fields say nothing then. Returns undefined for what only our page may send.
 */
export function addressOfPosted({ url, body }: Pick<FastifyRequest, 'url' | 'body'>): string | undefined {
  const fields = new Map(Object.entries(body ?? {}));
  if (fields.has('decision')) return undefined; // protects: C229
  const query = new Map(Object.entries(queryOf(url)));
  const sent = query.has('client_id') ? query : fields;
  const pairs = wireNames.flatMap(([, name]) =>
    [sent.get(name) ?? []].flat().map((value) => `${name}=${encodeURIComponent(String(value))}`),
  );
  return `${authorizePath}?${pairs.join('&')}`;
}

/** Reads what {@link hiddenFields} wrote. The page has refused whatever can't be read. */
export const shownRequest = z.unknown().transform((body) => {
  const sent = Object.entries(body ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? decodeParameter(value) : value,
  ]);
  const shown = toRequest(parameters.safeParse(Object.fromEntries(sent)));
  const isWhole = shown.ok && !Object.values(shown.value).includes(malformedValue);
  return isWhole ? shown : refuse('request_malformed', 'a field was changed');
});

/** Runs in `preValidation`: pages that the form leads to are on the way of its request. */
export async function keepWay(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const asked = shownRequest.parse(body);
  if (asked.ok) request.onTheWay = wayOf(addressOf(asked.value));
}

function toRequest(
  parsed: z.ZodSafeParseResult<Readonly<Record<string, string | undefined>>>,
): Result<AuthorizationRequest, 'request_malformed'> {
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse('request_malformed', `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  const { data } = parsed;
  const pairs = wireNames.map(([name, onWire]) => [name, data[onWire]] as const);
  return ok(Object.fromEntries(pairs) as AuthorizationRequest);
}

export interface HiddenField {
  readonly name: string;
  readonly value: string;
}

function pairsOf(request: AuthorizationRequest): readonly HiddenField[] {
  return wireNames.flatMap(([parameter, name]) => {
    const value = request[parameter];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** Browsers rewrite line breaks in forms, so these are percent-encoded. */
export function hiddenFields(request: AuthorizationRequest): readonly HiddenField[] {
  return pairsOf(request).map(({ name, value }) => ({
    name,
    value: value.replaceAll(/[%\p{Cc}]/gu, encodeURIComponent),
  }));
}

export function addressOf(request: AuthorizationRequest): string {
  const query = pairsOf(request).map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  return `${authorizePath}?${query.join('&')}`;
}

export interface ConsentAnswer extends Answer {
  readonly decision: string;
  readonly isRemembered: boolean;
}

const consentForm = z.object({
  action: z.enum(['allow', 'deny']),
  account: z
    .string()
    .max(maxLength)
    .refine((slug) => !slug.includes('\0'))
    .default(''),
  decision: z.string().catch(''),
  remember: z.literal('yes').optional().catch(undefined),
});

function parseConsentAnswer(body: unknown): Result<ConsentAnswer, 'answer_malformed'> {
  const parsed = consentForm.safeParse(body);
  if (!parsed.success) return refuse('answer_malformed');
  const { action, account, decision, remember } = parsed.data;
  const teamSlug = account === '' ? undefined : account;
  return ok({ action, decision, teamSlug, isRemembered: remember === 'yes' });
}

export const consentBody = z
  .unknown()
  .transform((body) => ({ asked: shownRequest.parse(body), answer: parseConsentAnswer(body) }));

const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Reads Fetch Metadata. Browsers too old for it send no cookies from other sites' frames
 * (SameSite).
 */
export function isTopLevelNavigation({
  method,
  headers,
}: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET') return false;
  if (purposeHeaders.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? ''))))
    return false;
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && destination === 'document';
}
