import fp from 'fastify-plugin';

/** Warns once of a proxy that TRUSTED_PROXIES lacks, whose visitors would share one limit. */
export const proxyWarningPlugin = fp(
  async (app) => {
    let isWatching = app.config.trustedProxies.length === 0;
    app.addHook('onRequest', async (request) => {
      if (!isWatching || request.headers['x-forwarded-for'] === undefined) return;
      isWatching = false;
      request.log.warn(
        'a request brought X-Forwarded-For: if it came through a proxy, name it in TRUSTED_PROXIES',
      );
    });
  },
  { name: 'proxy-warning', dependencies: ['platform'] },
);
