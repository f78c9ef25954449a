import type { LightMyRequestResponse } from 'fastify';
import { postOwnForm } from './registration.ts';
import type { TestService } from './service.ts';

export const accountsHome = '/settings/admin/accounts';

/** What an admin's form does; answers whatever comes. */
export async function suspend(
  service: TestService,
  { id }: { readonly id: number },
  cookie: string,
  reason = 'Spam',
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, `${accountsHome}/${id}/suspend`, { reason }, cookie);
}

export async function restore(
  service: TestService,
  { id }: { readonly id: number },
  cookie: string,
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, `${accountsHome}/${id}/restore`, {}, cookie);
}
