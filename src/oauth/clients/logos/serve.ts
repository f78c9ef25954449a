import type { FastifyError } from 'fastify';
import { isDatabaseAway } from '../../../platform/database.ts';
import { scopedPlugin } from '../../../platform/scoped-plugin.ts';
import { pageHeaders } from '../../../web/pages.ts';
import type { LogoMediaType } from './logo.ts';
import { findLogo } from './store.ts';

const extensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
} as const satisfies Record<LogoMediaType, string>;

/** Images and nothing else. They never change, and other sites may embed them. */
const logoHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Outside the scope of the pages, so that no session is looked up. */
export const logosPlugin = scopedPlugin('logos', [], async (app) => {
  const headers = pageHeaders();
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = isDatabaseAway(error) ? 503 : (error.statusCode ?? 500);
    if (status >= 500) request.log.error({ err: error }, 'a logo could not be read');
    if (status === 503) reply.header('retry-after', '5');
    return reply.code(status).type('text/plain').send('This image can’t be shown.\n');
  });

  app.get<{ Params: { logoId: string } }>('/logos/:logoId', async (request, reply) => {
    const { logoId } = request.params;
    const logo = /^[0-9a-f]{32}$/.test(logoId) ? await findLogo(app.db, logoId) : undefined;
    if (logo === undefined) return reply.code(404).type('text/plain').send('Image not found.\n');
    return reply
      .headers(logoHeaders)
      .header('content-disposition', `inline; filename="logo.${extensions[logo.mediaType]}"`)
      .type(logo.mediaType)
      .send(Buffer.from(logo.content));
  });
});
