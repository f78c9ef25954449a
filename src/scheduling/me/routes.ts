import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Db } from '../../io/database.ts';
import { type BearerDeps, bearerOf, requireScope, sendRevokedToken } from '../../oauth/bearer.ts';
import { describeOperation, successOf } from '../operation.ts';
import { meAnswer, showMe } from './response.ts';
import { findMe } from './store.ts';

/** `GET /v2/me`: the user that the token acts for, contract §5. */
export function registerMe(scope: FastifyInstance, deps: BearerDeps & { readonly db: Db }): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/me',
    {
      schema: describeOperation(
        {
          operationId: 'getMe',
          summary: 'The user that the token acts for',
          family: 'Me',
          scope: 'PROFILE_READ',
        },
        200,
        successOf(meAnswer),
      ),
      preValidation: requireScope('PROFILE_READ', deps),
    },
    async (request, reply) => {
      const found = await findMe(deps.db, bearerOf(request).grantId);
      if (found === undefined) return sendRevokedToken(request, reply, deps);
      return reply.send({ status: 'success', data: showMe(found) });
    },
  );
}
