import type { FastifyPluginAsync, RawServerDefault } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

export type ScopedPlugin = FastifyPluginAsync<Record<never, never>, RawServerDefault, ZodTypeProvider>;

export type ScopedApp = Parameters<ScopedPlugin>[0];

/** Scopes routes. Without what they depend on, the boot fails (ADR 10). */
export function scopedPlugin(
  name: string,
  dependencies: readonly string[],
  plugin: ScopedPlugin,
): ScopedPlugin {
  return fp(plugin, { name, dependencies: ['platform', ...dependencies], encapsulate: true });
}
