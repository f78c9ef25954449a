import { asc, eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { clientEvents } from '../../src/oauth/tables.ts';
import { allCookiesOf } from './accounts.ts';
import { addOwnedClient } from './failed-requests.ts';
import { developerHome, newRegistrationKey, postOwnForm, secretsOf } from './registration.ts';
import type { TestService } from './service.ts';
import { type ClientOptions, requestToken, type TestUser } from './world.ts';

/** A signed-in owner with an accepted client and its first secret. */
export interface Owned {
  readonly owner: TestUser;
  readonly cookie: string;
  readonly clientId: string;
  readonly secret: string;
  /** The address of the client's secrets page. */
  readonly path: string;
}

export async function openOwned(service: TestService, options: ClientOptions = {}): Promise<Owned> {
  const { owner, cookie, client } = await addOwnedClient(service, options);
  const { id: clientId, secret = '' } = client;
  return { owner, cookie, clientId, secret, path: `${developerHome}/${clientId}/secrets` };
}

/** Goes where an answer leads, with the cookies that it set. */
export async function follow(
  { app }: TestService,
  answer: LightMyRequestResponse,
  cookie: string,
): Promise<LightMyRequestResponse> {
  const headers = { cookie: `${cookie}; ${allCookiesOf(answer)}` };
  return app.inject({ url: String(answer.headers.location), headers });
}

/** A form of the secrets page as it was sent by one showing of the page. */
export function newForm(): { readonly registration_key: string } {
  return { registration_key: newRegistrationKey() };
}

/** Adds a secret through the page; answers it as the page shows it. */
export async function addOnPage(service: TestService, { path, cookie }: Owned): Promise<string> {
  const added = await postOwnForm(service, path, newForm(), cookie);
  return secretOn((await follow(service, added, cookie)).body) ?? `not shown: ${added.statusCode}`;
}

/** The address of the page that deletes a secret. */
export async function deletionPath(
  service: TestService,
  { clientId, path }: Owned,
  secret: string,
): Promise<string> {
  const rows = await secretsOf(service, clientId);
  return `${path}/${rows.find(({ hint }) => hint === secret.slice(-4))?.id ?? 'none'}/delete`;
}

/** The secret that a page shows this once. */
export function secretOn(html: string): string | undefined {
  return /id="client_secret">(lks_[\w-]{43})</.exec(html)?.[1];
}

/** The hints of a client's live secrets, sorted. */
export async function liveHints(service: TestService, clientId: string): Promise<string[]> {
  const rows = await secretsOf(service, clientId);
  return rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ hint }) => hint)
    .toSorted();
}

/** What the token endpoint says of a secret, in a request whose only other fault is looked at later. */
export async function tryOut(service: TestService, clientId: string, secret: string): Promise<string> {
  const answer = await requestToken(service, {
    client_id: clientId,
    client_secret: secret,
    grant_type: 'refresh_token',
    refresh_token: 'none',
  });
  const { error = '', error_description: description } = answer.json<Record<string, string>>();
  return description === 'invalid_refresh_token' ? 'works' : `${answer.statusCode} ${error}`;
}

/** What happened to a client, in order. */
export async function eventsOf({ database }: TestService, clientId: string): Promise<string[]> {
  const rows = await database.db
    .select({ kind: clientEvents.kind })
    .from(clientEvents)
    .where(eq(clientEvents.clientId, clientId))
    .orderBy(asc(clientEvents.id));
  return rows.map(({ kind }) => kind);
}
