import { z } from 'zod';
import { tokenType } from '../token/response.ts';

/** RFC 7662 §2.2. */
export const introspection = z
  .object({
    active: z.boolean().describe('Whether the token works now. If false, it’s the only field.'),
    token_type: tokenType.optional(),
    iss: z.string().optional().describe('Issuer.'),
    aud: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Whom access tokens are for.'),
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

export type Introspection = z.output<typeof introspection>;
