import type { Check } from './api.ts';

interface Asking {
  readonly apiUrl: string;
  readonly audience: string;
  /** An admin has made this app the server of the audience. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Asks the issuer for each token, so that access that was removed ends immediately (RFC 7662). */
export function checkOnline({ apiUrl, audience, clientId, clientSecret }: Asking): Check {
  const credentials = { client_id: clientId, client_secret: clientSecret };
  return async (token) => {
    const answer = await fetch(`${apiUrl}/v2/auth/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentials, token }),
      signal: AbortSignal.timeout(5000),
    });
    if (!answer.ok) throw new Error(`the introspection answered ${answer.status}`);
    const { active, aud, sub, scope, cnf } = await answer.json();
    // The client also sees its own tokens, which may be for something else.
    if (active !== true || ![aud].flat().includes(audience) || cnf !== undefined) return undefined;
    return { userId: String(sub), scopes: String(scope).split(' ') };
  };
}
