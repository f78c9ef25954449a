import type { FastifyInstance } from 'fastify';

export interface HealthDeps {
  /** Whether the database answers. */
  readonly isDatabaseAlive: () => Promise<boolean>;
}

/** For operators and their machines, contract §7: `/healthz` says that the process is alive, `/readyz` that it can work. */
export async function registerHealthRoutes(app: FastifyInstance, deps: HealthDeps): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = await deps.isDatabaseAlive();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
}
