import type { LightMyRequestResponse } from 'fastify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { type AuthorizationFields, codeOf, decide, openDecision, requestOf } from './authorization.ts';
import type { TestService } from './service.ts';
import {
  addClient,
  addUser,
  type ClientOptions,
  clientFields,
  requestToken,
  startSession,
  type TestClient,
  type Tokens,
} from './world.ts';

export const identityScopes = ['openid', 'profile', 'email'] as const;

/** An app that signs people in, and lists their bookings. */
export const addSignInClient = (service: TestService, options: ClientOptions = {}): Promise<TestClient> =>
  addClient(service, { scopes: [...identityScopes, 'BOOKING_READ'], ...options });

export async function addPerson(service: TestService) {
  const user = await addUser(service);
  return { user, cookie: await startSession(service, user) };
}

export interface SignInTokens extends Tokens {
  readonly id_token?: string;
}

export async function exchange(
  service: TestService,
  client: TestClient,
  code: string | undefined,
): Promise<LightMyRequestResponse> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
  return requestToken(service, { ...clientFields(client), ...fields });
}

/** The whole way of a person from Allow to tokens. */
export async function signInWith(
  service: TestService,
  client: TestClient,
  cookie: string,
  changes: AuthorizationFields = { scope: 'openid profile email' },
): Promise<SignInTokens> {
  const form = await openDecision(service, requestOf(client, changes), cookie);
  const answer = await exchange(service, client, codeOf(await decide(service, form, 'allow', cookie)));
  if (answer.statusCode !== 200) throw new Error(`the exchange answered ${answer.body}`);
  return answer.json();
}

/** Checks an ID token as a client does, with the published keys; returns its claims. */
export async function verifyIdToken(
  service: TestService,
  { id_token: idToken = '' }: SignInTokens,
  audience: string,
) {
  const jwks = (await service.app.inject('/.well-known/jwks.json')).json();
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(jwks), {
    ...{ issuer: service.appUrl, audience, algorithms: ['ES256'], currentDate: service.clock.now() },
  });
  return payload;
}
