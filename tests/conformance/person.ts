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
