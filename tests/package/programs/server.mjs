import { createServer } from 'node:http';
import { authorizationServer } from 'latchkey';
import { memoryStore } from 'latchkey/memory';
import { toNode } from 'latchkey/node';
import { expect, redirectUri, secrets } from './world.mjs';

const app = { id: 'app', type: 'public', status: 'accepted', requiresPkce: true, secrets: [] };
const store = memoryStore([{ ...app, redirectUris: [redirectUri], scopes: ['notes:read'] }]);
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const keys = [{ ...(await crypto.subtle.exportKey('jwk', privateKey)), kid: 'key' }];
const issuer = 'https://id.example';
const onFault = (fault) => console.error(fault);
const server = await authorizationServer({ issuer, scopes: ['notes:read'], secrets, keys, store, onFault });

async function handle(request) {
  if (server.handles(request)) return server.fetch(request);
  if (server.authorize.matches(request)) return consent(request);
  const access = await server.access(request, 'notes:read');
  return access instanceof Response ? access : Response.json({ hello: access.userId });
}

async function consent(request) {
  const asked = await server.authorize.read(request);
  if (asked instanceof Response) return asked;
  if (request.method === 'GET') return new Response(await asked.formToken('session'));
  const form = await request.formData();
  if (form.get('action') !== 'allow') return asked.deny();
  return asked.allow({ userId: 'ann', session: 'session', formToken: String(form.get('form_token')) });
}

const listening = createServer(toNode(handle, issuer)).listen(0, '127.0.0.1');
await new Promise((resolve) => listening.once('listening', resolve));
const at = `http://127.0.0.1:${listening.address().port}`;
const verifier = 'v'.repeat(43);
const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
const code_challenge = Buffer.from(hashed).toString('base64url');
const asked = new URLSearchParams({
  client_id: 'app',
  redirect_uri: redirectUri,
  state: 's',
  code_challenge,
});
const page = `${at}/authorize?${asked}`;
const form = { action: 'allow', form_token: await (await fetch(page)).text() };
const sent = await fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
const answer = new URL(sent.headers.get('location')).searchParams;
expect(answer.get('state') === 's' && answer.get('iss') === issuer, 'the answer');
const fields = { grant_type: 'authorization_code', client_id: 'app', redirect_uri: redirectUri };
const body = new URLSearchParams({ ...fields, code: answer.get('code'), code_verifier: verifier });
const tokens = await (await fetch(`${at}/token`, { method: 'POST', body })).json();
const read = (token) => fetch(`${at}/notes`, { headers: { authorization: `Bearer ${token}` } });
expect((await (await read(tokens.access_token)).json()).hello === 'ann', 'access');
expect((await read('x')).status === 401, 'no access');
listening.close();
