import type { FastifyReply, FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { apiError } from '../api/errors.ts';
import { bearerOf, bearerPlugin, narrowBearer, sendMissingScope, sendRevokedToken } from '../oauth/bearer.ts';
import { mayUse } from '../oauth/own-scopes.ts';
import { oauthFamily } from '../oauth/token/routes.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { limitCallers } from '../v2/limits.ts';
import { claimsOf } from './claims.ts';
import { findStandingUser } from './store.ts';

export const userinfoPath = '/auth/oauth2/userinfo';

const userinfo = z
  .object({
    sub: z.string().describe('ID of the user, as in access tokens. It never changes.'),
    name: z.string().optional(),
    preferred_username: z.string().optional().describe('Username, which the user may change.'),
    zoneinfo: z.string().optional().describe('Time zone.'),
    locale: z
      .string()
      .optional()
      .describe(
        'A language tag: the user’s choice where there is one, otherwise the browser’s at the last sign-in.',
      ),
    updated_at: z.int().optional().describe('When the account last changed, in seconds since 1970.'),
    email: z.string().meta({ format: 'email' }).optional(),
    email_verified: z.boolean().optional().describe('Whether the user has shown that it’s theirs.'),
  })
  .meta({
    id: 'Userinfo',
    examples: [
      {
        sub: '42',
        name: 'Ann Smith',
        preferred_username: 'ann',
        zoneinfo: 'Europe/Berlin',
        locale: 'en-GB',
        updated_at: 1893456000,
        email: 'ann@example.com',
        email_verified: true,
      },
    ],
  });

const responses: Readonly<Record<string, z.ZodType>> = {
  200: userinfo.describe('The user.'),
  400: apiError.describe('More than one access token.'),
  401: apiError.describe('Missing or invalid access token.'),
  403: apiError.describe('The access token doesn’t have the scope openid.'),
  429: apiError.describe('Too many requests.'),
  default: apiError.describe('Any other error, in the same format.'),
};

const describedAs = (operationId: string, summary: string) => ({
  schema: {
    operationId,
    summary,
    description:
      'OpenID Connect Core, section 5.3. The scope profile adds name, username, time zone and language, and email the email address. The answer is flat.',
    security: [{ oauth2: ['openid'] }, { accessToken: [] }],
    response: responses,
  },
  config: { family: oauthFamily },
});

/** OpenID Connect Core, section 5.3; errors are those of RFC 6750 §3.1 in the API's shape. */
export const userinfoPlugin = scopedPlugin('userinfo', ['api-errors'], 'requests', async (app) => {
  await app.register(bearerPlugin);
  app.addHook('preValidation', limitCallers);
  app.setSerializerCompiler(serializerCompiler);
  // A token is read in the header alone, so a form says nothing.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _text, done) => done(null));
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = await findStandingUser(app, bearerOf(request).grantId);
    if (found === undefined) return sendRevokedToken(reply);
    narrowBearer(request, found.registeredScopes); // protects: C286
    const { scopes } = bearerOf(request);
    if (!mayUse(scopes, 'openid')) return sendMissingScope(reply, 'openid');
    const { user, userId } = found;
    return reply.send({ sub: String(userId), ...claimsOf(user, scopes) });
  };
  app.get(userinfoPath, describedAs('getUserinfo', 'Get who signed in'), answer);
  app.post(userinfoPath, describedAs('postUserinfo', 'Get who signed in, by POST'), answer);
});
