import { globSync } from 'node:fs';
import { join } from 'node:path';
import fastify, { type FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';

const folder = join(import.meta.dirname, '../../src');
const meta = Symbol.for('plugin-meta');

type Named = FastifyPluginAsync & { readonly [meta]: { readonly name: string } };

const isPlugin = (value: unknown): value is Named => typeof value === 'function' && meta in value;

/** Every exported plugin that has a name, by it. */
async function listPlugins(): Promise<ReadonlyMap<string, FastifyPluginAsync>> {
  const found = new Map<string, FastifyPluginAsync>();
  for (const path of globSync(
    '{accounts,api,client-documents,logos,oauth,passkeys,scheduling,v2,web}/**/*.ts',
    {
      cwd: folder,
    },
  )) {
    if (path.endsWith('-worker.ts')) continue;
    const exported: Record<string, unknown> = await import(join(folder, path));
    for (const value of Object.values(exported)) if (isPlugin(value)) found.set(value[meta].name, value);
  }
  return found;
}

/** These plugins stand on the platform alone: whole surfaces, and what surfaces begin with. */
const independent = [
  ...['allowed-methods', 'api-versions', 'assets', 'bearer', 'brand', 'health', 'logos'],
  ...['oauth-server', 'openapi', 'organization-host', 'page-scope'],
];

test('a plugin that is registered without what it needs fails at boot (ADR 10)', {
  tags: 'parts',
}, async () => {
  const booted: string[] = [];
  for (const [name, plugin] of await listPlugins()) {
    const app = fastify();
    await app.register(fp(async () => {}, { name: 'platform' }));
    const error: unknown = await app.register(plugin).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!/The dependency '[\w-]+' of plugin/.test(String(error))) booted.push(name);
    await app.close().catch(() => {});
  }
  expect(new Set(booted)).toEqual(new Set(independent));
});

test('printPlugins reads as a table of contents: every plugin has a name', async () => {
  const { app } = await openTestService();
  const names = app
    .printPlugins()
    .split('\n')
    .flatMap((line) => /[─ ] ([^─]+?) [\d.]+ ms$/.exec(line)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(60);
  // `bound _after` is an `await` between two plugins.
  const strange = names.filter(
    (name) => name !== 'bound _after' && (/[^\w@/-]/.test(name) || /-auto-/.test(name)),
  );
  expect(strange).toEqual([]);
});

test('every route with a parameter has a schema for it (ADR 10)', { tags: 'parts' }, async () => {
  const [, routes] = await recordingRoutes(() => openTestService());
  // With a slash at its end, an address leads to the one without.
  const withParameter = routes.filter(({ url }) => /\/:.*[^/]$/.test(url));
  expect(withParameter.length).toBeGreaterThan(100);
  const without = withParameter.filter(({ schema }) => !(schema?.params instanceof z.ZodType));
  expect(without.map(({ method, url }) => `${String(method)} ${url}`)).toEqual([]);
});

test('every route takes one of a limit that it or its scope names, or says why not (security C41)', async () => {
  const limits = { requests: 0 };
  const [{ app }, routes] = await recordingRoutes(() =>
    openTestService({}, undefined, undefined, { limits }),
  );
  const reasons = new Set<string>();
  for (const { method, url, config } of routes) {
    const limit = config?.limit;
    if (typeof limit === 'object') reasons.add(limit.noneBecause);
    if (typeof limit !== 'string' || config?.refusesMethod === true) continue;
    const verbs = [method].flat().filter((verb) => verb !== 'HEAD' && verb !== 'OPTIONS');
    for (const verb of verbs) {
      const path = url.replaceAll(/:\w+/g, '1');
      const { statusCode } = await app.inject({ method: verb, url: path });
      // Where a token or secret is asked for, whose request it is isn't known without.
      expect([429, /^\/(?:v2|mcp)\b/.test(url) && 401], `${verb} ${url}`).toContain(statusCode);
    }
  }
  expect(reasons.size).toBeGreaterThan(5);
  for (const reason of reasons) expect(reason).toMatch(/^\w+(?: [^ ]+){3,}$/);
});
