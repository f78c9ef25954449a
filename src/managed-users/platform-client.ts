import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { sendApiError } from '../api/errors.ts';
import { callingClientOf, callingClientPlugin } from '../v2/calling-client.ts';
import { findPlatformOf } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    platformId: number | undefined;
  }
}

const noPlatform = 'The client’s owner must be an owner or admin of a platform organization.';

/** Requires the credentials of the client in the path, which is a platform's (contract §8). */
export const platformClientPlugin = fp(
  async (app) => {
    await app.register(callingClientPlugin);
    app.decorateRequest('platformId', undefined);
    app.addHook('preValidation', async (request, reply) => {
      request.platformId = await findPlatformOf(app.db, callingClientOf(request).id);
      if (request.platformId !== undefined) return undefined;
      request.log.info({ reason: 'no_platform' }, 'a platform client was refused');
      return sendApiError(reply, 'Forbidden', noPlatform);
    });
  },
  { name: 'platform-client', dependencies: ['platform', 'api-errors'] },
);

export function platformIdOf({ platformId }: FastifyRequest): number {
  if (platformId === undefined) throw new Error('this route is not behind platformClientPlugin');
  return platformId;
}
