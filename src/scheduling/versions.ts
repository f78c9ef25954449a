import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { sendInputFaults } from '../api/errors.ts';

/** The supported version per family (contract §8). */
export const apiVersions = {
  eventTypes: '2024-06-14',
  bookings: '2024-08-13',
  slots: '2024-09-04',
} as const;

export type ApiVersion = (typeof apiVersions)[keyof typeof apiVersions];

declare module 'fastify' {
  interface FastifyContextConfig {
    apiVersion?: ApiVersion;
  }
}

const headerName = 'cal-api-version';

/**
 * Documents the header of routes with a `config.apiVersion`, and rejects other versions before
 * other faults: those may be right in the version that the request was written for.
 */
export const versionsPlugin = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const version = route.config?.apiVersion;
      if (version === undefined) return;
      const sent = route.schema?.headers;
      const header = z.literal(version).optional().describe('The API version of this operation.');
      const headers = z.object({
        [headerName]: header,
        ...(sent instanceof z.ZodObject ? sent.shape : {}),
      });
      route.schema = { ...route.schema, headers };
      route.preValidation = [...[route.preValidation ?? []].flat(), rejectOthers(version)];
    });
  },
  { name: 'api-versions' },
);

function rejectOthers(version: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const sent = request.headers[headerName];
    if (sent === undefined || sent === version) return undefined;
    return sendInputFaults(request, reply, { [headerName]: `The supported version is ${version}.` });
  };
}
