import type { FastifyError } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { explainOutage } from '../../../platform/database.ts';
import { scopedPlugin } from '../../../platform/scoped-plugin.ts';
import { pageHeaders } from '../../../web/headers.ts';
import type { logoMediaTypes } from '../../tables.ts';
import { findLogo } from './store.ts';

const extensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
} as const satisfies Record<(typeof logoMediaTypes)[number], string>;

/**
 * A logo never changes, and other sites may embed it. The policy allows the image and nothing else.
 */
const logoHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
};

const limit = { noneBecause: 'browsers keep a logo for good' } as const;

/** The route is outside the scope of the pages, so that no session is looked up. */
export const logosPlugin = scopedPlugin('logos', [], limit, async (app) => {
  app.setValidatorCompiler(validatorCompiler);
  const headers = pageHeaders();
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const outage = explainOutage(error);
    const status = outage === undefined ? (error.statusCode ?? 500) : 503;
    if (status >= 500) request.log.error({ err: error }, outage ?? 'a logo could not be read');
    if (status === 503) reply.header('retry-after', '5');
    return reply.code(status).type('text/plain').send('This image can’t be shown.\n');
  });

  const schema = { params: z.object({ logoId: z.string() }) };
  app.get('/logos/:logoId', { schema }, async (request, reply) => {
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
