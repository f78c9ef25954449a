import { argon2Sync, randomBytes, randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { newId } from '../../src/accounts/browsers.ts';
import { devices, passkeys, sessions, users } from '../../src/accounts/tables.ts';
import { auditActionOf } from '../../src/oauth/clients/status.ts';
import {
  type ClientType,
  formatClientSecret,
  type IdTokenAlgorithm,
  type ReviewStatus,
} from '../../src/oauth/core/client.ts';
import type { OwnScopes } from '../../src/oauth/own-scopes.ts';
import { clientEvents, clientSecrets, clients } from '../../src/oauth/tables.ts';
import { auditEvents } from '../../src/platform/audit/tables.ts';
import { nodeHash } from '../../src/platform/runtime.ts';
import { scopeNames } from './scopes.ts';
import type { TestService } from './service.ts';

export interface TestUser {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

export interface TestClient {
  readonly id: string;
  readonly type: ClientType;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly redirectUri: string;
  readonly ownerId: number;
}

export const testPassword = 'a password for tests only';
/** argon2id with the cheapest parameters makes signing in as fast as any other request. */
const testPasswordHash = hashCheaply(testPassword);

function hashCheaply(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 } as const;
  const tag = argon2Sync('argon2id', { ...cost, message: password, nonce });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${hash}`;
}

export interface UserOptions {
  readonly isAdmin?: boolean;
  readonly isVerified?: boolean;
}

/** A person with an account of their own, whose email address is verified, as a sign-up leaves them. */
export async function addUser(service: TestService, options: UserOptions = {}): Promise<TestUser> {
  const { user, rows } = newUser(service, options);
  return { ...user, id: await insertAll(service, rows) };
}

/** The rows by the names of their statements, which are sent as one: each alone would cost a third of a request. */
type Rows = Readonly<Record<string, SQL>>;

function newUser({ clock }: TestService, { isAdmin = false, isVerified = true }: UserOptions) {
  const username = `user-${randomBytes(6).toString('hex')}`;
  const email = `${username}@example.com`;
  const now = clock.now().toISOString();
  const rows: Rows = {
    made_user: sql`
      insert into ${users} (email, username, name, time_zone, week_start, is_admin, password_hash, created_at, updated_at,
        email_verified_at)
      values (${email}, ${username}, ${`Test ${username}`}, 'Europe/Berlin', 'Monday', ${isAdmin}, ${testPasswordHash},
        ${now}, now(), ${isVerified ? now : null})
      returning id`,
    made_device: sql`
      insert into ${devices} (id_hash, user_id, first_seen_at, last_seen_at)
      select ${sha256(deviceIdOf(email))}, id, ${now}, ${now} from made_user`,
    made_event: sql`insert into ${auditEvents} (at, action, user_id) select ${now}, 'user.created', id from made_user`,
  };
  return { user: { email, username, password: testPassword }, rows };
}

/** Answers the id of the person among the rows. */
async function insertAll({ database: { db } }: TestService, rows: Rows): Promise<number> {
  const statements = Object.entries(rows).map(([name, statement]) => db.$with(name, {}).as(statement));
  const [made] = await db
    .with(...statements)
    .select({ id: sql<number>`id` })
    .from(sql`made_user`);
  if (made === undefined) throw new Error('nobody was added');
  return made.id;
}

const sha256 = (text: string): string =>
  Buffer.from(nodeHash.sha256(Buffer.from(text))).toString('base64url');

/** The browser that a test's person has always used: signing in with it is nothing new. */
const deviceIdOf = (email: string): string => sha256(`the browser of ${email}`);

/** The Cookie header by which that browser is known. */
export function deviceCookieOf(service: TestService, { email }: Pick<TestUser, 'email'>): string {
  return `${cookiePrefix(service)}latchkey_device=${deviceIdOf(email)}`;
}

export interface ClientOptions {
  readonly type?: ClientType;
  readonly status?: ReviewStatus;
  readonly scopes?: OwnScopes;
  readonly requiresPkce?: boolean;
  readonly redirectUris?: readonly [string, ...string[]];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly name?: string;
  /** A confidential client's, instead of a random one. */
  readonly secret?: string;
  readonly idTokenAlgorithm?: IdTokenAlgorithm;
}

/** A registered client with an owner of its own, accepted unless said otherwise. */
export async function addClient(service: TestService, options: ClientOptions = {}): Promise<TestClient> {
  const { type = 'confidential', status = 'accepted', scopes = null, name = 'Test app' } = options;
  const { requiresPkce = false, idTokenAlgorithm = 'RS256', postLogoutRedirectUris = [] } = options;
  const redirectUris = options.redirectUris ?? ['https://app.example/callback'];
  const id = randomBytes(16).toString('hex');
  const secret =
    type === 'confidential' ? (options.secret ?? formatClientSecret(randomBytes(32))) : undefined;
  const now = service.clock.now().toISOString();
  const ownerId = await insertAll(service, {
    ...newUser(service, {}).rows,
    made_client: sql`
      insert into ${clients}
        (id, owner_id, name, purpose, type, redirect_uris, post_logout_redirect_uris, scopes, accepted_scopes, requires_pkce, id_token_algorithm, status, created_at, submitted_at)
      select ${id}, id, ${name}, 'Testing', ${type}, ${sql.param(redirectUris, clients.redirectUris)},
        ${sql.param(postLogoutRedirectUris, clients.postLogoutRedirectUris)},
        ${scopes && sql.param(scopes, clients.scopes)}, ${scopes === null ? sql.param(scopeNames, clients.scopes) : null}, ${requiresPkce}, ${idTokenAlgorithm}, ${status}, ${now}, ${now} from made_user`,
    made_submission: sql`
      insert into ${clientEvents} (client_id, kind, actor_id, at) select ${id}, 'submitted', id, ${now} from made_user`,
    made_record: sql`
      insert into ${auditEvents} (at, action, client_id, user_id, label)
      select ${now}, ${auditActionOf('submitted')}, ${id}, id, ${name} from made_user`,
    ...(secret !== undefined && { made_secret: secretOf(id, secret, now) }),
  });
  return { id, type, secret, redirectUri: redirectUris[0], ownerId };
}

function secretOf(clientId: string, secret: string, now: string): SQL {
  return sql`
    insert into ${clientSecrets} (id, client_id, secret_hash, hint, created_at)
    values (${randomUUID()}, ${clientId}, ${sha256(secret)}, ${secret.slice(-4)}, ${now})`;
}

/**
 * A session such as the form begins, in a tenth of its time; answers its Cookie header. An account
 * that the form may treat otherwise than one that is just made goes through it.
 */
export async function startSession(
  service: TestService,
  user: Pick<TestUser, 'email' | 'password'>,
): Promise<string> {
  const { id, idHash } = newId(service.clock);
  const now = service.clock.now();
  const [begunAt, endsAt] = [now, new Date(now.getTime() + 30 * 86_400_000)].map((at) => at.toISOString());
  const begun = await service.database.db.execute(sql`
    insert into ${sessions} (id_hash, user_id, address, created_at, last_seen_at, expires_at)
    select ${idHash}, ${users.id}, '127.0.0.1', ${begunAt}, ${begunAt}, ${endsAt} from ${users}
    where ${users.email} = ${user.email} and ${users.passwordHash} = ${user.password === testPassword ? testPasswordHash : ''}
      and ${users.emailVerifiedAt} is not null and ${users.suspendedAt} is null
      and not exists (select from ${passkeys} where ${passkeys.userId} = ${users.id})
    returning user_id`);
  return Array.isArray(begun) && begun.length > 0
    ? `${cookiePrefix(service)}latchkey_session=${id}`
    : signIn(service, user);
}

const cookiePrefix = ({ appUrl }: TestService): string => (appUrl.startsWith('https:') ? '__Host-' : '');

/** Signs a person in through the form, in their own browser; answers the session's Cookie header. */
export async function signIn(
  service: TestService,
  user: Pick<TestUser, 'email' | 'password'>,
): Promise<string> {
  const { email, password } = user;
  const answer = await postForm(service, '/signin', { email, password }, deviceCookieOf(service, user));
  const cookie = answer.cookies.find(({ name }) => name.endsWith('latchkey_session'));
  if (answer.statusCode !== 303 || cookie === undefined)
    throw new Error(`sign-in answered ${answer.statusCode}`);
  return `${cookie.name}=${cookie.value}`;
}

/** Sends a form as a browser does. */
export async function postForm(
  service: TestService,
  url: string,
  fields: Readonly<Record<string, string>>,
  cookie?: string,
): Promise<LightMyRequestResponse> {
  return service.app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...(cookie === undefined ? {} : { cookie }),
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** The hidden fields of a page's forms, by name. */
export function hiddenFieldsOf(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of html.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)">/g,
  )) {
    fields[name] = value
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  }
  return fields;
}

export const authorizePath = '/auth/oauth2/authorize';

/** Opens the authorization page. */
export async function openAuthorizePage(
  service: TestService,
  parameters: Readonly<Record<string, string>>,
  cookie?: string,
): Promise<LightMyRequestResponse> {
  const url = `${authorizePath}?${new URLSearchParams(parameters).toString()}`;
  return service.app.inject({ method: 'GET', url, headers: cookie === undefined ? {} : { cookie } });
}

/** A verifier and its S256 challenge. */
export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: Buffer.from(nodeHash.sha256(Buffer.from(verifier))).toString('base64url') };
}

export interface AllowOptions {
  readonly pkce?: Pkce;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Lets a signed-in person allow a client through the page, and answers the code. */
export async function obtainCode(
  service: TestService,
  cookie: string,
  client: TestClient,
  { pkce, parameters = {} }: AllowOptions = {},
): Promise<string> {
  const challenge: Record<string, string> = pkce === undefined ? {} : { code_challenge: pkce.challenge };
  const request = { client_id: client.id, redirect_uri: client.redirectUri, ...challenge, ...parameters };
  const page = await openAuthorizePage(service, request, cookie);
  const answer = await postForm(
    service,
    authorizePath,
    { ...hiddenFieldsOf(page.body), action: 'allow' },
    cookie,
  );
  const code = new URL(answer.headers.location ?? 'none:').searchParams.get('code');
  if (code === null)
    throw new Error(`no code: ${page.statusCode} ${answer.statusCode} ${answer.headers.location ?? ''}`);
  return code;
}

/** Posts to the token endpoint, as a form unless `json`. */
export async function requestToken(
  service: TestService,
  fields: Readonly<Record<string, unknown>>,
  { json = false, headers = {} }: { json?: boolean; headers?: Record<string, string> } = {},
): Promise<LightMyRequestResponse> {
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded';
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return service.app.inject({
    method: 'POST',
    url: '/v2/auth/oauth2/token',
    headers: { 'content-type': type, ...headers },
    payload: json ? JSON.stringify(fields) : new URLSearchParams(texts).toString(),
  });
}

/** The client's own fields of a token request. */
export function clientFields(client: TestClient): Record<string, string> {
  return { client_id: client.id, ...(client.secret === undefined ? {} : { client_secret: client.secret }) };
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope?: string;
}

/** The whole way from Allow to tokens, with PKCE for a public client. */
export async function connect(
  service: TestService,
  client: TestClient,
  cookie: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Tokens> {
  const pkce = client.type === 'public' ? createPkce() : undefined;
  const code = await obtainCode(
    service,
    cookie,
    client,
    pkce === undefined ? { parameters } : { pkce, parameters },
  );
  const answer = await requestToken(service, {
    ...clientFields(client),
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    ...(pkce === undefined ? {} : { code_verifier: pkce.verifier }),
  });
  if (answer.statusCode !== 200) throw new Error(`the exchange answered ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

/** Refreshes; answers whatever comes. */
export async function refresh(
  service: TestService,
  client: TestClient,
  refreshToken: string,
): Promise<LightMyRequestResponse> {
  return requestToken(service, {
    ...clientFields(client),
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
}

/** Calls `/v2/me` with an access token. */
export async function callMe(service: TestService, accessToken: string): Promise<LightMyRequestResponse> {
  return service.app.inject({
    method: 'GET',
    url: '/v2/me',
    headers: { authorization: `Bearer ${accessToken}` },
  });
}
