import type { FastifyInstance } from 'fastify';
import { sendNotFoundPage } from '../../pages.ts';
import { type BookingHosts, originOf } from '../core/booking-url.ts';
import { organizationSlugOf } from '../core/organization-host.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the page is also there below an organization's subdomain. */
    readonly isForOrganizations?: boolean;
  }
}

/**
 * An organization's subdomain shows booking pages, to strangers all of them, and nothing else: other pages are at the general address. The Host header
 * chooses among our own pages; every address on them comes from the configuration (checks C40).
 */
export function registerOrganizationHosts(app: FastifyInstance, deps: BookingHosts): void {
  app.addHook('onRequest', async (request, reply) => {
    const slug = organizationSlugOf(request.headers.host, deps);
    if (slug === undefined) return undefined;
    request.ownOrigin = originOf({ slug, isPlatform: false }, deps);
    request.session = undefined;
    request.viewer = undefined;
    const { config, url: route } = request.routeOptions;
    if (config.isForOrganizations === true) return undefined;
    if (request.method !== 'GET' || route === undefined || !request.url.startsWith('/'))
      return sendNotFoundPage(request, reply);
    return reply.redirect(`${deps.appUrl}${request.url}`, 302);
  });
}
