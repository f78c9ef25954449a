import { ok, type Result, refuse } from '../../result.ts';
import type { CodeExchange, Refresh } from '../core/ports.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import type { Fields } from './body.ts';

/** Reads known fields, or refuses the first that is missing, in the order in which RFCs list them. */
export type Read<Known> = (fields: Fields) => Result<Known, TokenRefusalReason>;

/** RFC 6749 §4.1.3 and §6 define these fields; spaces separate several resources (RFC 8707 §2.2). */
export const readTokenFields: Read<CodeExchange | Refresh> = (fields) => {
  const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = fields;
  const { grant_type: grantType, refresh_token: refreshToken, scope, resource } = fields;
  switch (grantType) {
    case 'authorization_code':
      if (code === undefined) return refuse('code_required');
      if (redirectUri === undefined) return refuse('redirect_uri_required');
      return ok({ grantType, code, redirectUri, codeVerifier, resource });
    case 'refresh_token':
      if (refreshToken === undefined) return refuse('refresh_token_required');
      return ok({ grantType, refreshToken, scope, resource });
    default:
      return refuse('grant_type_unsupported');
  }
};

/** RFC 7009 §2.1 and RFC 7662 §2.1 define the field. */
export const readPresentedToken: Read<string> = ({ token }) =>
  token === undefined ? refuse('token_required') : ok(token);
