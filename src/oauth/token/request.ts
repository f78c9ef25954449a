import { z } from 'zod';
import { ok, type Result, refuse } from '../../result.ts';
import type { PresentedClient } from '../core/client.ts';
import type { TokenRefusalReason } from '../core/refusal.ts';
import type { Fields } from './body.ts';
import { readPresentedClient } from './client-authentication.ts';

const required = (reason: TokenRefusalReason) => z.string({ error: reason });

const tokenRequest = z.discriminatedUnion(
  'grant_type',
  [
    z.object({
      grant_type: z.literal('authorization_code'),
      code: required('code_required'),
      redirect_uri: required('redirect_uri_required'),
      code_verifier: z.string().optional(),
    }),
    z.object({
      grant_type: z.literal('refresh_token'),
      refresh_token: required('refresh_token_required'),
      scope: z.string().optional(),
    }),
  ],
  { error: 'grant_type_unsupported' satisfies TokenRefusalReason },
);

/** What the token endpoint is asked, by a client that is not authenticated yet (RFC 6749 §4.1.3 and §6). */
export type TokenRequest = { readonly client: PresentedClient } & z.output<typeof tokenRequest>;

const reasons = [
  'grant_type_unsupported',
  'code_required',
  'redirect_uri_required',
  'refresh_token_required',
] as const satisfies readonly TokenRefusalReason[];

/**
 * The token request in a body's fields and the Authorization header, faults in the order of contract §4: a Basic header that cannot be
 * read is a matter of the client's credentials, and so comes behind the faults of the request.
 */
export function parseTokenRequest(
  fields: Fields,
  authorization: string | undefined,
): Result<TokenRequest, TokenRefusalReason> {
  const client = readPresentedClient(fields, authorization);
  if (!client.ok && client.reason !== 'invalid_client_credentials') return client;
  const parsed = tokenRequest.safeParse(fields);
  if (parsed.success) return client.ok ? ok({ client: client.value, ...parsed.data }) : client;
  const messages = parsed.error.issues.map(({ message }) => message);
  return refuse(reasons.find((reason) => messages.includes(reason)) ?? 'unreadable_body');
}
