import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../result.ts';
import type { FailureRecorder } from '../failures/recorder.ts';
import { tokenOperation } from '../operations.ts';
import { type FieldsRoute, refuseOtherMethods, usedBasic } from './endpoint.ts';
import { type ExchangeDeps, exchange } from './exchange.ts';
import { parseTokenRequest } from './request.ts';
import { sendTokenRefusal, sendTokens } from './response.ts';

const tokenPath = '/auth/oauth2/token';

export interface TokenRouteDeps extends ExchangeDeps {
  /** Is told of each refusal behind its answer, for the client's owner to read. */
  readonly failures: FailureRecorder;
}

/** The token endpoint, contract §4. */
export function registerTokenRoute(app: FastifyInstance, deps: TokenRouteDeps): void {
  const onResponse = async (request: FastifyRequest<FieldsRoute>): Promise<void> => {
    const { id: requestId, tokenRefusal: refusal, body, query } = request;
    if (refusal === undefined) return;
    const fields = body?.ok ? body.value : {};
    const { authorization } = request.headers;
    deps.failures.record({ requestId, at: deps.system.now(), refusal, fields, authorization, query });
  };
  app.post<FieldsRoute>(tokenPath, { onResponse, config: tokenOperation }, async (request, reply) => {
    const fields = request.body ?? refuse('unsupported_content_type');
    const parsed = fields.ok ? parseTokenRequest(fields.value, request.headers.authorization) : fields;
    const outcome = parsed.ok ? await exchange(deps, parsed.value) : parsed;
    return outcome.ok
      ? sendTokens(reply, outcome.value)
      : sendTokenRefusal(reply, outcome, usedBasic(request));
  });
  refuseOtherMethods(app, tokenPath);
}
