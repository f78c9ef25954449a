import type { FastifyInstance } from 'fastify';

export interface Route {
  readonly method: string;
  /** With parameters as OpenAPI writes them: `/v2/bookings/{uid}`. */
  readonly path: string;
}

const line = /^((?:[│ ] {3})*)[├└]── (\S+) \(([A-Z, ]+)\)/;

/** Every route that the service has, but for those that come by themselves: HEAD, and OPTIONS. */
export function listRoutes(app: FastifyInstance): readonly Route[] {
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
