import type { LightMyRequestResponse } from 'fastify';
import { readDocument } from '../../src/client-documents/documents.ts';
import { createClient } from '../../src/oauth/clients/store.ts';
import { createOutbound, type Outbound } from '../../src/platform/outbound.ts';
import { atTheEnd } from './at-the-end.ts';
import { contextOf } from './audit.ts';
import { requestOf } from './authorization.ts';
import { type FeedAnswer, startFeedServer } from './feed-server.ts';
import { scopeNames } from './scopes.ts';
import type { TestService } from './service.ts';
import { hiddenFieldsOf, openAuthorizePage, postForm, type TestClient } from './world.ts';

/** Servers of metadata documents, all of them one real server on 127.0.0.1. */
export async function startAgentHosts() {
  const server = await startFeedServer();
  const real = createOutbound({ mayConnectTo: () => true });
  const pathOf = (url: string): string => url.replace(/^https:\//, '');
  const documents: Outbound = {
    fetch: (url, request) => real.fetch(`http://127.0.0.1:${server.port}${pathOf(url)}`, request),
    // Several instances share it.
    close: async () => {},
  };
  atTheEnd(real.close);
  return {
    documents,
    serve: (url: string, answer: FeedAnswer) => void server.serve(pathOf(url), answer),
    countReadings: (url: string) => server.requests.filter(({ path }) => path === pathOf(url)).length,
    countAll: () => server.requests.length,
  };
}

export const callback = 'http://127.0.0.1/callback';

let agents = 0;

/** An address that no test has used. */
export function nextUrl(): string {
  agents += 1;
  return `https://agent-${agents}.example/oauth/client.json`;
}

export function documentOf(url: string, values: object = {}): object {
  return {
    client_id: url,
    client_name: 'Desk Agent',
    client_uri: new URL(url).origin,
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'BOOKING_READ PROFILE_READ something:else',
    ...values,
  };
}

export function answerJson(document: unknown, headers: Readonly<Record<string, string>> = {}): FeedAnswer {
  return (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(typeof document === 'string' ? document : JSON.stringify(document));
  };
}

/** A client from a document has no owner; the shape is that of all test clients. */
export function agentOf(url: string): TestClient {
  return { id: url, type: 'public', secret: undefined, redirectUri: callback, ownerId: 0 };
}

/** Visits as an agent sends its user. */
export async function visitAs(
  service: TestService,
  url: string,
  cookie: string | undefined,
  parameters: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return openAuthorizePage(service, requestOf(agentOf(url), parameters), cookie);
}

/** Asks for a review, as the page's button does. In a race, the page was opened before. */
export async function askForReview(
  service: TestService,
  url: string,
  cookie: string,
  opened?: LightMyRequestResponse,
): Promise<LightMyRequestResponse> {
  const { body } = opened ?? (await visitAs(service, url, cookie));
  return postForm(service, '/auth/oauth2/authorize/review', hiddenFieldsOf(body), cookie);
}

/** In review, past the page and the document. */
export async function addWaitingAgent(service: TestService): Promise<string> {
  const { db } = service.database;
  const url = nextUrl();
  const document = readDocument(url, JSON.stringify(documentOf(url)), scopeNames);
  if (!document.ok) throw new Error(document.reason);
  const tomorrow = new Date(service.clock.now().getTime() + 86_400_000);
  const client = {
    ...document.value,
    id: url,
    ownerId: null,
    type: 'public',
    documentExpiresAt: tomorrow,
  } as const;
  await createClient(db, client, undefined, [], contextOf(service));
  return url;
}
