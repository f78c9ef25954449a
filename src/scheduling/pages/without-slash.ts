import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { sendNotFoundPage } from '../../pages.ts';

/**
 * People and mail programs put a slash behind an address: they are led to the page itself. Only for addresses whose first part is a name, so that a
 * path of two slashes, which is another host to a browser, never gets here.
 */
export function leadWithoutSlash(
  app: FastifyInstance,
  path: string,
  config: FastifyContextConfig = {},
): void {
  app.get(`${path}/`, { config }, async (request, reply) => {
    // Not a whole address, which a request may have as its target too (RFC 9112 §3.2.2).
    if (!request.url.startsWith('/')) return sendNotFoundPage(request, reply);
    const [address = '', ...query] = request.url.split('?');
    return reply.redirect([address.replace(/\/+$/, ''), ...query].join('?'), 301);
  });
}
