import { z } from 'zod';
import { apiError, describedBy } from '../http.ts';
import { accessTokenSeconds } from './core/access-token.ts';
import { clientTypes } from './core/client.ts';

/*
 * What the OpenAPI document says of the endpoints that speak OAuth's own language (RFC 6749, RFC 7009). They read their input themselves, field
 * by field in the order of contract §4, and nothing here validates it.
 */

const client = {
  client_id: z.string().optional().describe('Unless HTTP Basic brings it.'),
  client_secret: z
    .string()
    .optional()
    .describe('A confidential client’s, unless HTTP Basic brings it; a public client has none.'),
} as const;

const exampleClient = {
  client_id: '5f0c1d2e3b4a59687786951423324150',
  client_secret: 'lks_your_client_secret',
} as const;

const codeRequest = z
  .object({
    ...client,
    grant_type: z.literal('authorization_code'),
    code: z.string().describe('It is good once, and for a minute.'),
    redirect_uri: z.string().describe('The one of the authorization request.'),
    code_verifier: z
      .string()
      .optional()
      .describe('Required of a public client, and wherever a code_challenge was sent (RFC 7636).'),
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

const refreshRequest = z
  .object({
    ...client,
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().describe('The last one that was given.'),
    scope: z.string().optional().describe('Fewer scopes than were granted, with blanks between.'),
  })
  .meta({
    id: 'Refresh',
    examples: [
      { ...exampleClient, grant_type: 'refresh_token', refresh_token: 'lkr_the_last_refresh_token' },
    ],
  });

const tokens = z
  .object({
    access_token: z.string().describe('For the API, as Authorization: Bearer.'),
    refresh_token: z.string().describe('Takes the place of the one before.'),
    token_type: z.literal('bearer'),
    expires_in: z.literal(accessTokenSeconds).describe('Seconds.'),
    scope: z.string().optional().describe('What was granted, when the client is registered with scopes.'),
  })
  .meta({
    id: 'Tokens',
    examples: [
      {
        access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.an.example',
        refresh_token: 'lkr_the_next_refresh_token',
        token_type: 'bearer',
        expires_in: accessTokenSeconds,
      },
    ],
  });

const oauthError = z
  .object({
    error: z.enum([
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'invalid_scope',
      'temporarily_unavailable',
      'server_error',
    ]),
    error_description: z.string().describe('A stable word or sentence that says which fault it is.'),
  })
  .meta({
    id: 'OAuthError',
    examples: [{ error: 'invalid_grant', error_description: 'code_invalid_or_expired' }],
  });

const bothKinds = ['application/x-www-form-urlencoded', 'application/json'];
const security = [{}, { clientBasic: [] }];
const errors = {
  400: oauthError.describe('The request, or what it brings, is not valid; error_description says how.'),
  401: oauthError.describe('The client is unknown, its secret is wrong, or it was not accepted.'),
  429: oauthError.describe('Too many requests.'),
  default: oauthError.describe(
    'Any other fault, in the same shape: 405, 413, 415, 500, and 503 with Retry-After.',
  ),
} as const;

export const tokenOperation = describedBy({
  operationId: 'requestTokens',
  summary: 'Exchange a code, or refresh',
  description:
    'Form and JSON are read by the same rules. A refresh token is good once, but a request whose answer was lost may be sent again: it gets the same next token.',
  tags: ['OAuth'],
  security,
  consumes: bothKinds,
  body: z.discriminatedUnion('grant_type', [codeRequest, refreshRequest]),
  response: { 200: tokens.describe('The tokens, flat (RFC 6749 §5.1).'), ...errors },
});

export const revocationOperation = describedBy({
  operationId: 'revokeToken',
  summary: 'End a permission',
  description:
    'Either token ends the whole permission (RFC 7009). A token that is unknown, or another client’s, is answered in the same way.',
  tags: ['OAuth'],
  security,
  consumes: bothKinds,
  body: z
    .object({
      ...client,
      token: z.string().describe('An access token or a refresh token.'),
      token_type_hint: z
        .string()
        .optional()
        .describe('access_token or refresh_token; either is found without it.'),
    })
    .meta({ id: 'Revocation', examples: [{ ...exampleClient, token: 'lkr_the_last_refresh_token' }] }),
  response: { 200: z.undefined().describe('The token does not work any more.'), ...errors },
});

const clientAnswer = z
  .object({
    client_id: z.string(),
    name: z.string(),
    redirect_uri: z.string().nullable().describe('The first of redirect_uris.'),
    redirect_uris: z.array(z.string()),
    logo: z.string().nullable().describe('An address.'),
    client_type: z.enum(clientTypes).describe('public: it cannot keep a secret.'),
    is_trusted: z.literal(false).describe('Always false: people are asked, whichever app it is.'),
  })
  .meta({
    id: 'OAuthClient',
    examples: [
      {
        client_id: exampleClient.client_id,
        name: 'Tidy Desk',
        redirect_uri: 'https://app.example/callback',
        redirect_uris: ['https://app.example/callback'],
        logo: null,
        client_type: 'confidential',
        is_trusted: false,
      },
    ],
  });

export const lookUpOperation = describedBy({
  operationId: 'getOAuthClient',
  summary: 'Look a client up',
  description: 'For any valid token, whatever its scopes.',
  tags: ['OAuth clients'],
  security: [{ oauth2: [] }],
  params: z.object({
    clientId: z
      .string()
      .describe('The client_id.')
      .meta({ examples: [exampleClient.client_id] }),
  }),
  response: {
    200: z.object({ status: z.literal('success'), data: clientAnswer }).describe('It went well.'),
    401: apiError.describe('There is no valid access token.'),
    404: apiError.describe('There is no client with this id.'),
    default: apiError.describe('Any other fault, in the same shape.'),
  },
});
