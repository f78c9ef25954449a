import { and, eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { rememberedConsents } from '../../src/oauth/tables.ts';
import { type AuthorizationFields, decide, openDecision, requestOf } from './authorization.ts';
import { postOwnForm } from './registration.ts';
import type { TestService } from './service.ts';
import { authorizePath, clientFields, requestToken, type TestClient, type TestUser } from './world.ts';

export const appsHome = '/settings/apps';

/** Sentences of the consent page that several files look for, so that a new wording changes them here. */
export const consentTitle = (app = 'Test app', service = 'Latchkey') =>
  `${app} wants access to your ${service} account`;
export const asksForMore = 'It’s asking for different permissions this time.';
export const leadsTo = 'You’ll be redirected to';
export const accountLabel = 'Access to';

/** Allows the request on the page with "Don't ask again" selected. */
export async function allowForGood(
  service: TestService,
  client: TestClient,
  cookie: string,
  changes: AuthorizationFields = {},
  account = '',
): Promise<LightMyRequestResponse> {
  const form = await openDecision(service, requestOf(client, changes), cookie);
  return decide(service, { ...form, account, remember: 'yes' }, 'allow', cookie);
}

/** What a user has remembered of a client; undefined when nothing is. */
export async function rememberedOf({ database }: TestService, user: TestUser, client: TestClient) {
  const [row] = await database.db
    .select()
    .from(rememberedConsents)
    .where(and(eq(rememberedConsents.userId, user.id), eq(rememberedConsents.clientId, client.id)));
  return row;
}

/** Comes to the authorization page as a browser that says how. */
export async function visit(
  { app }: TestService,
  request: AuthorizationFields,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<LightMyRequestResponse> {
  const url = `${authorizePath}?${new URLSearchParams(request).toString()}`;
  return app.inject({ method, url, headers: { cookie, ...headers } });
}

/** Exchanges a confidential client's code; answers whatever comes. */
export async function exchangeCode(
  service: TestService,
  client: TestClient,
  code: string | undefined,
): Promise<LightMyRequestResponse> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  return requestToken(service, { ...clientFields(client), ...fields });
}

/** Presses a button of one app on the page of the connected apps. */
export async function pressOf(
  service: TestService,
  client: TestClient,
  button: 'disconnect' | 'ask-again',
  cookie: string,
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, `${appsHome}/${client.id}/${button}`, {}, cookie);
}
