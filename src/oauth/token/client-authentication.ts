import type { FastifyRequest } from 'fastify';
import { auditContextOf } from '../../accounts/sessions/session.ts';
import type { AuditContext } from '../../platform/audit/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { createLimit, type Limit } from '../../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { type Ok, ok, refuse } from '../../result.ts';
import {
  authenticateClient,
  type Client,
  type ClientWithSecrets,
  type PresentedClient,
} from '../core/client.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import type { Fields } from './body.ts';

/** Undefined: none. */
export type PresentedBasic = PresentedClient | 'unreadable' | undefined;

export function readPresentedBasic(authorization: string | undefined): PresentedBasic {
  return isBasic(authorization) ? (readBasic(authorization) ?? 'unreadable') : undefined;
}

/**
 * In the body or by HTTP Basic, not both (RFC 6749 §2.3.1). With Basic, the body may repeat the id.
 */
export function readPresentedClient(
  fields: Fields,
  basic: PresentedBasic,
): Ok<PresentedClient> | TokenRefusal {
  const { client_id: clientId, client_secret: clientSecret } = fields;
  if (basic === undefined) {
    return clientId === undefined ? refuse('client_id_required') : ok({ clientId, clientSecret });
  }
  if (clientSecret !== undefined) return refuse('two_authentications');
  if (basic === 'unreadable')
    return { ...refuse('invalid_client_credentials'), cause: { kind: 'basic_unreadable' } };
  if (clientId !== undefined && clientId !== basic.clientId) return refuse('two_clients');
  return ok(basic);
}

/** RFC 6749 §5.2; schemes ignore case (RFC 9110 §11.1). */
export function isBasic(authorization: string | undefined): authorization is string {
  return authorization !== undefined && /^basic(?: |$)/i.test(authorization);
}

export function readBasic(authorization: string): PresentedClient | undefined {
  const encoded = authorization.slice('basic'.length).trim();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  const clientId = decodeFormText(pair.slice(0, colon));
  const clientSecret = decodeFormText(pair.slice(colon + 1));
  if (!clientId || clientSecret === undefined || /\0/.test(clientId + clientSecret)) return undefined;
  return { clientId, clientSecret: clientSecret === '' ? undefined : clientSecret };
}

/** Form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly tokenRateLimits: TokenRateLimits;
  }
}

/** Per minute, on each instance (security C41). */
export interface TokenRateLimits {
  /** Per client. Only failures count, so nobody can lock a client out. */
  readonly failedAuthentications: Limit;
  /** Per grant: far more than any app needs. */
  readonly grantRequests: Limit;
  /** Per client and grant. */
  readonly introspections: Limit;
  /** Per network. */
  readonly leakReports: Limit;
}

export function createTokenRateLimits(runtime: Runtime): TokenRateLimits {
  return {
    failedAuthentications: createLimit(60, runtime, 'client_authentication'),
    grantRequests: createLimit(600, runtime, 'token_grant'),
    introspections: createLimit(600, runtime, 'introspection'),
    leakReports: createLimit(20, runtime, 'leak_report'),
  };
}

/** Notes the use of the secret for its owner, and limits failures. */
export async function authenticate(
  app: Pick<Platform, 'runtime' | 'clientSecretUse' | 'tokenRateLimits'>,
  client: ClientWithSecrets | undefined,
  presented: PresentedClient,
): Promise<Ok<Client> | TokenRefusal> {
  const authenticated = await authenticateClient(client, presented, nodeHash);
  if (!authenticated.ok) return limitFailures(app, authenticated, presented.clientId);
  const { client: itself, secretId } = authenticated.value;
  if (secretId !== undefined) app.clientSecretUse.note(secretId, app.runtime.now());
  return ok(itself);
}

/** `too_many_requests` after a burst of wrong secrets for one client (security C41). */
export function limitFailures(
  { tokenRateLimits }: Pick<Platform, 'tokenRateLimits'>,
  refusal: TokenRefusal,
  clientId: string,
): TokenRefusal {
  if (refusal.reason !== 'invalid_client_credentials') return refusal;
  if (tokenRateLimits.failedAuthentications.allows(clientId)) return refusal;
  return refuse('too_many_requests', 'too many wrong secrets for this client');
}

/** For what a client does by itself; a public one may only pretend to be it. */
export function clientContextOf(
  request: FastifyRequest,
  { clientId }: Pick<PresentedClient, 'clientId'>,
): AuditContext {
  return { ...auditContextOf(request), actorClientId: clientId };
}
