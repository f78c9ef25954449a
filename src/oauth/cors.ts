import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { allowOrigins, answerPreflight, exposedHeaders } from './http/cors.ts';

const ofRateLimits = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
export const corsHeaders = allowOrigins([
  'cal-api-version',
  'x-request-id',
  ...exposedHeaders,
  ...ofRateLimits,
]);

export async function sendPreflight({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { 'access-control-request-headers': asked = '' } = headers;
  return reply
    .code(204)
    .headers({ ...corsHeaders, ...answerPreflight(asked, 'GET, POST, PUT, PATCH, DELETE') })
    .send();
}

/** Programs in a browser may call what needs no cookie; pages never allow it (security C39). */
export const corsPlugin = fp(
  async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(corsHeaders);
      done();
    });
    app.options('*', { onRequest: sendPreflight }, sendPreflight);
  },
  { name: 'cors', dependencies: ['allowed-methods'] },
);
