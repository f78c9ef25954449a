import { z } from 'zod';
import { refuse } from '../../result.ts';
import { isTokenRefusalReason, type TokenRefusalReason } from '../core/refusal.ts';
import type { Read } from '../http/request.ts';

const required = (reason: TokenRefusalReason) => z.string({ error: reason });

const clientFields = {
  client_id: z.string().optional().describe('Required unless you use HTTP Basic.'),
  client_secret: z
    .string()
    .optional()
    .describe('Required for confidential clients unless you use HTTP Basic. Public clients have none.'),
} as const;

/** RFC 7009 §2.1 and RFC 7662 §2.1 define these fields. */
const presentedToken = {
  ...clientFields,
  token: required('token_required').describe('An access token or a refresh token.'),
  token_type_hint: z
    .string()
    .optional()
    .describe('access_token or refresh_token. Not needed to find the token.'),
} as const;

/** Spaces separate several (RFC 8707 §2.2). */
const resource = z
  .string()
  .optional()
  .describe(
    'Narrows the access token to a resource that the user approved. Send the field again for each further one; in JSON, an array (RFC 8707).',
  );

export const exampleClient = {
  client_id: '5f0c1d2e3b4a59687786951423324150',
  client_secret: 'lks_your_client_secret',
} as const;

export const revocationFields = z
  .object(presentedToken)
  .meta({ id: 'Revocation', examples: [{ ...exampleClient, token: 'lkr_the_last_refresh_token' }] });

export const introspectionFields = z
  .object(presentedToken)
  .meta({ id: 'IntrospectionRequest', examples: [{ ...exampleClient, token: 'eyJ.an.access_token' }] });

const codeExchange = z
  .object({
    ...clientFields,
    grant_type: z.literal('authorization_code'),
    code: required('code_required').describe('Works once, within a minute.'),
    resource,
    redirect_uri: required('redirect_uri_required').describe('The same as in the authorization request.'),
    code_verifier: z
      .string()
      .optional()
      .describe('Required for public clients, and if you sent a code_challenge (RFC 7636).'),
  })
  .meta({
    id: 'CodeExchange',
    examples: [
      {
        ...exampleClient,
        grant_type: 'authorization_code',
        code: 'lkc_the_code_that_came_back',
        redirect_uri: 'https://app.example/callback',
      },
    ],
  });

const refresh = z
  .object({
    ...clientFields,
    grant_type: z.literal('refresh_token'),
    refresh_token: required('refresh_token_required').describe('The most recent one.'),
    resource,
    scope: z.string().optional().describe('Narrows the granted scopes. Separate scopes with spaces.'),
  })
  .meta({
    id: 'Refresh',
    examples: [
      { ...exampleClient, grant_type: 'refresh_token', refresh_token: 'lkr_the_last_refresh_token' },
    ],
  });

/** RFC 6749 §4.1.3 and §6 define these fields. */
export const tokenFields = z.discriminatedUnion('grant_type', [codeExchange, refresh], {
  error: 'grant_type_unsupported' satisfies TokenRefusalReason,
});

/**
 * Reads a body as its document says. The schema's messages are reasons, and the first counts
 * (contract §4).
 */
export const readBy =
  <Known>(schema: z.ZodType, read: Read<Known>): Read<Known> =>
  (fields) => {
    const { success, error } = schema.safeParse(fields);
    if (success) return read(fields);
    const reasons = error.issues.map(({ message }) => message);
    return refuse(reasons.find(isTokenRefusalReason) ?? 'unreadable_body');
  };
