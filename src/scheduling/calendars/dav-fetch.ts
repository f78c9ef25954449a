import { getDomain } from 'tldts';
import type { Outbound } from '../../io/outbound.ts';
import type { CaldavAccess } from './access.ts';
import { createXmlGuard } from './dav-xml.ts';
import { Unreadable } from './unreadable.ts';

export type Credentials = Pick<CaldavAccess, 'url' | 'username' | 'password'>;

/** tsdav's fetch: through the guard, and with the credentials added here, so that only their own server ever sees them. */
export function createDavFetch(
  outbound: Outbound,
  { url, username, password }: Credentials,
  signal: AbortSignal,
) {
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  // What tsdav swallows, and how it words what it does not, would hide the cause.
  let cause: unknown;
  const guardXml = createXmlGuard();
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      const answer = await outbound.fetch(input instanceof Request ? input.url : String(input), {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        signal,
        redirect: init.redirect === 'manual' ? 'manual' : 'follow',
        authorize: (address) => (isOwnServer(address, url) ? basic : undefined),
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      });
      if (answer.status === 401 || answer.status === 403) cause = new Unreadable('credentials');
      else if (answer.status >= 400) cause ??= new Unreadable('status', answer.status);
      // tsdav parses whatever calls itself XML.
      guardXml(answer.text, answer.headers.get('content-type')?.toLowerCase().includes('xml') ?? false);
      const isEmpty = answer.status === 204 || answer.status === 205 || answer.status === 304;
      return new Response(isEmpty ? null : answer.text, { status: answer.status, headers: answer.headers });
    } catch (error) {
      cause = error;
      throw error;
    }
  };
  const attempt = async <Value>(act: () => Promise<Value>): Promise<Value> => {
    try {
      return await act();
    } catch (error) {
      throw cause ?? error;
    }
  };
  return { fetch, attempt };
}

/** The same origin, or by https another host of the same domain: some providers keep each user's calendars on a host of their own. */
function isOwnServer(address: URL, given: string): boolean {
  const own = new URL(given);
  if (address.origin === own.origin) return true;
  const domain = getDomain(own.hostname, { allowPrivateDomains: true });
  if (domain === null || address.protocol !== 'https:') return false;
  return getDomain(address.hostname, { allowPrivateDomains: true }) === domain;
}
