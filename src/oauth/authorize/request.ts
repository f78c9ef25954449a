import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { queryIn } from '../../accounts/sessions/addresses.ts';
import { wayOf } from '../../accounts/sessions/on-the-way.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { type Answer, type AuthorizationRequest, malformedValue, type Team } from '../core/authorization.ts';
import type { RefusedOnPage } from '../failed-requests/recorder.ts';
import type { Destination } from '../http/app-answer.ts';
import {
  decodeParameter,
  parseParameters,
  readAuthorizationRequest,
  readIdToken,
  readParameter,
  readState,
  type SentParameters,
  wireNames,
} from '../http/authorization-parameters.ts';
import type { NamedClient } from '../store.ts';
import type { PastConsent } from './store.ts';

export const authorizePath = '/auth/oauth2/authorize';

const reading = (read: (sent: unknown) => string | undefined) =>
  z
    .unknown()
    .optional()
    .transform((sent) => read(sent));
/** A logout reads what it has in common with an authorization as that does. @public */
export const ofLogout = {
  client_id: reading(readParameter),
  id_token_hint: reading(readIdToken),
  post_logout_redirect_uri: reading(readParameter),
  state: reading(readState),
  ui_locales: reading(readParameter),
} as const;

/** Every answer goes there and carries these values (contract §3, RFC 9207). */
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

export const authorizationQuery = z
  .unknown()
  .transform((query) => readAuthorizationRequest(Object.fromEntries(Object.entries(query ?? {}))));

export const queryOf = (address: string): SentParameters => parseParameters(queryIn(address));

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
  const shown = readAuthorizationRequest(Object.fromEntries(sent));
  const isWhole = shown.ok && !Object.values(shown.value).includes(malformedValue);
  return isWhole ? shown : refuse('request_malformed', 'a field was changed');
});

/** Runs in `preValidation`: pages that the form leads to are on the way of its request. */
export async function keepWay(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const asked = shownRequest.parse(body);
  if (asked.ok) request.onTheWay = wayOf(addressOf(asked.value));
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
    .max(2048)
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
