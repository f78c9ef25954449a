import { ok, type Result, refuse } from '../../result.ts';
import type { PresentedClient } from '../core/client.ts';
import type { TokenRequest } from '../core/ports.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import type { Fields } from './body.ts';

interface CodeExchange {
  readonly grant_type: 'authorization_code';
  readonly code: string;
  readonly redirect_uri: string;
  readonly code_verifier?: string | undefined;
  readonly resource?: string | undefined;
}

interface Refresh {
  readonly grant_type: 'refresh_token';
  readonly refresh_token: string;
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
}

/** RFC 6749 §4.1.3 and §6 define these fields; spaces separate several resources (RFC 8707 §2.2). */
export type TokenFields = CodeExchange | Refresh;

/** Refuses what is missing in the order in which the RFC lists the fields. */
export function readTokenFields(fields: Fields): Result<TokenFields, TokenRefusalReason> {
  const { grant_type, code, redirect_uri, code_verifier, refresh_token, scope, resource } = fields;
  switch (grant_type) {
    case 'authorization_code':
      if (code === undefined) return refuse('code_required');
      if (redirect_uri === undefined) return refuse('redirect_uri_required');
      return ok({ grant_type, code, redirect_uri, code_verifier, resource });
    case 'refresh_token':
      if (refresh_token === undefined) return refuse('refresh_token_required');
      return ok({ grant_type, refresh_token, scope, resource });
    default:
      return refuse('grant_type_unsupported');
  }
}

/** RFC 7009 §2.1 and RFC 7662 §2.1 define the field. */
export interface PresentedToken {
  readonly token: string;
}

export function readPresentedToken({ token }: Fields): Result<PresentedToken, TokenRefusalReason> {
  return token === undefined ? refuse('token_required') : ok({ token });
}

export function tokenRequestOf(
  client: PresentedClient,
  fields: TokenFields,
  dpopProof: string | undefined,
): TokenRequest {
  const { resource } = fields;
  if (fields.grant_type === 'refresh_token') {
    const { grant_type: grantType, refresh_token: refreshToken, scope } = fields;
    return { grantType, client, refreshToken, scope, resource, dpopProof };
  }
  const { grant_type: grantType, code, redirect_uri: redirectUri, code_verifier: codeVerifier } = fields;
  return { grantType, client, code, redirectUri, codeVerifier, resource, dpopProof };
}
