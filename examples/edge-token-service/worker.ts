import { type ClientWithSecrets, fromBase64url, issueCode } from 'latchkey/core';
import { createTokenHandler, newGrant, openIssuer } from 'latchkey/fetch';
import { type Grants, grantObject, tokenStore } from './grants.ts';
import { whoami } from './whoami.ts';

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

async function open({ GRANTS, ISSUER, AUDIENCE, SECRET, SIGNING_KEYS, CLIENTS }: Bindings) {
  const clients: readonly ClientWithSecrets[] = JSON.parse(CLIENTS, (key, value) =>
    key === 'hash' ? fromBase64url(value) : value,
  );
  const keys = JSON.parse(SIGNING_KEYS);
  const names = { issuer: ISSUER, resources: [AUDIENCE], scopes } as const;
  const opened = await openIssuer({ ...names, secrets: [SECRET], keys });
  const store = tokenStore(clients, GRANTS);
  const identities = { find: ({ id }: { readonly id: string }) => grantObject(GRANTS, id).identity() };
  return { ...opened, answer: createTokenHandler({ ...opened, store, identities, onFault: console.error }) };
}

let held: ReturnType<typeof open> | undefined;
const service = (bindings: Bindings) => (held ??= open(bindings));

/** Anybody may call this. */
export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const { answer, issuer, jwks } = await service(bindings);
    return new URL(request.url).pathname === '/whoami' ? whoami(request, issuer, jwks()) : answer(request);
  },
};

/** Only your consent page may call this, on a port of its own: it posts the approval for a code. */
export const approvals = {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const { clientId, userId, redirectUri, codeChallenge, scopes, identity } = await request.json();
    const grant = newGrant({ clientId, userId, redirectUri, codeChallenge, scopes });
    const object = grantObject(bindings.GRANTS, grant.id);
    await object.write(grant);
    // Your page adds it where the app asked for `openid`: nonce, and what the user lets it see.
    if (identity !== undefined) await object.identify({ ...identity, authenticatedAt: new Date() });
    const { issuer } = await service(bindings);
    const code = await issueCode(grant.id, issuer.mac, { isForSignIn: identity !== undefined });
    return Response.json({ code }, { status: 201 });
  },
};
