import { createServer, type Server, type ServerResponse } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

interface Access {
  readonly userId: string;
  readonly scopes: readonly string[];
}

/** Undefined means that the token opens nothing here. Throws when that can't be said. */
export type Check = (token: string) => Promise<Access | undefined>;

/** Checks with the issuer's keys, without asking for each token (RFC 9068 §4). */
export function checkOffline(issuer: string, audience: string): Check {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer));
  const expected = { issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] };
  const requiredClaims = ['exp', 'sub', 'scope'];
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, { ...expected, requiredClaims });
      // A token that is bound to a key needs a proof (RFC 9449 §7), which this API doesn't read.
      if (payload['cnf'] !== undefined) return undefined;
      return { userId: String(payload.sub), scopes: String(payload['scope']).split(' ') };
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined;
      throw error;
    }
  };
}

/** `notes:read` reads the user's notes, `notes:write` adds one. */
export function notesApi(check: Check): Server {
  const notes = new Map<string, number>();
  const send = (response: ServerResponse, status: number, challenge?: string, body: object = {}) =>
    response
      .writeHead(status, {
        'content-type': 'application/json',
        ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
      })
      .end(JSON.stringify(body));
  return createServer(async (request, response) => {
    try {
      const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
      if (token === undefined) return send(response, 401, 'Bearer');
      const access = await check(token);
      if (access === undefined) return send(response, 401, 'Bearer error="invalid_token"');
      const needed = request.method === 'GET' ? 'notes:read' : 'notes:write';
      const challenge = `Bearer error="insufficient_scope", scope="${needed}"`;
      if (!access.scopes.includes(needed)) return send(response, 403, challenge);
      const { userId } = access;
      if (request.method !== 'GET') notes.set(userId, (notes.get(userId) ?? 0) + 1);
      return send(response, 200, undefined, { userId, notes: notes.get(userId) ?? 0 });
    } catch {
      return send(response, 503);
    }
  });
}
