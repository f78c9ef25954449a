import type { FastifyReply } from 'fastify';
import type { Session } from '../../accounts/sessions/session.ts';
import type { Platform } from '../../platform/platform.ts';
import { isDocumentUrl } from '../client-id.ts';
import type { AuthorizationRequest } from '../core/authorization.ts';
import type { ReviewStatus } from '../core/client.ts';
import type { NamedClient } from '../store.ts';

export type DocumentRequest = AuthorizationRequest & { readonly clientId: string };

export function isOfDocument(asked: AuthorizationRequest): asked is DocumentRequest {
  return asked.clientId !== undefined && isDocumentUrl(asked.clientId);
}

export type Unaccepted = Exclude<ReviewStatus, 'accepted'>;

/** Apps can be described at the address that is their client_id (contract §2). */
export interface ClientDocuments {
  /** Reads the app's document again if that is due. No request waits for it; a stop does. */
  refreshSoon(app: Platform, client: NamedClient): void;
  sendUnreviewed(
    reply: FastifyReply,
    session: Session,
    asked: DocumentRequest,
    status: Unaccepted | undefined,
  ): Promise<FastifyReply>;
}

declare module '../../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly clientDocuments: ClientDocuments;
  }
}
