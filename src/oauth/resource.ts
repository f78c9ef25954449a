// The whole file is the public surface of `latchkey/resource`.

import { createRemoteJWKSet, customFetch, errors } from 'jose';
import type { KeyLookup, VerifiedAccessToken } from './core/access-token.ts';
import { type Mac, webCryptoHash, webCryptoMac } from './core/crypto.ts';
import type { Lifetimes } from './core/grant.ts';
import type { TokenStore } from './core/ports.ts';
import { findScopesNow } from './core/presented-token.ts';
import { type GrantedScopes, intersectScopes, type KnownScopes, type Scope, scopesIn } from './core/scope.ts';
import { type Access, readAccess } from './http/access.ts';
import { checkSecrets, isIssuer } from './http/issuer.ts';
import { metadataPath, usualLifetimes } from './http/server.ts';

export type { Access } from './http/access.ts';

/** The issuer's metadata (RFC 8414 §2). */
export type Metadata = Readonly<Record<string, unknown>>;

/** Says what a genuine token gives now; undefined if its grant has ended. */
export type Standing = (
  token: VerifiedAccessToken,
  jwt: string,
  metadata: () => Promise<Metadata>,
) => Promise<GrantedScopes | undefined>;

export interface ResourceServerOptions {
  readonly issuer: string;
  /** This API's own address, one of the issuer's `resources`: the `aud` of its tokens. */
  readonly audience: string;
  /** The issuer's metadata says where its keys are; without metadata, this does. */
  readonly jwksUri?: string;
  /**
   * Asks about each token: {@link inStore} or {@link byIntrospection}. If omitted, nobody is asked,
   * and access that was removed ends with the token, after half an hour at most.
   */
  readonly standing?: Standing;
  /** Tells whether a scope gives another one, too, as the issuer's `implies` does. */
  readonly implies?: (held: Scope, wanted: Scope) => boolean;
  /** Processes that share them know each other's nonces for DPoP; 32 random bytes or more each. */
  readonly secrets?: readonly [string, ...string[]];
  /**
   * Tells whether a proof of possession is new. If omitted, one can come again for two minutes (RFC
   * 9449 §11.1).
   */
  readonly isNewProof?: (id: string) => boolean | Promise<boolean>;
  /**
   * The address of a request, as its client knows it. If omitted, it's the request's path at the
   * audience's host.
   */
  readonly urlOf?: (request: Request) => string;
  readonly fetch?: (address: string, init?: RequestInit) => Promise<Response>;
  readonly now?: () => Date;
  /** The issuer or the store can't be asked. The answer is 503, and doesn't tell this error. */
  readonly onFault: (error: unknown, request: Request) => void;
}

export interface ResourceServer {
  /** Returns who may, or a 401, 403 or 503 to send. Never rejects. */
  access(request: Request, scope: Scope): Promise<Access | Response>;
}

const timeoutMs = 5000;

/**
 * Accepts access tokens of an issuer elsewhere. @throws if an address can't be one, or a secret
 * isn't random
 */
export function resourceServer(options: ResourceServerOptions): ResourceServer {
  const { issuer, audience, standing, implies, onFault, isNewProof } = options;
  const { now = () => new Date(), fetch: ask = (address, init) => fetch(address, init) } = options;
  if (!isIssuer(issuer)) throw new Error('the issuer has to be an https address without query and fragment');
  checkSecrets(options.secrets ?? []);
  checkAddress(issuer, options.jwksUri);
  const { origin } = new URL(audience);
  const urlOf = options.urlOf ?? ((request: Request) => origin + new URL(request.url).pathname);
  const metadata = once(() => readMetadata(issuer, ask));
  const keys = remoteKeys(async () => options.jwksUri ?? textOf(await metadata(), 'jwks_uri'), ask);
  // Some runtimes draw no random bytes before the first request.
  let mac: Mac | undefined;
  const rules = implies ? { implies } : {};
  return {
    access(request, scope) {
      mac ??= webCryptoMac(options.secrets ?? [crypto.randomUUID() + crypto.randomUUID()], audience);
      const checked = { issuer, audience, keys: () => keys, now, hash: webCryptoHash, mac, rules };
      return readAccess(
        {
          ...checked,
          urlOf,
          isNewProof,
          onFault,
          async scopesNow(token, jwt) {
            const given = standing === undefined ? token.scopes : await standing(token, jwt, metadata);
            return given && intersectScopes(token.scopes, given, rules);
          },
        },
        request,
        scope,
      );
    },
  };
}

/** Looks into the issuer's own store. `scopes` are those that it can grant. */
export function inStore(grants: {
  readonly store: { readonly find: TokenStore['find'] };
  readonly scopes: KnownScopes;
  readonly implies?: (held: Scope, wanted: Scope) => boolean;
  readonly lifetimes?: Lifetimes;
  readonly now?: () => Date;
}): Standing {
  const { store, scopes, implies, lifetimes = usualLifetimes, now = () => new Date() } = grants;
  const issuer = { scopes, ...(implies && { implies }) };
  return (token) => findScopesNow({ store, lifetimes, issuer, now }, token);
}

/** Asks the issuer (RFC 7662). The client is the server of this API there. */
export function byIntrospection({
  clientId,
  clientSecret,
  endpoint,
  fetch: ask = (address, init) => fetch(address, init),
}: {
  readonly clientId: string;
  readonly clientSecret: string;
  /** If omitted, the issuer's metadata says. */
  readonly endpoint?: string;
  readonly fetch?: (address: string, init?: RequestInit) => Promise<Response>;
}): Standing {
  const credentials = { client_id: clientId, client_secret: clientSecret };
  return async ({ scopes }, jwt, metadata) => {
    const address = endpoint ?? textOf(await metadata(), 'introspection_endpoint');
    const body = new URLSearchParams({ ...credentials, token: jwt });
    const answer = await ask(address, { method: 'POST', body, ...asked() });
    if (!answer.ok) throw new Error(`the introspection answered ${answer.status}`);
    const { active, scope } = membersOf(await answer.json());
    if (active !== true) return undefined;
    return typeof scope === 'string' ? scopesIn(scope) : scopes;
  };
}

/** Nothing is sent on to where an answer points. */
const asked = (): RequestInit => ({ redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });

/** A failure isn't remembered. In Cloudflare's Workers, a request can't wait for what another one does. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let held: { readonly value: Value } | undefined;
  let waiting: Promise<Value> | undefined;
  const isShared = globalThis.navigator?.userAgent !== 'Cloudflare-Workers';
  return async () => {
    if (held !== undefined) return held.value;
    const reading = waiting ?? read();
    if (isShared) waiting = reading;
    try {
      held = { value: await reading };
      return held.value;
    } finally {
      waiting = undefined;
    }
  };
}

/** The metadata is where RFC 8414 §3.1 puts it, and has to be of this issuer (§3.3). */
async function readMetadata(issuer: string, ask: NonNullable<ResourceServerOptions['fetch']>) {
  const { origin, pathname } = new URL(issuer);
  const answer = await ask(`${origin}${metadataPath}${pathname.replace(/\/$/, '')}`, asked());
  if (!answer.ok) throw new Error(`the metadata of the issuer answered ${answer.status}`);
  const metadata = membersOf(await answer.json());
  if (metadata['issuer'] !== issuer) throw new Error('the metadata is another issuer’s'); // protects: C426
  for (const name of ['jwks_uri', 'introspection_endpoint']) checkAddress(issuer, metadata[name]);
  return metadata;
}

/** Nobody on the way changes keys there, or reads the client's secret. */
function checkAddress(issuer: string, address: unknown): void {
  if (typeof address !== 'string' || address.startsWith('https://')) return;
  const isOfIssuer = URL.canParse(address) && new URL(address).origin === new URL(issuer).origin;
  if (!isOfIssuer) throw new Error('the issuer has to have an https address for what it is asked'); // protects: C426
}

function membersOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null) throw new Error('the issuer answered no JSON object');
  return { ...body };
}

function textOf(metadata: Metadata, name: string): string {
  const value = metadata[name];
  if (typeof value !== 'string') throw new Error(`the metadata of the issuer has no ${name}`);
  return value;
}

/** An issuer that can't be reached makes no token invalid. */
function remoteKeys(
  findAddress: () => Promise<string>,
  ask: NonNullable<ResourceServerOptions['fetch']>,
): KeyLookup {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  return async (header, token) => {
    try {
      if (keys === undefined) {
        const address = new URL(await findAddress());
        keys ??= createRemoteJWKSet(address, { timeoutDuration: timeoutMs, [customFetch]: ask });
      }
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      throw new Error('the keys of the issuer can’t be read', { cause: error });
    }
  };
}
