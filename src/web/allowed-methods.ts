import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** For `Allow` (RFC 9110 §15.5.6): of the path's routes below a prefix; '' without any. */
    allowedMethods(path: string, prefix: string): string;
  }
}

interface KnownPath {
  readonly pattern: string;
  readonly segments: readonly RegExp[];
  readonly methods: Set<string>;
}

/** Register it before all routes. The router itself finds no route by another method. */
export const allowedMethodsPlugin = fp(
  async (app) => {
    const known = new Map<string, KnownPath>();
    let maxSegments = 0;
    app.addHook('onRoute', ({ url, method }) => {
      const path = known.get(url) ?? { pattern: url, segments: segmentsOf(url), methods: new Set() };
      known.set(url, path);
      maxSegments = Math.max(maxSegments, path.segments.length);
      for (const one of [method].flat()) if (one !== 'OPTIONS') path.methods.add(one);
    });
    app.decorate('allowedMethods', (path, prefix) => {
      // No path of ours is that long: what is sent costs nothing past it.
      const sent = path.split('/', maxSegments + 1);
      const found = [...known.values()].filter(
        ({ pattern, segments }) =>
          segments.length === sent.length &&
          pattern.startsWith(prefix) &&
          segments.every((segment, index) => segment.test(sent[index] ?? '')),
      );
      return [...new Set(found.flatMap(({ methods }) => [...methods]))].toSorted().join(', ');
    });
  },
  { name: 'allowed-methods' },
);

/** Parameters are whole segments, some with an expression: `:uid`, `:name(^[a-z]+$)`. */
function segmentsOf(url: string): RegExp[] {
  return url.split('/').map((segment) => {
    if (!segment.startsWith(':')) return new RegExp(`^${RegExp.escape(segment)}$`);
    return new RegExp(/\((.+)\)$/.exec(segment)?.[1] ?? '^.');
  });
}
