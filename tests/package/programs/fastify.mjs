import Fastify from 'fastify';
import { openIssuer, tokenServicePlugin } from 'latchkey/fastify';
import { checkCalls } from './calls.mjs';
import { createWorld, expect, issuer, secrets } from './world.mjs';

const { store, key, approve } = await createWorld();
const app = Fastify();
app.post('/', async ({ body }) => ({ body }));
const faults = [];
const options = { ...(await openIssuer({ issuer, scopes: ['PROFILE_READ'], secrets, keys: [key] })), store };
await app.register(tokenServicePlugin, {
  ...options,
  onFault: (fault) => faults.push(fault),
  prefix: '/oauth',
});
await checkCalls(async (path, method, headers, body) => {
  const answer = await app.inject({ method, url: `/oauth${path}`, headers, payload: body });
  return {
    status: answer.statusCode,
    headers: new Headers(answer.headers),
    body: answer.body === '' ? {} : answer.json(),
  };
}, approve);
expect(faults.length === 0, `faults: ${faults}`);
const outside = await app.inject({ method: 'POST', url: '/', payload: { a: 1 } });
expect(outside.json().body.a === 1 && !outside.headers['cache-control'], 'what is around the plugin changed');
