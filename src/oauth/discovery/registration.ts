import type { FastifyReply, FastifyRequest } from 'fastify';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { developerHome } from '../clients/own-client.ts';

/**
 * Elsewhere, clients without an ID register themselves at these paths; here they can’t (contract
 * §2).
 */
const paths = ['/register', '/auth/oauth2/register'] as const;

const limit = { noneBecause: 'the answer is always the same' } as const;

/** Clients show the answer to the person (RFC 7591 §3.2.2). */
export const noRegistrationPlugin = scopedPlugin(
  'no-registration',
  ['allowed-methods'],
  limit,
  async (app) => {
    const { appUrl } = app.config;
    const otherWay = ', or use the https address of its client ID metadata document as client_id';
    const refusal = {
      error: 'registration_not_supported',
      error_description: `Programs can’t register themselves here. Register the app at ${appUrl}${developerHome}/new${app.clientDocuments === undefined ? '' : otherWay}.`,
      error_uri: `${appUrl}/docs`,
    } as const;
    const answer = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      reply.code(400).header('cache-control', 'no-store').send(refusal);
    for (const path of paths) app.post(path, { onRequest: answer }, answer);
  },
);
