import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { decodeJwt } from 'jose';
import { issueCode as codeOf } from '../../src/oauth/core/code.ts';
import { nameScopes } from '../../src/oauth/own-scopes.ts';
import { issueGrant, listHeld } from '../../src/oauth/store.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import type { TestService } from './service.ts';
import {
  type AllowOptions,
  addUser,
  callMe,
  clientFields,
  createPkce,
  obtainCode,
  refresh,
  requestToken,
  startSession,
  type TestClient,
  type TestUser,
  type Tokens,
} from './world.ts';

export const tokenPath = '/v2/auth/oauth2/token';
export const revocationPath = '/v2/auth/oauth2/revoke';
export const introspectionPath = '/v2/auth/oauth2/introspect';

/** The fields of a request to the token endpoint. */
export type TokenFields = Readonly<Record<string, string>>;

/**
 * The right exchange of a code that a user has just allowed, a new one unless given, with PKCE for a public client.
 * The code is stored as the page stores it, unless the page is asked for something.
 */
export async function issueCode(
  service: TestService,
  client: TestClient,
  options: AllowOptions & { readonly user?: TestUser } = {},
): Promise<TokenFields> {
  const pkce = options.pkce ?? (client.type === 'public' ? createPkce() : undefined);
  const user = options.user ?? (await addUser(service));
  const code =
    options.parameters === undefined
      ? await allowDirectly(service, client, user, pkce?.challenge ?? null)
      : await obtainCode(
          service,
          await startSession(service, user),
          client,
          pkce ? { ...options, pkce } : options,
        );
  return {
    ...clientFields(client),
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    ...(pkce === undefined ? {} : { code_verifier: pkce.verifier }),
  };
}

/** The code of a grant of all that the client is registered for, as the page stores it. */
async function allowDirectly(
  { app, clock }: TestService,
  { id: clientId, redirectUri }: TestClient,
  { id: userId }: TestUser,
  codeChallenge: string | null,
): Promise<string> {
  const { db, config, secrets } = app;
  const [{ scopes } = { scopes: null }] = await db
    .select({ scopes: clients.scopes })
    .from(clients)
    .where(eq(clients.id, clientId));
  const asked = {
    scopes: nameScopes(scopes, app.permissions.known),
    resources: null,
    redirectUri,
    codeChallenge,
    dpopJkt: null,
  };
  const grant = { id: newUuid(clock), clientId, userId, teamId: null, ...asked };
  const held = await listHeld(db, grant, config.lifetimes, clock.now());
  await issueGrant(db, grant, held, config.lifetimes, clock.now());
  return codeOf(grant.id, secrets);
}

/** The tokens of a new user who has allowed the client. */
export async function issueTokens(
  service: TestService,
  client: TestClient,
  parameters?: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const options = parameters === undefined ? {} : { parameters };
  const answer = await requestToken(service, await issueCode(service, client, options));
  if (answer.statusCode !== 200) throw new Error(`the exchange answered ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

/** The right refresh of a token. */
export function refreshFields(client: TestClient, refreshToken: string): TokenFields {
  return { ...clientFields(client), grant_type: 'refresh_token', refresh_token: refreshToken };
}

/** Refreshes and expects to succeed. */
export async function rotate(service: TestService, client: TestClient, tokens: Tokens): Promise<Tokens> {
  const answer = await refresh(service, client, tokens.refresh_token);
  if (answer.statusCode !== 200) throw new Error(`the refresh answered ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

/** Revokes a token of the client's (RFC 7009); answers whatever comes. */
export async function revoke(
  service: TestService,
  client: TestClient,
  token: string,
): Promise<LightMyRequestResponse> {
  const payload = new URLSearchParams({ ...clientFields(client), token }).toString();
  return postBody(service, payload, {}, revocationPath);
}

/** Posts a body just as it is, a form unless the headers say otherwise. */
export async function postBody(
  service: TestService,
  payload: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  url: string = tokenPath,
): Promise<LightMyRequestResponse> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return service.app.inject({ method: 'POST', url, headers: { ...form, ...headers }, payload });
}

/** What tokens are good for: the status of `/v2/me`, and of a refresh, which spends them. */
export interface Use {
  readonly me: number;
  readonly refresh: number;
}

export const usable: Use = { me: 200, refresh: 200 };
export const dead: Use = { me: 401, refresh: 400 };

export async function use(service: TestService, client: TestClient, tokens: Tokens): Promise<Use> {
  const me = await callMe(service, tokens.access_token);
  const refreshed = await refresh(service, client, tokens.refresh_token);
  return { me: me.statusCode, refresh: refreshed.statusCode };
}

/**
 * The status and body of an error answer of the token endpoint, as the contract's table writes it.
 */
export function refusalOf(answer: LightMyRequestResponse): readonly [number, string, string] {
  const { error, error_description: description } = answer.json();
  return [answer.statusCode, error, description];
}

/** The grant that an access token speaks for. */
export function grantIdOf({ access_token: accessToken }: Tokens): string {
  return String(decodeJwt(accessToken)['gid']);
}

/** The rows of all grants of a client, oldest first. */
export async function grantsOf(service: TestService, client: TestClient) {
  const ofClient = eq(grants.clientId, client.id);
  return service.database.db.select().from(grants).where(ofClient).orderBy(grants.issuedAt);
}
