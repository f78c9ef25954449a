import { Auth, type AuthConfig, skipCSRFCheck } from '@auth/core';
import { expect } from 'vitest';
import { decide, decisionFormOf } from '../support/authorization.ts';
import type { TestService } from '../support/service.ts';
import { addUser, authorizePath, signIn } from '../support/world.ts';

/** A new person signs in, reads the page and clicks Allow; answers where the browser is sent. */
export function approveAt(service: TestService) {
  return async (address: string | URL): Promise<URL> => {
    const { origin, pathname, search } = new URL(address);
    expect([origin, pathname]).toEqual([service.appUrl, authorizePath]);
    const cookie = await signIn(service, await addUser(service));
    const page = await service.app.inject({ url: `${pathname}${search}`, headers: { cookie } });
    const { headers } = await decide(service, decisionFormOf(page.body), 'allow', cookie);
    return new URL(headers.location ?? 'none:');
  };
}

/** An app that signs people in with Auth.js at this provider, and a browser of one person there. */
export function openAuth(own: string, provider: AuthConfig['providers'][number]) {
  const config: AuthConfig = {
    basePath: '/auth',
    secret: 'a secret of the app itself, long enough',
    trustHost: true,
    skipCSRFCheck,
    logger: { error: (error) => expect.unreachable(String(error.cause ?? error)) },
    providers: [provider],
  };
  const cookies = new Map<string, string>();
  return async (path: string, body?: Readonly<Record<string, string>>): Promise<Response> => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const posted = body && { method: 'POST', body: new URLSearchParams(body) };
    const answer = await Auth(new Request(new URL(path, own), { headers, ...posted }), config);
    if (!(answer instanceof Response)) throw new Error('no answer');
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}
