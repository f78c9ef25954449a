import { version } from '../platform/package.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';

/** Probes ask every few seconds, so the log keeps successes at debug. */
export const healthPaths: readonly string[] = ['/healthz', '/readyz'];

const limit = { noneBecause: 'probes are answered whatever else happens' } as const;

/** `/healthz` says that the process is alive, `/readyz` that it can work (contract §7). */
export const healthPlugin = scopedPlugin('health', [], limit, async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.get('/healthz', async () => ({ status: 'alive', version }));
  app.get('/readyz', async (_request, reply) => {
    if (app.stopping.aborted) return reply.code(503).send({ status: 'stopping' }); // protects: C47
    const isReady = await app.isDatabaseAlive();
    if (!isReady) return reply.code(503).send({ status: 'not ready' });
    const clockSkewSeconds = Math.round(app.clockSkewSeconds() * 1000) / 1000;
    return { status: 'ready', clockSkewSeconds, timeZoneData: process.versions['tz'] };
  });
});
