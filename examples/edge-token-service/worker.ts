import {
  type AuthorizationServer,
  authorizationServer,
  type ClientWithSecrets,
  fromBase64url,
  issueCode,
  newGrant,
  webCryptoMac,
} from 'latchkey';
import { type Grants, grantObject, grantStore } from './grants.ts';

export { GrantObject } from './grants.ts';

const scopes = ['PROFILE_READ', 'PROFILE_WRITE', 'BOOKING_READ', 'BOOKING_WRITE', 'openid', 'email'] as const;

interface Bindings {
  readonly GRANTS: Grants;
  readonly ISSUER: string;
  readonly AUDIENCE: string;
  readonly SECRET: string;
  /** The JSON has private P-256 JWKs with a `kid`. The first signs; the others are still published. */
  readonly SIGNING_KEYS: string;
  /** The JSON has clients with the SHA-256 hashes of their secrets, base64url. */
  readonly CLIENTS: string;
}

let server: Promise<AuthorizationServer> | undefined;

function open({ GRANTS, ISSUER: issuer, AUDIENCE, SECRET, SIGNING_KEYS, CLIENTS }: Bindings) {
  const clients: readonly ClientWithSecrets[] = JSON.parse(CLIENTS, (key, value) =>
    key === 'hash' ? fromBase64url(value) : value,
  );
  return authorizationServer({
    ...{ issuer, resources: [AUDIENCE], scopes, secrets: [SECRET], keys: JSON.parse(SIGNING_KEYS) },
    store: grantStore(clients, GRANTS),
    identities: { find: ({ id }) => grantObject(GRANTS, id).identity() },
    onFault: console.error,
  });
}

/** Anybody may call this. */
export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    server ??= open(bindings);
    const { fetch, access } = await server;
    if (new URL(request.url).pathname !== '/whoami') return fetch(request);
    const who = await access(request, 'PROFILE_READ');
    return who instanceof Response ? who : Response.json(who);
  },
};

/** Only your consent page may call this, on a port of its own: it posts the approval for a code. */
export const approvals = {
  async fetch(request: Request, { GRANTS, SECRET, ISSUER }: Bindings): Promise<Response> {
    const { identity, ...approval } = await request.json();
    const grant = newGrant(approval);
    const object = grantObject(GRANTS, grant.id);
    await object.add(grant);
    // Your page adds it where the app asked for `openid`: nonce, and what the user lets it see.
    if (identity !== undefined) await object.identify({ ...identity, authenticatedAt: new Date() });
    const mac = webCryptoMac([SECRET], ISSUER);
    const code = await issueCode(grant.id, mac, { isForSignIn: identity !== undefined });
    return Response.json({ code }, { status: 201 });
  },
};
