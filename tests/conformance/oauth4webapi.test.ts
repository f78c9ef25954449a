import * as oauth from 'oauth4webapi';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openTestSite } from '../support/site.ts';
import { addClient } from '../support/world.ts';
import { approveAt } from './person.ts';

const service = await openTestSite();
const { appUrl } = service;
const approve = approveAt(service);
// The library's clock is the service's: proofs have a time.
vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() });
afterAll(() => void vi.useRealTimers());
const insecure = { [oauth.allowInsecureRequests]: true };

/** The documentation says that a nonce that is asked for goes into the same request again. */
async function withNonce<T>(request: () => Promise<T>): Promise<{ answer: T; wasAsked: boolean }> {
  try {
    return { answer: await request(), wasAsked: false };
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return { answer: await request(), wasAsked: true };
  }
}

describe.each([
  ['confidential', 'bearer'],
  ['public', 'bearer'],
  ['confidential', 'dpop'],
  ['public', 'dpop'],
] as const)('oauth4webapi, which checks every answer by its RFC: a %s client, %s', (type, tokenType) => {
  test('finds all, gets, uses and refreshes tokens, and loses them', async () => {
    const isBound = tokenType === 'dpop';
    const client = await addClient(service, { type });
    const { redirectUri } = client;
    const own: oauth.Client = { client_id: client.id };
    const authentication =
      client.secret === undefined ? oauth.None() : oauth.ClientSecretBasic(client.secret);
    const key = isBound ? oauth.DPoP(own, await oauth.generateKeyPair('ES256')) : undefined;
    const options = { ...insecure, ...(key && { DPoP: key }) };
    const api = new URL(appUrl);
    const resource = await oauth.processResourceDiscoveryResponse(
      api,
      await oauth.resourceDiscoveryRequest(api, insecure),
    );
    const issuer = new URL(resource.authorization_servers?.[0] ?? 'none:');
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const address = new URL(server.authorization_endpoint ?? 'none:');
    address.search = new URLSearchParams({
      client_id: client.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: resource.resource,
      ...(key && { dpop_jkt: await key.calculateThumbprint() }),
    }).toString();

    const parameters = oauth.validateAuthResponse(server, own, await approve(address), state);
    const exchange = async () =>
      oauth.processAuthorizationCodeResponse(
        server,
        own,
        await oauth.authorizationCodeGrantRequest(
          ...([server, own, authentication, parameters, redirectUri, verifier, options] as const),
        ),
      );
    const refresh = async (token: string | undefined) =>
      oauth.processRefreshTokenResponse(
        server,
        own,
        await oauth.refreshTokenGrantRequest(server, own, authentication, String(token), options),
      );
    let sent = new Request(appUrl);
    const callMe = (token: string) =>
      oauth.protectedResourceRequest(token, 'GET', new URL('/v2/me', appUrl), undefined, undefined, {
        ...options,
        [oauth.customFetch]: (url, init) => {
          sent = new Request(url, { method: init.method, headers: init.headers });
          return fetch(sent);
        },
      });
    const statusOf = async (token: string): Promise<unknown> =>
      callMe(token).then(
        ({ status }) => status,
        (refused: { status?: number }) => refused.status,
      );

    const first = await withNonce(exchange);
    const next = await refresh(first.answer.refresh_token);
    const status = await statusOf(next.access_token);
    const claims = await oauth.validateJwtAccessToken(server, sent, appUrl, {
      ...insecure,
      requireDPoP: isBound,
    });
    // A nonce is over after two minutes; then the API asks for the next one.
    service.clock.advance(121);
    vi.setSystemTime(service.clock.now());
    const later = await withNonce(() => callMe(next.access_token));
    if (type === 'confidential') {
      const seen = await oauth.processIntrospectionResponse(
        server,
        own,
        await oauth.introspectionRequest(server, own, authentication, next.access_token, insecure),
      );
      const { client_id, sub, cnf } = claims;
      expect(seen).toMatchObject({ active: true, client_id, sub, ...(cnf && { cnf }) });
      expect(String(seen.token_type).toLowerCase()).toBe(tokenType);
    }
    const withoutKey = isBound ? await callWithoutKey(next.access_token) : undefined;
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, own, authentication, next.access_token, insecure),
    );

    expect([first.answer.token_type, next.token_type]).toEqual([tokenType, tokenType]);
    expect([first.wasAsked, later.wasAsked]).toEqual([isBound, isBound]);
    expect([status, later.answer.status]).toEqual([200, 200]);
    expect(claims).toMatchObject({ client_id: client.id, aud: appUrl });
    expect(claims.cnf?.jkt).toBe(await key?.calculateThumbprint());
    expect(withoutKey).toBe(isBound ? 401 : undefined);
    await expect(refresh(next.refresh_token)).rejects.toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await statusOf(next.access_token)).toBe(401);
  });
});

/** Calls as someone who has copied the token would. */
async function callWithoutKey(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(new URL('/v2/me', appUrl), { headers })).status;
}
