import { gzipSync } from 'node:zlib';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/**
 * Returns Scalar's script as its own plugin serves it, gzipped. The build puts it beside the
 * bundle.
 */
export async function makeReader(): Promise<Buffer> {
  const app = Fastify();
  await app.register(reference, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await app.inject('/js/scalar.js');
  return gzipSync(rawPayload);
}
