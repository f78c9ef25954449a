import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import reference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/**
 * Posts the reader's script, gzipped, and ends: in a thread this takes 40 MB for a second, not for
 * good.
 */
const app = Fastify();
await app.register(reference, { routePrefix: '/', configuration: { url: '/openapi.json' } });
const { rawPayload } = await app.inject('/js/scalar.js');
parentPort?.postMessage(gzipSync(rawPayload));
