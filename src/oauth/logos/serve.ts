import type { FastifyError, FastifyInstance } from 'fastify';
import { type Db, isDatabaseAway } from '../../io/database.ts';
import { pageHeaders } from '../../pages.ts';
import type { LogoMediaType } from '../core/logo.ts';
import { findLogo } from './store.ts';

const extensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
} as const satisfies Record<LogoMediaType, string>;

/** What developers uploaded is shown as a picture and as nothing else; it never changes, and other sites may show it too. */
const logoHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The logos of clients, for everybody. Register outside the scope of the pages: nobody's session is looked up for them. */
export async function registerLogos(
  app: FastifyInstance,
  { db, appUrl }: { readonly db: Db; readonly appUrl: string },
): Promise<void> {
  const headers = pageHeaders(appUrl);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = isDatabaseAway(error) ? 503 : (error.statusCode ?? 500);
    if (status >= 500) request.log.error({ err: error }, 'a logo could not be read');
    if (status === 503) reply.header('retry-after', '5');
    return reply.code(status).type('text/plain').send('This picture cannot be shown.\n');
  });

  app.get<{ Params: { logoId: string } }>('/logos/:logoId', async (request, reply) => {
    const { logoId } = request.params;
    const logo = /^[0-9a-f]{32}$/.test(logoId) ? await findLogo(db, logoId) : undefined;
    if (logo === undefined) return reply.code(404).type('text/plain').send('There is no such picture.\n');
    return reply
      .headers(logoHeaders)
      .header('content-disposition', `inline; filename="logo.${extensions[logo.mediaType]}"`)
      .type(logo.mediaType)
      .send(Buffer.from(logo.content));
  });
}
