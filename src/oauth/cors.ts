import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { answerPreflight, corsHeaders } from './http/cors.ts';

export async function sendPreflight({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { 'access-control-request-headers': asked = '' } = headers;
  return reply
    .code(204)
    .headers({ ...corsHeaders, ...answerPreflight(asked) })
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
