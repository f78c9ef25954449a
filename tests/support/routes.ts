import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { z } from 'zod';

const line = /^((?:[│ ] {3})*)[├└]── (\S+) \(([A-Z, ]+)\)/;

/**
 * Every route that the service has, but for those that come by themselves: HEAD, and OPTIONS. Paths have parameters as OpenAPI
 * writes them: `/v2/bookings/{uid}`.
 */
export function listRoutes(app: FastifyInstance) {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((text) => {
      const [, indent = '', part, verbs = ''] = line.exec(text) ?? [];
      if (part === undefined) return [];
      const depth = indent.length / 4;
      parents.splice(depth, parents.length, part);
      const path = parents.join('').replaceAll(/:(\w+)/g, '{$1}');
      return verbs
        .split(', ')
        .filter((verb) => !['HEAD', 'OPTIONS'].includes(verb))
        .map((method) => ({ method, path }));
    });
}

/** Opens a service and answers with it every route as it was added, with its schemas, once changed. */
export async function recordingRoutes<Opened>(
  open: () => Promise<Opened>,
  change: (route: RouteOptions) => void = () => {},
): Promise<readonly [Opened, readonly RouteOptions[]]> {
  const routes: RouteOptions[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = z.object({ fastify: z.custom<FastifyInstance>() }).parse(message);
    fastify.addHook('onRoute', (route) => {
      routes.push(route);
      change(route);
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return [await open(), routes];
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
