import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

export interface AgentSettings {
  /** The URL of the MCP server leads to where access is asked for (RFC 9728). */
  readonly url: string;
  /** The client is public, with the redirect URI `http://127.0.0.1/callback`. */
  readonly clientId: string;
  /** Shows the user the page that asks for consent. */
  readonly show: (page: URL) => void;
}

export interface Agent {
  call(tool: string, given?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** `fault` is for the model to read. */
export type ToolAnswer =
  | { readonly data: unknown; readonly offsets?: Readonly<Record<string, string>> | undefined }
  | { readonly fault: string };

/** Access is kept in memory, so the next start asks for it again. */
export async function startAgent({ url, clientId, show }: AgentSettings): Promise<Agent> {
  const callback = await listenForCallback();
  let tokens: OAuthTokens | undefined;
  let codeVerifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let state = '';
  const provider: OAuthClientProvider = {
    redirectUrl: callback.url,
    clientMetadata: { redirect_uris: [callback.url] },
    clientInformation: () => ({ client_id: clientId }),
    state() {
      state = randomUUID();
      return state;
    },
    tokens: () => tokens,
    saveTokens(issued) {
      tokens = issued;
    },
    saveCodeVerifier(made) {
      codeVerifier = made;
    },
    codeVerifier: () => codeVerifier,
    // The code is exchanged where the user was sent, whatever the server says by then.
    saveDiscoveryState(found) {
      discovered = found;
    },
    discoveryState: () => discovered,
    invalidateCredentials(what) {
      if (what === 'all' || what === 'tokens') tokens = undefined;
    },
    redirectToAuthorization: show,
  };
  const identity = { name: 'example-agent', version: '1.0.0' };

  /** Retries once the user has answered, if access was missing. */
  async function withAccess<Value>(use: (client: Client) => Promise<Value>): Promise<Value> {
    for (let asked = 0; ; asked += 1) {
      const client = new Client(identity, { versionNegotiation: { mode: 'auto' } });
      const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
      try {
        await client.connect(transport);
        return await use(client);
      } catch (error) {
        if (!(error instanceof UnauthorizedError) || asked > 0) throw error;
        const answer = await callback.next();
        if (answer.get('state') !== state) throw new Error('the answer is another request’s');
        await transport.finishAuth(answer);
      } finally {
        await client.close();
      }
    }
  }

  return {
    call: (name, given = {}) =>
      withAccess(async (client) => {
        const { content, isError } = await client.callTool({ name, arguments: given });
        const [first] = content;
        const text = first?.type === 'text' ? first.text : '';
        if (isError === true) return { fault: text };
        const { data, offsets } = JSON.parse(text);
        return { data, offsets };
      }),
    close: callback.close,
  };
}

/** The browser comes back to any free port of this machine (RFC 8252 §7.3). */
async function listenForCallback() {
  let waiting = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname !== '/callback') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('You can close this window and go back to the agent.\n');
    waiting.resolve(searchParams);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    async next(): Promise<URLSearchParams> {
      const answer = await waiting.promise;
      waiting = Promise.withResolvers();
      return answer;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
