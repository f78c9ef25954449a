import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { clientAddressOf } from '../networks.ts';

/** An account makes clients with such ids for itself, and none of them waits for a review. */
export const ownClientPrefix = 'own-';
/** Older ones have other words before the UUID; the id of an app has none, or is an address. */
export const ownClientId: RegExp = /^[a-z-]+-[0-9a-f-]{36}$/;

/** A visitor has no actor. */
export interface AuditContext {
  readonly at: Date;
  readonly actorId: number | null;
  readonly actorClientId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly log?: Pick<FastifyBaseLogger, 'info'> | undefined;
}

export function systemContext(at: Date, log?: AuditContext['log']): AuditContext {
  return { at, log, actorId: null, actorClientId: null, address: null, userAgent: null, requestId: null };
}

/** Stands for what a request does. Without an actor, a visitor does it. */
export function requestContext(
  request: FastifyRequest,
  actor: Partial<Pick<AuditContext, 'actorId' | 'actorClientId'>>,
): AuditContext {
  return {
    ...systemContext(request.server.runtime.now(), request.log),
    address: clientAddressOf(request),
    userAgent: keptUserAgent(request.headers['user-agent']),
    requestId: request.id,
    ...actor,
  };
}

const maxUserAgentLength = 300;

export function keptUserAgent(header: string | undefined): string | null {
  const kept = (header ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, maxUserAgentLength);
  return kept === '' ? null : kept;
}
