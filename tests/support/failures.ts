import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { clients, failedTokenRequests } from '../../src/oauth/tables.ts';
import { textOf } from './page-content.ts';
import type { TestService } from './service.ts';
import { addClient, addUser, type ClientOptions, signIn, type TestClient, type TestUser } from './world.ts';

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
  return { client: { ...client, ownerId: owner.id }, owner, cookie: await signIn(service, owner) };
}

export function failuresPath({ id }: Pick<TestClient, 'id'>): string {
  return `/settings/developer/oauth/${id}/failures`;
}

/** The failures page, as whoever's cookie it is gets it. */
export async function openFailures(
  service: TestService,
  { client, cookie }: Pick<OwnedClient, 'client' | 'cookie'>,
  query = '',
): Promise<LightMyRequestResponse> {
  return service.app.inject({ url: `${failuresPath(client)}${query}`, headers: { cookie } });
}

/** A failure as it is read on the page. */
export interface ReadFailure {
  readonly requestId: string;
  readonly error: string;
  readonly answer: string;
  readonly wrong: string;
  readonly toDo: string;
  /** The places where two addresses differ, in words. */
  readonly changes: readonly string[];
  readonly html: string;
}

/** The failures on a page, in their order. */
export function failuresOn({ body }: LightMyRequestResponse): ReadFailure[] {
  return [...body.matchAll(/<article class="card" id="([^"]*)"[^>]*>(.*?)<\/article>/gs)].map(
    ([, requestId = '', html = '']) => ({
      requestId,
      error: textOf(/<h2[^>]*>(.*?)<\/h2>/s.exec(html)?.[1] ?? ''),
      answer: textOf(/<p class="soft">(.*?)<\/p>/s.exec(html)?.[1] ?? ''),
      wrong: textOf(/What was wrong<\/h3>\s*<p>(.*?)<\/p>/s.exec(html)?.[1] ?? ''),
      toDo: textOf(/What to do<\/h3>\s*<p>(.*?)<\/p>/s.exec(html)?.[1] ?? ''),
      changes: [...html.matchAll(/<li>(.*?)<\/li>/gs)].map(([, change = '']) => textOf(change)),
      html,
    }),
  );
}

/** The failures that the owner reads. */
export async function readFailures(
  service: TestService,
  owned: Pick<OwnedClient, 'client' | 'cookie'>,
  query = '',
): Promise<ReadFailure[]> {
  const page = await openFailures(service, owned, query);
  if (page.statusCode !== 200) throw new Error(`the page of failures answered ${page.statusCode}`);
  return failuresOn(page);
}

/** The rows that are kept of a client's failures. */
export async function keptFailures(service: TestService, { id }: Pick<TestClient, 'id'>) {
  const { db } = service.database;
  return db.select().from(failedTokenRequests).where(eq(failedTokenRequests.clientId, id));
}
