import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { apiError, sendApiError } from '../../api/errors.ts';
import { compileInput } from '../../api/input-faults.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { bearerOf, bearerPlugin, sendRevokedToken } from '../bearer.ts';
import { clientTypes } from '../core/client.ts';
import { exampleClient } from '../token/fields.ts';
import { lookUpClient } from './store.ts';

const uri = z.string().meta({ format: 'uri' });

const shownClient = z
  .object({
    client_id: z.string(),
    name: z.string(),
    redirect_uri: uri.nullable().describe('The first of redirect_uris.'),
    redirect_uris: z.array(uri),
    logo: uri.nullable().describe('The URL of its logo.'),
    client_type: z.enum(clientTypes).describe('A public client can’t keep a secret.'),
    is_trusted: z.literal(false).describe('Always false: users approve every app.'),
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

const schema = {
  operationId: 'getOAuthClient',
  summary: 'Get an OAuth client',
  description: 'Works with any valid access token, whatever its scopes.',
  security: [{ oauth2: [] }, { accessToken: [] }],
  params: z.object({
    clientId: z
      .string()
      .describe('The client_id.')
      .meta({ examples: [exampleClient.client_id] }),
  }),
  response: {
    200: z.object({ status: z.literal('success'), data: shownClient }).describe('The client.'),
    401: apiError.describe('No valid access token.'),
    404: apiError.describe('No client has this id.'),
    429: apiError.describe('Too many requests.'),
    default: apiError.describe('Any other error, in the same format.'),
  },
};

const family = { name: 'OAuth clients', place: 20, words: 'Look up registered apps.' };

/** Any valid access token may look up clients (contract §2). */
export const clientLookUpPlugin = scopedPlugin('client-look-up', ['api-errors'], 'requests', async (app) => {
  await app.register(bearerPlugin);
  app.setValidatorCompiler(compileInput);
  app.setSerializerCompiler(serializerCompiler);
  app.get('/auth/oauth2/clients/:clientId', { schema, config: { family } }, async (request, reply) => {
    const { grantId } = bearerOf(request);
    const found = await lookUpClient(app, grantId, request.params.clientId);
    if (found === undefined) return sendRevokedToken(reply);
    const { client } = found;
    if (client === undefined) return sendApiError(reply, 'NotFound', 'No client has this id.');
    return reply.send({
      status: 'success',
      data: {
        client_id: client.id,
        name: client.name,
        redirect_uri: client.redirectUris[0] ?? null,
        redirect_uris: [...client.redirectUris],
        logo: client.logoId === null ? null : `${app.config.appUrl}/logos/${client.logoId}`,
        client_type: client.type,
        is_trusted: false,
      },
    });
  });
});
