import { scopedPlugin } from '../platform/scoped-plugin.ts';

/** Asked every few seconds: the log keeps them at debug while they succeed. */
export const healthPaths: readonly string[] = ['/healthz', '/readyz'];

/** Contract §7: `/healthz` says that the process is alive, `/readyz` that it can work. */
export const healthPlugin = scopedPlugin('health', [], async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    if (app.stopping.aborted) return reply.code(503).send({ status: 'stopping' });
    const isReady = await app.isDatabaseAlive();
    if (!isReady) return reply.code(503).send({ status: 'not ready' });
    const clockSkewSeconds = Math.round(app.clockSkewSeconds() * 1000) / 1000;
    return { status: 'ready', clockSkewSeconds, timeZoneData: process.versions['tz'] };
  });
});
