import type { FastifyInstance } from 'fastify';
import { refuse } from '../../result.ts';
import { type FieldsRoute, refuseOtherMethods, usedBasic } from './endpoint.ts';
import { type ExchangeDeps, exchange } from './exchange.ts';
import { parseTokenRequest } from './request.ts';
import { sendTokenRefusal, sendTokens } from './response.ts';

const tokenPath = '/auth/oauth2/token';

/** The token endpoint, contract §4. */
export function registerTokenRoute(app: FastifyInstance, deps: ExchangeDeps): void {
  app.post<FieldsRoute>(tokenPath, async (request, reply) => {
    const fields = request.body ?? refuse('unsupported_content_type');
    const parsed = fields.ok ? parseTokenRequest(fields.value, request.headers.authorization) : fields;
    const outcome = parsed.ok ? await exchange(deps, parsed.value) : parsed;
    return outcome.ok
      ? sendTokens(reply, outcome.value)
      : sendTokenRefusal(reply, outcome, usedBasic(request));
  });
  refuseOtherMethods(app, tokenPath);
}
