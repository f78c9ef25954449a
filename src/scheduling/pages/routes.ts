import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ownPaths } from '../../accounts/fields.ts';
import { settingsPlugin } from '../../accounts/sessions/session.ts';
import { sendNotFoundPage } from '../../web/error-pages.ts';
import { hideAddress } from '../../web/headers.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { isRead } from '../../web/pages.ts';
import { organizationSlugOf, originOf } from '../core/booking-url.ts';
import { registerEventTypePage } from './event-type.ts';
import { registerHostedPages } from './hosted-bookings.ts';
import { registerList } from './list.ts';
import { ownHome, registerOwnBookingPages } from './own-booking.ts';

/** Usernames give way to the addresses of other pages. */
const otherPaths = ownPaths.join('|').replaceAll('.', String.raw`\.`);
const username = `:username(^(?!(?:${otherPaths})$)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$)`;
const userPath = `/${username}`;
const teamPath = '/team/:teamSlug';

export const bookingPagesPlugin = pagesPlugin('booking-pages', async (app) => {
  await app.register(async function ownBookings(own) {
    // The address is the only secret: no other site may learn it.
    own.addHook('onRequest', hideAddress);
    registerOwnBookingPages(own);
    redirectWithoutSlash(own, [ownHome, `${ownHome}/cancel`, `${ownHome}/reschedule`]);
  });
  await app.register(async function publicPages(own) {
    registerEventTypePage(own, `${userPath}/:slug`);
    registerEventTypePage(own, `${teamPath}/:slug`);
    registerList(own, userPath);
    registerList(own, teamPath);
    const paths = [userPath, `${userPath}/:slug`, teamPath, `${teamPath}/:slug`];
    redirectWithoutSlash(own, paths, { isForOrganizations: true });
  });
});

export const hostedPagesPlugin = settingsPlugin('hosted-bookings', '/bookings', async (app) => {
  registerHostedPages(app);
  redirectWithoutSlash(app, ['/bookings', '/bookings/:uid']);
});

/** People and email programs add slashes. Two at the beginning mean another host to browsers. */
function redirectWithoutSlash(
  app: FastifyInstance,
  paths: readonly string[],
  config: FastifyContextConfig = {},
): void {
  for (const path of paths)
    app.get(`${path}/`, { config, schema: {} }, async (request, reply) => {
      // The target of a request may be a whole URL (RFC 9112 §3.2.2).
      if (!request.url.startsWith('/')) return sendNotFoundPage(reply);
      const [address = '', ...query] = request.url.split('?');
      return reply.redirect([address.replace(/\/+$/, ''), ...query].join('?'), 301);
    });
}

/** The Host header only chooses among our pages: URLs are from the configuration (security C40). */
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
    if (!isRead(request) || route === undefined || !request.url.startsWith('/'))
      return sendNotFoundPage(reply);
    return reply.redirect(`${app.config.appUrl}${request.url}`, 302);
  });
}
