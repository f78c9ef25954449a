/** A token server can't do without Fastify, a statement by primary key, and an ES256 operation. */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import { z } from 'zod';
import { postgres } from './driver.ts';

const sql = postgres(process.env['DATABASE_URL'] ?? '', { max: 10 });
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const claims = Buffer.from(JSON.stringify({ iss: 'https://floor.example', sub: '1', jti: 'x'.repeat(180) }));
const signature = sign('sha256', claims, privateKey);

const body = z.object({ id: z.string() });

const app = Fastify();
await app.register(formbody);
app.post('/token', async (request) => {
  const { id } = body.parse(request.body);
  const rows = await sql`update floor set generation = generation + 1 where id = ${id} returning generation`;
  const generation: unknown = rows[0]?.['generation'];
  const token = `${claims.toString('base64url')}.${sign('sha256', claims, privateKey).toString('base64url')}`;
  return { access_token: token, refresh_token: `${id}.${generation}`, expires_in: 1800 };
});
app.get('/me', async (request, reply) => {
  if (!verify('sha256', claims, publicKey, signature)) return reply.code(401).send();
  const [row] = await sql`select id, name from floor where id = ${request.headers.authorization ?? ''}`;
  return { status: 'success', data: row };
});
app.get('/readyz', async () => 'ok');
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listens on ${address}\n`);
process.on('SIGTERM', () => void app.close().then(() => sql.end()));
