import type { FastifyPluginAsync, FastifyRequest, RawServerDefault } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

export type ScopedPlugin = FastifyPluginAsync<Record<never, never>, RawServerDefault, ZodTypeProvider>;

export type ScopedApp = Parameters<ScopedPlugin>[0];

/** The limits fill it by merging, so that a route can be read without their table. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface RouteLimits {}

/** What a call takes one of, besides the request that it is; or why it takes nothing. */
export type RouteLimit = keyof RouteLimits | { readonly noneBecause: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Stands in for the limit of the scope. */
    readonly limit?: RouteLimit;
  }
  interface FastifyInstance {
    readonly limitOfScope: RouteLimit | undefined;
  }
}

/**
 * Scopes routes, which share a limit unless they name another. Without what they depend on, the
 * boot fails (ADR 10).
 */
export function scopedPlugin(
  name: string,
  dependencies: readonly string[],
  limit: RouteLimit,
  plugin: ScopedPlugin,
): ScopedPlugin {
  const limited: ScopedPlugin = async (app, options) => {
    app.decorate('limitOfScope', { getter: () => limit });
    await plugin(app, options);
  };
  return fp(limited, { name, dependencies: ['platform', ...dependencies], encapsulate: true });
}

/** `requests` are counted as soon as it is known whose they are. */
export function furtherLimitOf({ routeOptions }: FastifyRequest): keyof RouteLimits | undefined {
  const { limit } = routeOptions.config;
  return typeof limit === 'string' && limit !== 'requests' ? limit : undefined;
}
