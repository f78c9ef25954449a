import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers 405 in the words of its surface, so `Allow` doesn't name its methods. */
    refusesMethod?: true;
  }
  interface FastifyInstance {
    /**
     * Returns the `Allow` of a path below a prefix (RFC 9110 §15.5.6); '' where it has no route.
     */
    allowedMethods(path: string, prefix: string): string;
  }
}

interface KnownPath {
  readonly pattern: string;
  readonly segments: readonly RegExp[];
  readonly methods: Set<string>;
}

/** Must come before all routes. The router itself finds no route by another method. */
export const allowedMethodsPlugin = fp(
  async (app) => {
    const methodsOf = new Map<string, Set<string>>();
    // Few requests need the expressions, and making them for all routes delays the start.
    let known: readonly KnownPath[] | undefined;
    app.addHook('onRoute', ({ url, method, config }) => {
      if (config?.refusesMethod === true) return;
      const methods = methodsOf.get(url) ?? new Set();
      methodsOf.set(url, methods);
      for (const one of [method].flat()) if (one !== 'OPTIONS') methods.add(one);
    });
    app.decorate('allowedMethods', (path, prefix) => {
      known ??= [...methodsOf].map(([pattern, methods]) => ({
        pattern,
        methods,
        segments: segmentsOf(pattern),
      }));
      // No known path is longer, so what is sent costs nothing past that.
      const maxSegments = Math.max(...known.map(({ segments }) => segments.length));
      const sent = path.split('/', maxSegments + 1);
      const found = known.filter(
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

/** A parameter is a whole segment, maybe with an expression: `:uid`, `:name(^[a-z]+$)`. */
function segmentsOf(url: string): RegExp[] {
  return url.split('/').map((segment) => {
    if (!segment.startsWith(':')) return new RegExp(`^${RegExp.escape(segment)}$`);
    return new RegExp(/\((.+)\)$/.exec(segment)?.[1] ?? '^.');
  });
}
