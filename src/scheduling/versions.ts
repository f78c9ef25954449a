import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendInputFaults } from '../http.ts';

/** The dated families of the API and the version of each (contract §8). */
export const apiVersions = {
  'Event types': '2024-06-14',
  Bookings: '2024-08-13',
  Slots: '2024-09-04',
} as const;

export type DatedFamily = keyof typeof apiVersions;

const headerName = 'cal-api-version';

/** The version header of a dated family, as the document tells it. */
export function versionHeader(family: DatedFamily) {
  return z.object({
    [headerName]: z
      .literal(apiVersions[family])
      .optional()
      .describe('The version of this family of operations.'),
  });
}

/**
 * Refuses any other version on the operations of a dated family, and names the supported one (contract §8). Only who may call an operation is
 * looked at before: what else is wrong with a request may be right in the version that it was written for.
 */
export function registerVersions(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const version = versionOf(route.schema?.tags);
    if (version === undefined) return;
    const before = [route.preValidation ?? []].flat();
    route.preValidation = [...before, refuseOtherThan(version)];
  });
}

function versionOf(tags: readonly string[] = []): string | undefined {
  return Object.entries(apiVersions).find(([family]) => tags.includes(family))?.[1];
}

function refuseOtherThan(version: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const sent = request.headers[headerName];
    if (sent === undefined || sent === version) return undefined;
    return sendInputFaults(request, reply, { [headerName]: `The supported version is ${version}.` });
  };
}
