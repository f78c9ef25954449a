import { createLocalJWKSet, jwtVerify } from 'jose';
import type { IdTokenAlgorithm } from '../../src/oauth/core/client.ts';
import { type AuthorizationFields, codeOf, decide, openDecision, requestOf } from './authorization.ts';
import { exchangeCode } from './consent.ts';
import type { TestService } from './service.ts';
import { addClient, type ClientOptions, type TestClient, type Tokens } from './world.ts';

const identityScopes = ['openid', 'profile', 'email'] as const;

/** An app that signs people in, and lists their bookings. */
export const addSignInClient = (service: TestService, options: ClientOptions = {}): Promise<TestClient> =>
  addClient(service, { scopes: [...identityScopes, 'BOOKING_READ'], ...options });

type SignInTokens = Tokens & { readonly id_token?: string };

/** The whole way of a person from Allow to tokens. */
export async function signInWith(
  service: TestService,
  client: TestClient,
  cookie: string,
  changes: AuthorizationFields = { scope: 'openid profile email' },
): Promise<SignInTokens> {
  const form = await openDecision(service, requestOf(client, changes), cookie);
  const answer = await exchangeCode(service, client, codeOf(await decide(service, form, 'allow', cookie)));
  if (answer.statusCode !== 200) throw new Error(`the exchange answered ${answer.body}`);
  return answer.json();
}

/** Checks an ID token as a client does by default, with the published keys; returns its claims. */
export async function verifyIdToken(
  service: TestService,
  { id_token: idToken = '' }: SignInTokens,
  audience: string,
  algorithm: IdTokenAlgorithm = 'RS256',
) {
  const jwks = (await service.app.inject('/.well-known/jwks.json')).json();
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(jwks), {
    ...{ issuer: service.appUrl, audience, algorithms: [algorithm], currentDate: service.clock.now() },
  });
  return payload;
}
