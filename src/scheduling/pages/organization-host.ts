import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { sendNotFoundPage } from '../../web/pages.ts';
import { organizationSlugOf, originOf } from '../core/booking-url.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether organizations' subdomains have this page, too. */
    readonly isForOrganizations?: boolean;
  }
}

/**
 * An organization's subdomain shows booking pages only, and nobody is signed in there; other pages
 * are at the general address. The Host header only chooses among our own pages: every address on
 * them comes from the configuration (security C40).
 */
export const organizationHostPlugin = fp(registerOrganizationHosts, {
  name: 'organization-host',
  dependencies: ['platform'],
});

async function registerOrganizationHosts(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    const slug = organizationSlugOf(request.headers.host, app.config);
    if (slug === undefined) return undefined;
    request.ownOrigin = originOf({ slug, isPlatform: false }, app.config);
    request.session = undefined;
    request.viewer = undefined;
    const { config, url: route } = request.routeOptions;
    if (config.isForOrganizations === true) return undefined;
    if (request.method !== 'GET' || route === undefined || !request.url.startsWith('/'))
      return sendNotFoundPage(request, reply);
    return reply.redirect(`${app.config.appUrl}${request.url}`, 302);
  });
}
