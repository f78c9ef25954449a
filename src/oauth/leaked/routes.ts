import type { FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { rateLimitOf } from '../../accounts/rate-limits/limits.ts';
import { isWithin } from '../../accounts/rate-limits/networks.ts';
import { auditContextOf } from '../../accounts/sessions/session.ts';
import { apiError, sendApiError } from '../../api/errors.ts';
import { compileInput } from '../../api/input-faults.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { secretEmail, tokenLeakedEmail } from '../clients/emails.ts';
import { verifyAccessToken } from '../core/access-token.ts';
import { toBase64url } from '../core/bytes.ts';
import { hashClientSecret } from '../core/client.ts';
import { readCode } from '../core/code.ts';
import { readRefreshToken } from '../core/refresh.ts';
import { knownResources } from '../permissions.ts';
import { endLeaked } from './store.ts';

/** Longer than any of ours. */
const maxLength = 4096;
const maxTokens = 10;
const wrongTokens = `Send a string, or an array of up to ${maxTokens}, of up to ${maxLength} characters each.`;
const token = z.string().min(1).max(maxLength);

const schema = {
  operationId: 'reportLeakedTokens',
  summary: 'Report leaked tokens',
  description:
    'If you find an access token, refresh token, authorization code or client secret where it shouldn’t be, send it here. Holding it is the proof: nothing else is asked for. A token ends the app’s access to that account, and the user is emailed; a code only until it is exchanged. A client secret is deleted, and the app’s owner is emailed. The response is always the same.',
  tags: ['OAuth'],
  security: [{}],
  body: z
    .object({
      token: z
        .union([token, z.array(token).min(1).max(maxTokens)], { error: wrongTokens })
        .describe(`One, or up to ${maxTokens} of them.`),
    })
    .meta({ id: 'LeakReport', examples: [{ token: ['lkr_a_refresh_token_in_a_public_repository'] }] }),
  response: {
    202: z
      .object({ status: z.literal('success'), data: z.object({ received: z.literal(true) }) })
      .describe('Received. What was ours and worked no longer does.'),
    400: apiError.describe('Invalid request; `details` names each invalid field.'),
    429: apiError.describe('Too many reports from this network.'),
    default: apiError.describe('Any other error, in the same format.'),
  },
};

/** Contract §7, security C79. */
export const leakedPlugin = scopedPlugin('leaked', ['api-errors'], async (app) => {
  app.setValidatorCompiler(compileInput);
  app.setSerializerCompiler(serializerCompiler);
  const { config } = app;
  const notices = {
    limitOf: ({ client, user }) =>
      rateLimitOf({ kind: 'leak_letter', parts: [String(user.id), client.id] }, app.secrets),
    ofGrant: ({ client, user }) => renderEmail(tokenLeakedEmail(client, config.appUrl), user.email, app),
    ofSecret: ({ client, user }, hint) =>
      renderEmail(secretEmail('leaked', client, hint, config.appUrl), user.email, app),
  } satisfies Parameters<typeof endLeaked>[2];
  app.post('/auth/oauth2/leaked', { schema }, async (request, reply) => {
    if (!isWithin(app.tokenRateLimits.leakReports, reply))
      return sendApiError(reply, 'TooManyRequests', 'Too many reports. Try again in a minute.');
    const leaked = await readLeaked(app, [request.body.token].flat());
    if (await endLeaked(app, leaked, notices, auditContextOf(request))) app.mail.nudge();
    return reply.code(202).send({ status: 'success', data: { received: true } });
  });
});

/** Each is read as all four kinds, so that the work tells nothing. */
async function readLeaked({ config, keys, runtime, secrets }: FastifyInstance, tokens: readonly string[]) {
  const expected = { issuer: config.appUrl, audience: knownResources(config), keys: keys.lookUp() };
  const read = await Promise.all(
    tokens.map(async (presented) => {
      const accessToken = await verifyAccessToken(presented, expected, runtime.now());
      return {
        grantIds: [
          (await readRefreshToken(presented, secrets))?.grantId,
          accessToken.ok ? accessToken.value.grantId : undefined,
        ],
        codeGrantId: (await readCode(presented, secrets))?.grantId,
        secretHash: toBase64url(await hashClientSecret(presented, nodeHash)),
      };
    }),
  );
  return {
    grantIds: read.flatMap(({ grantIds }) => grantIds).filter((id) => id !== undefined),
    codeGrantIds: read.flatMap(({ codeGrantId }) => codeGrantId ?? []),
    secretHashes: read.map(({ secretHash }) => secretHash),
  };
}
