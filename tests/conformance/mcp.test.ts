import {
  Client,
  DpopSession,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { afterAll, expect, test, vi } from 'vitest';
import { answerJson, callback, documentOf, nextUrl, startAgentHosts } from '../support/client-documents.ts';
import { reviewDecisions } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { revoke } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  hiddenFieldsOf,
  postForm,
  signIn,
  type TestClient,
} from '../support/world.ts';
import { approveAt } from './person.ts';

const hosts = await startAgentHosts();
const service = await openTestSite({}, undefined, { documents: hosts.documents });
const approve = approveAt(service);
const address = new URL('/mcp', service.appUrl);

// The SDK's clock is the service's: proofs have a time.
vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() });
afterAll(() => void vi.useRealTimers());

/** Registered before, or with the address of its metadata document; it keeps what the SDK gives it. */
function openAgent(
  { id, secret, redirectUri }: Pick<TestClient, 'id' | 'secret' | 'redirectUri'>,
  { scope, key }: { readonly scope?: string | undefined; readonly key?: DpopSession | undefined } = {},
) {
  const kept: {
    client?: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
    verifier?: string;
    tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
    discovered?: OAuthDiscoveryState;
    sentTo?: URL;
  } = {};
  const issuer = service.appUrl;
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri], ...(scope === undefined ? {} : { scope }) },
    state: () => 'a state',
    ...(id.startsWith('https:')
      ? {
          clientMetadataUrl: id,
          clientInformation: () => kept.client,
          saveClientInformation: (client) => void Object.assign(kept, { client }),
        }
      : { clientInformation: () => ({ client_id: id, issuer, ...(secret && { client_secret: secret }) }) }),
    ...(key && { dpop: () => key }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (sentTo) => void Object.assign(kept, { sentTo }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovered) => void Object.assign(kept, { discovered }),
    discoveryState: () => kept.discovered,
    invalidateCredentials: () => void delete kept.tokens,
  };
  const open = () => new StreamableHTTPClientTransport(address, { authProvider: provider });
  const connect = async () => {
    const client = new Client({ name: 'an agent', version: '1' });
    await client.connect(open());
    return client;
  };
  return { kept, open, connect };
}

test.each([
  { type: 'public' },
  { type: 'public', scope: 'PROFILE_READ' },
  { type: 'confidential', scope: 'PROFILE_READ BOOKING_READ' },
  { type: 'public', dpop: true },
  { type: 'confidential', dpop: true },
] as const)(
  "the MCP SDK's client finds everything from /mcp: $type, scope $scope, dpop $dpop",
  async ({ type, scope, dpop }: { type: TestClient['type']; scope?: string; dpop?: true }) => {
    const client = await addClient(service, { type, scopes: ['PROFILE_READ', 'BOOKING_READ'] });
    const key = dpop && (await DpopSession.create());
    const agent = openAgent(client, { scope, key });

    await expect(agent.connect()).rejects.toThrow(UnauthorizedError);
    const asked = agent.kept.sentTo;
    const returned = await approve(asked ?? 'none:');
    await agent.open().finishAuth(returned.searchParams);
    const connected = await agent.connect();
    const me = await connected.callTool({ name: 'getMe', arguments: {} });
    const first = agent.kept.tokens;
    service.clock.advance(1800);
    vi.setSystemTime(service.clock.now());
    const again = await connected.callTool({ name: 'getMe', arguments: {} });
    const second = agent.kept.tokens;
    await revoke(service, client, String(second?.refresh_token));
    delete agent.kept.sentTo;

    expect(asked?.searchParams.get('resource')).toBe(address.href);
    expect([me.isError ?? false, again.isError ?? false]).toEqual([false, false]);
    expect(second?.refresh_token).not.toBe(first?.refresh_token);
    expect(decodeJwt(String(second?.access_token))['cnf']).toEqual(key && { jkt: key.thumbprint });
    await expect(connected.callTool({ name: 'getMe', arguments: {} })).rejects.toThrow(UnauthorizedError);
    expect(String(agent.kept.sentTo)).toContain(authorizePath);
    await connected.close();
  },
);

test("the MCP SDK's client with clientMetadataUrl: unknown, reviewed once, connected", async () => {
  const url = nextUrl();
  hosts.serve(url, answerJson(documentOf(url)));
  const [cookie, admin] = await Promise.all(
    [false, true].map(async (isAdmin) => signIn(service, await addUser(service, { isAdmin }))),
  );
  const agent = openAgent({ id: url, secret: undefined, redirectUri: callback });

  await expect(agent.connect()).rejects.toThrow(UnauthorizedError);
  const asked = agent.kept.sentTo ?? new URL('none:');
  const unknown = await service.app.inject({
    url: `${asked.pathname}${asked.search}`,
    headers: { cookie: String(cookie) },
  });
  const requested = await postForm(
    service,
    `${authorizePath}/review`,
    hiddenFieldsOf(unknown.body),
    String(cookie),
  );
  await reviewDecisions.accept(service, `~${Buffer.from(url).toString('base64url')}`, String(admin));
  const returned = await approve(asked);
  await agent.open().finishAuth(returned.searchParams);
  const connected = await agent.connect();
  const me = await connected.callTool({ name: 'getMe', arguments: {} });

  expect([unknown.statusCode, requested.statusCode]).toEqual([400, 303]);
  expect(asked.searchParams.get('client_id')).toBe(url);
  expect(me.isError ?? false).toBe(false);
  expect(agent.kept.tokens?.scope).toBe('PROFILE_READ BOOKING_READ');
  await connected.close();
});
