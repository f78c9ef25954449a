import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { openTestSite } from '../support/site.ts';
import { revoke } from '../support/tokens.ts';
import { addClient, authorizePath, type TestClient } from '../support/world.ts';
import { approveAt } from './person.ts';

const service = await openTestSite();
const approve = approveAt(service);
const address = new URL('/mcp', service.appUrl);

/** An agent that was registered before; it keeps what the SDK gives it. */
function openAgent({ id, secret, redirectUri }: TestClient, scope?: string) {
  const kept: {
    verifier?: string;
    tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
    discovered?: OAuthDiscoveryState;
    sentTo?: URL;
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri], ...(scope === undefined ? {} : { scope }) },
    state: () => 'a state',
    clientInformation: () => ({
      client_id: id,
      issuer: service.appUrl,
      ...(secret === undefined ? {} : { client_secret: secret }),
    }),
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
  ['public', undefined],
  ['public', 'PROFILE_READ'],
  ['confidential', 'PROFILE_READ BOOKING_READ'],
] as const)("the MCP SDK's client finds everything from /mcp: a %s client, scope %s", async (type, scope) => {
  const client = await addClient(service, { type, scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const agent = openAgent(client, scope);

  await expect(agent.connect()).rejects.toThrow(UnauthorizedError);
  const asked = agent.kept.sentTo;
  const returned = await approve(asked ?? 'none:');
  await agent.open().finishAuth(returned.searchParams);
  const connected = await agent.connect();
  const me = await connected.callTool({ name: 'getMe', arguments: {} });
  const first = agent.kept.tokens;
  service.clock.advance(1800);
  const again = await connected.callTool({ name: 'getMe', arguments: {} });
  const second = agent.kept.tokens;
  await revoke(service, client, String(second?.refresh_token));
  delete agent.kept.sentTo;

  expect(asked?.searchParams.get('resource')).toBe(address.href);
  expect([me.isError ?? false, again.isError ?? false]).toEqual([false, false]);
  expect(second?.refresh_token).not.toBe(first?.refresh_token);
  await expect(connected.callTool({ name: 'getMe', arguments: {} })).rejects.toThrow(UnauthorizedError);
  expect(String(agent.kept.sentTo)).toContain(authorizePath);
  await connected.close();
});
