/** People write such a server with @node-oauth/oauth2-server; access tokens are JWTs, not stored. */
import { hash } from 'node:crypto';
import formbody from '@fastify/formbody';
import OAuth2Server from '@node-oauth/oauth2-server';
import Fastify, { type FastifyRequest } from 'fastify';
import { generateKeyPair, jwtVerify, SignJWT } from 'jose';
import type { Row } from 'postgres';
import { postgres } from './driver.ts';

const sql = postgres(process.env['DATABASE_URL'] ?? '', { max: 10 });
const { publicKey, privateKey } = await generateKeyPair('ES256');
const issuer = 'https://peer.example';

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;
const holdersOf = ({ client_id, user_id }: Row) => ({
  client: { id: client_id, grants: ['authorization_code', 'refresh_token'] },
  user: { id: user_id },
});

const model: Model = {
  async getClient(id, secret) {
    const [client] = await sql`
      select id, grants, redirect_uris from clients where id = ${id} and secret_hash = ${hash('sha256', secret)}`;
    return client && { id, grants: client['grants'], redirectUris: client['redirect_uris'] };
  },
  generateAccessToken: ({ id }, user) =>
    new SignJWT({ client_id: id })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(issuer)
      .setSubject(String(user['id']))
      .setIssuedAt()
      .setExpirationTime('30m')
      .sign(privateKey),
  async getAccessToken(accessToken) {
    const { payload } = await jwtVerify(accessToken, publicKey, { issuer });
    const expiresAt = new Date((payload.exp ?? 0) * 1000);
    const holders = holdersOf({ client_id: payload['client_id'], user_id: Number(payload.sub) });
    return { accessToken, accessTokenExpiresAt: expiresAt, ...holders };
  },
  async getAuthorizationCode(code) {
    const [row] = await sql`
      select client_id, user_id, redirect_uri, expires_at from codes where code_hash = ${hash('sha256', code)}`;
    const { expires_at: expiresAt, redirect_uri: redirectUri } = row ?? {};
    return row && { authorizationCode: code, expiresAt, redirectUri, ...holdersOf(row) };
  },
  async revokeAuthorizationCode({ authorizationCode }) {
    return (await sql`delete from codes where code_hash = ${hash('sha256', authorizationCode)}`).count === 1;
  },
  saveAuthorizationCode: () => Promise.reject(new Error('codes are there before')),
  async getRefreshToken(refreshToken) {
    const [row] = await sql`
      select client_id, user_id, expires_at from refresh_tokens where token_hash = ${hash('sha256', refreshToken)}`;
    return row && { refreshToken, refreshTokenExpiresAt: row['expires_at'], ...holdersOf(row) };
  },
  async revokeToken({ refreshToken }) {
    return (
      (await sql`delete from refresh_tokens where token_hash = ${hash('sha256', refreshToken)}`).count === 1
    );
  },
  async saveToken(token, client, user) {
    const { refreshToken = '', refreshTokenExpiresAt = null } = token;
    await sql`insert into refresh_tokens (token_hash, client_id, user_id, expires_at)
      values (${hash('sha256', refreshToken)}, ${client.id}, ${user['id']}, ${refreshTokenExpiresAt})`;
    return { ...token, client, user };
  },
};

const oauth = new OAuth2Server({ model, accessTokenLifetime: 1800, refreshTokenLifetime: 30 * 86_400 });
const requestOf = ({ headers, method, query, body }: FastifyRequest) =>
  new OAuth2Server.Request({
    headers: headers as Record<string, string>,
    method,
    query: { ...Object(query) },
    body,
  });

const app = Fastify();
await app.register(formbody);
app.post('/token', async (request, reply) => {
  const response = new OAuth2Server.Response();
  await oauth.token(requestOf(request), response);
  return reply.headers(response.headers ?? {}).send(response.body);
});
app.get('/me', async (request) => {
  const { user } = await oauth.authenticate(requestOf(request), new OAuth2Server.Response());
  const [row] = await sql`select id, name, email from users where id = ${user['id']}`;
  return { status: 'success', data: row };
});
app.get('/readyz', async () => 'ok');
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`listens on ${address}\n`);
process.on('SIGTERM', () => void app.close().then(() => sql.end()));
