import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { failedTokenRequests } from '../../src/oauth/failed-requests/tables.ts';
import { clients } from '../../src/oauth/tables.ts';
import { textOf } from './page-content.ts';
import type { TestService } from './service.ts';
import { issueCode } from './tokens.ts';
import {
  addClient,
  addUser,
  type ClientOptions,
  requestToken,
  startSession,
  type TestClient,
  type TestUser,
} from './world.ts';

/** A client and its owner's session. */
export interface OwnedClient {
  readonly client: TestClient;
  readonly owner: TestUser;
  readonly cookie: string;
}

/** A client whose owner is signed in. */
export async function addOwnedClient(
  service: TestService,
  options: ClientOptions = {},
): Promise<OwnedClient> {
  const client = await addClient(service, options);
  const owner = await addUser(service);
  await service.database.db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, client.id));
  return { client: { ...client, ownerId: owner.id }, owner, cookie: await startSession(service, owner) };
}

export function failedRequestsPath({ id }: Pick<TestClient, 'id'>): string {
  return `/settings/developer/oauth/${id}/failed-requests`;
}

/** The page of failed requests, as the owner of the cookie gets it. */
export async function openFailedRequests(
  service: TestService,
  { client, cookie }: Pick<OwnedClient, 'client' | 'cookie'>,
): Promise<LightMyRequestResponse> {
  return service.app.inject({ url: failedRequestsPath(client), headers: { cookie } });
}

/** The failed requests on a page, in their order. */
function failedRequestsOn({ body }: LightMyRequestResponse) {
  return [...body.matchAll(/<details class="card row"[^>]*>(.*?)<\/details>/gs)].map(([, html = '']) => {
    const [, status = '', error = '', description = ''] =
      /<code>(\d+) (\w+)<\/code> <code>([^<]*)<\/code>/.exec(html) ?? [];
    const [, cause = ''] = /<strong[^>]*>(.*?)<\/strong>/s.exec(html) ?? [];
    const [, advice = ''] = /<p class="advice">(.*?)<\/p>/s.exec(html) ?? [];
    return {
      requestId: /<article id="([^"]*)"/.exec(html)?.[1] ?? '',
      error,
      answer: `${status}: ${textOf(description)}`,
      sentence: textOf(`${cause} ${advice}`).trim(),
      html,
    };
  });
}

/** The failed requests that the owner reads. */
export async function readFailedRequests(
  service: TestService,
  owned: Pick<OwnedClient, 'client' | 'cookie'>,
) {
  const page = await openFailedRequests(service, owned);
  if (page.statusCode !== 200) throw new Error(`the page of failed requests answered ${page.statusCode}`);
  return failedRequestsOn(page);
}

/** The rows that are stored of a client's failed requests. */
export async function storedFailedRequests(service: TestService, { id }: Pick<TestClient, 'id'>) {
  const { db } = service.database;
  return db.select().from(failedTokenRequests).where(eq(failedTokenRequests.clientId, id));
}

/** Sends a request that fails; answers what came. */
export type Fail = (service: TestService, client: TestClient) => Promise<LightMyRequestResponse>;

/** A request that fails, and what its client's owner reads. */
export interface ExplainedRequest {
  readonly name: string;
  readonly options?: ClientOptions;
  readonly type?: ClientType;
  readonly fail: Fail;
  readonly says: RegExp;
}

/** An exchange with some of its fields changed; an empty one counts as absent. */
export function exchange(
  changes: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Fail {
  return async (service, client) =>
    requestToken(service, { ...(await issueCode(service, client)), ...changes }, { headers: { ...headers } });
}

/** Fails as the row has it, and reads about it as the client's owner. */
export async function expectExplained(
  service: TestService,
  { options = {}, type = 'confidential', fail, says }: ExplainedRequest,
): Promise<void> {
  const owned = await addOwnedClient(service, { ...options, type });

  const answer = await fail(service, owned.client);

  const read = await readFailedRequests(service, {
    ...owned,
    cookie: await startSession(service, owned.owner),
  });
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(read.find(({ requestId }) => requestId === answer.headers['x-request-id'])).toMatchObject({
    error: answer.json().error,
    answer: `${answer.statusCode}: ${answer.json().error_description}`,
    sentence: expect.stringMatching(says),
  });
}
