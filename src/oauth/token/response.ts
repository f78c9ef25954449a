import { z } from 'zod';
import { accessTokenSeconds } from '../core/access-token.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';

/** `error_uri` leads to this page (contract §4). */
export const errorsPath = '/docs/errors';

const tokenType = z
  .enum(['bearer', 'DPoP'])
  .meta({ id: 'TokenType', description: 'DPoP for access tokens that are bound to a key (RFC 9449).' });

/** RFC 6749 §5.1 defines these fields. */
const fields = {
  access_token: z.string().describe('Send it to the API as Authorization: Bearer, or DPoP with a proof.'),
  refresh_token: z.string().describe('Replaces the previous one.'),
  token_type: tokenType,
  expires_in: z.literal(accessTokenSeconds).describe('In seconds.'),
  scope: z
    .string()
    .optional()
    .describe('The granted scopes, if the client is registered with scopes or one was asked for.'),
};

const examples = [
  {
    access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example',
    refresh_token: 'lkr_the_next_refresh_token',
    token_type: 'bearer' as const,
    expires_in: accessTokenSeconds,
  },
];

/** The answer where no part says who signed in. */
export const plainTokens = z.object(fields).meta({ id: 'OAuthTokens', examples });

/** OpenID Connect Core, section 3.1.3.3 adds the last field. */
export const tokens = z
  .object({
    ...fields,
    id_token: z
      .string()
      .optional()
      .describe('Says who the user is (OpenID Connect), if a code was exchanged that openid was asked with.'),
  })
  .meta({ id: 'Tokens', examples });

export const introspection = z
  .object({
    active: z.boolean().describe('Whether the token works now. If false, it’s the only field.'),
    token_type: tokenType.optional(),
    iss: z.string().optional().describe('Issuer.'),
    aud: z.unknown().optional().describe('Whom access tokens are for: one as a string, several as a list.'),
    sub: z.string().optional().describe('ID of the user.'),
    client_id: z.string().optional().describe('The app that the user approved.'),
    team_id: z.number().optional().describe('The team, if the access is to a team.'),
    scope: z.string().optional().describe('What the token allows now, separated by spaces.'),
    iat: z.number().optional().describe('When the access token was issued, in seconds since 1970.'),
    exp: z.number().optional().describe('When the access token expires, in seconds since 1970.'),
    cnf: z
      .object({ jkt: z.string().describe('RFC 7638 thumbprint.') })
      .optional()
      .describe('The key that the access token is bound to (RFC 9449).'),
    jti: z.string().optional().describe('ID of the access token.'),
  })
  .meta({ id: 'Introspection' });

const oauthError = z
  .object({
    error: z
      .enum([
        'invalid_request',
        'invalid_client',
        'invalid_grant',
        'invalid_scope',
        'invalid_target',
        'invalid_dpop_proof',
        'use_dpop_nonce',
        'temporarily_unavailable',
        'server_error',
      ])
      .meta({ id: 'OAuthErrorCode' }),
    error_description: z.string().describe('Says which error it is. Stable, so programs can rely on it.'),
    error_uri: z.string().meta({ format: 'uri' }).describe('A page that explains it and says what to do.'),
  })
  .meta({
    id: 'OAuthError',
    examples: [
      {
        error: 'invalid_grant',
        error_description: 'code_invalid_or_expired',
        error_uri: errorUriOf('http://localhost:3000', 'code_invalid_or_expired'),
      },
    ],
  });

export const oauthErrors = {
  400: oauthError.describe('The request, or what it presents, is invalid. See error_description.'),
  401: oauthError.describe('Unknown client, wrong secret, or the client isn’t accepted.'),
  429: oauthError.describe('Too many requests.'),
  default: oauthError.describe('Any other error: 405, 413, 415, 500, and 503 with Retry-After.'),
} as const;

export function errorUriOf(appUrl: string, reason: TokenRefusalReason): string {
  return `${appUrl}${errorsPath}#${reason}`;
}
