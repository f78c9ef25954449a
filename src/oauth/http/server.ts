import type { JSONWebKeySet } from 'jose';
import { type Ok, type Result, refuse } from '../../result.ts';
import { type KeyLookup, keysOfJwks } from '../core/access-token.ts';
import { type Hash, webCryptoHash } from '../core/crypto.ts';
import { issueDpopNonce } from '../core/dpop.ts';
import type { Grant, Lifetimes } from '../core/grant.ts';
import type {
  CodeExchange,
  GrantLimit,
  Identities,
  Refresh,
  Shortcut,
  TokenIssuer,
  TokenStore,
} from '../core/ports.ts';
import { answerIntrospection, answerRevocation } from '../core/presented-token.ts';
import type { TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import { answerTokenRequest, type IssuedTokens, tokenResponse } from '../core/token-request.ts';
import { answerHeaders, answerRefusal, type EndpointAnswer } from './answer.ts';
import type { Fields } from './body.ts';
import { describeServer, jwksCacheSeconds } from './metadata.ts';
import { type Presented, type PresentedBasic, readPresented } from './presented.ts';
import { type Read, readPresentedToken, readTokenFields } from './request.ts';

/** What is read of a request, by any server. `context` is the host's own, such as the request. */
export interface EndpointCall<Context = unknown> {
  readonly context: Context;
  readonly basic: PresentedBasic;
  readonly dpopProof: string | undefined;
  /** Undefined if there is no body. */
  readonly fields?: Result<Fields, TokenRefusalReason> | undefined;
}

/** What a host may say of its endpoints. */
export interface EndpointOptions<Context = unknown> {
  readonly lifetimes?: Lifetimes;
  /** A faster one than Web Crypto's. */
  readonly hash?: Hash;
  now?(): Date;
  /** Without it, no ID token is issued. */
  readonly identities?: Identities | undefined;
  /** Only wrong secrets of a client count, so nobody can lock it out. */
  readonly failures?: { allows(clientId: string): boolean };
  readonly grantLimit?: GrantLimit;
  readonly introspectionLimit?: { allows(clientId: string, grantId: string): boolean };
  readonly shortcut?: Shortcut;
  /** A client has authenticated with this secret. */
  noteSecretUse?(secretId: string): void;
  /** A rotation was made good that the database had lost (ADR 13). */
  noteAhead?(grant: Grant): void;
  /** Clients know the endpoints below this address. The issuer is the default. */
  readonly url?: string | undefined;
  readonly jwksUri?: string;
  /** The metadata has these members, too (RFC 8414 §2). */
  readonly metadata?: object;
  /** A client that isn't served counts as unknown. */
  serves?(clientId: string): boolean;
  /** They refuse by a schema first. */
  readonly readers?: { readonly token: Read<CodeExchange | Refresh>; readonly presented: Read<string> };
  /** The `error` of a grant_type that isn't supported, if it's not that of RFC 6749 §5.2. */
  readonly unsupportedGrantType?: string;
  /** A page explains the error (RFC 6749 §5.2). */
  errorUri?(reason: TokenRefusalReason): string;
  onTokens?(tokens: IssuedTokens, call: EndpointCall<Context>): void;
  /** `detail` and `cause` tell more than the answer does; they have no secret. */
  onRefusal?(refusal: TokenRefusal, call: EndpointCall<Context>): void;
  /** The store, or another of your functions, has thrown this error. The answer doesn't tell it. */
  onFault(error: unknown, call: EndpointCall<Context>): void;
  /** If the store can't be reached for now, the answer is 503 instead of 500. */
  isAway?(error: unknown): boolean;
}

export interface ServerOptions<Context = unknown> extends EndpointOptions<Context> {
  readonly issuer: TokenIssuer;
  /** A function is asked for each request. */
  readonly store: TokenStore | ((context: Context) => TokenStore);
  /**
   * Returns the signer's public keys: the current one, and those of tokens that are still valid.
   */
  jwks(): JSONWebKeySet | Promise<JSONWebKeySet>;
  /** Finds the keys of access tokens, where {@link jwks} would cost more. */
  keys?(): KeyLookup;
  /** The metadata names this consent page. */
  readonly authorizationEndpoint?: string;
}

/** Never rejects. */
export type Endpoint<Context> = (call: EndpointCall<Context>) => Promise<EndpointAnswer>;

export interface Server<Context = unknown> {
  /** The token endpoint, revocation and introspection, by the last segment of their addresses. */
  readonly endpoints: Readonly<Record<'token' | 'revoke' | 'introspect', Endpoint<Context>>>;
  metadata(): EndpointAnswer;
  jwks(call: EndpointCall<Context>): Promise<EndpointAnswer>;
  /** The path of the endpoints' address. */
  readonly path: string;
  /** RFC 8414 §3.1 puts an issuer's path behind `/.well-known/…`, wherever the endpoints are. */
  readonly discoveryPath: string;
  refuseMethod(allowed: string, call: EndpointCall<Context>): EndpointAnswer;
  refuseFault(error: unknown, call: EndpointCall<Context>): EndpointAnswer;
}

const ownReaders = { token: readTokenFields, presented: readPresentedToken } as const;
const day = 24 * 3600;
const refreshing = { refreshIdleSeconds: 30 * day, refreshMaxSeconds: 365 * day };
export const usualLifetimes: Lifetimes = { codeSeconds: 60, ...refreshing };
export const metadataPath = '/.well-known/oauth-authorization-server';
const pathOf = (address: string): string => new URL(address).pathname.replace(/\/$/, '');

/** Opens the OAuth endpoints over a store, for any server (contract §4, §7). */
export function openServer<Context>(options: ServerOptions<Context>): Server<Context> {
  const { store, issuer, url = issuer.issuer, errorUri, serves = () => true, readers = ownReaders } = options;
  const address = url.replace(/\/$/, '');
  const { jwksUri = `${address}/jwks.json`, authorizationEndpoint } = options;
  const described = {
    ...describeServer(issuer, address, { jwksUri, authorizationEndpoint }),
    ...options.metadata,
  };
  let held: readonly [JSONWebKeySet, KeyLookup] | undefined;
  const endpoint = {
    lifetimes: usualLifetimes,
    hash: webCryptoHash,
    now: () => new Date(),
    ...options,
    url: `${address}/token`,
    keys: options.keys ?? (() => lookUp),
  };
  const lookUp: KeyLookup = async (header, token) => {
    const keys = await options.jwks();
    held = held?.[0] === keys ? held : [keys, keysOfJwks(keys)];
    return held[1](header, token);
  };
  type About = typeof endpoint & { readonly store: TokenStore };
  const aboutOf = ({ context }: EndpointCall<Context>): About =>
    Object.assign(Object.create(endpoint), { store: typeof store === 'function' ? store(context) : store });

  const refuseCall = (refusal: TokenRefusal, call: EndpointCall<Context>): EndpointAnswer => {
    options.onRefusal?.(refusal, call);
    const usesBasic = call.basic !== undefined;
    const refused = answerRefusal(refusal, { usesBasic, errorUri: errorUri?.(refusal.reason) });
    if (refusal.reason !== 'grant_type_unsupported' || !namesGrantType(call)) return refused;
    const { unsupportedGrantType: error = 'unsupported_grant_type' } = options;
    return { ...refused, body: { ...refused.body, error } };
  };
  const refuseFault = (error: unknown, call: EndpointCall<Context>): EndpointAnswer => {
    options.onFault(error, call);
    return refuseCall(refuse(options.isAway?.(error) === true ? 'try_again' : 'internal_error'), call);
  };
  /** A client that sends a proof gets the nonce for the next one (RFC 9449 §8). */
  const offer = async (answer: EndpointAnswer): Promise<EndpointAnswer> => {
    const nonce = await issueDpopNonce(issuer.mac, endpoint.now());
    return { ...answer, headers: { ...answer.headers, 'dpop-nonce': nonce } };
  };
  const answering =
    <Known, Value extends object>(
      read: Read<Known>,
      decide: (
        about: About,
        presented: Presented<Known>,
        dpopProof: string | undefined,
      ) => Promise<Ok<Value> | TokenRefusal>,
      tell: (value: Value, call: EndpointCall<Context>) => object = (value) => value,
    ): Endpoint<Context> =>
    async (call) => {
      try {
        const presented = readPresented(read, call.fields, call.basic, serves);
        const outcome = presented.ok
          ? await decide(aboutOf(call), presented.value, call.dpopProof)
          : presented;
        const answer = outcome.ok
          ? { status: 200, headers: answerHeaders, body: tell(outcome.value, call) }
          : refuseCall(outcome, call);
        return call.dpopProof === undefined ? answer : await offer(answer);
      } catch (error) {
        return refuseFault(error, call);
      }
    };
  return {
    path: pathOf(address),
    discoveryPath: `${metadataPath}${pathOf(issuer.issuer)}`,
    endpoints: {
      token: answering(
        readers.token,
        (about, { client, fields }, dpopProof) => answerTokenRequest(about, { ...fields, client, dpopProof }),
        (tokens, call) => {
          options.onTokens?.(tokens, call);
          return tokenResponse(tokens);
        },
      ),
      revoke: answering(readers.presented, (about, { client, fields: token }) =>
        answerRevocation(about, client, token),
      ),
      introspect: answering(readers.presented, (about, { client, fields: token }) =>
        answerIntrospection(about, client, token),
      ),
    },
    metadata: () => document(described, answerHeaders['content-type']),
    jwks: async (call) => {
      try {
        return document(await options.jwks(), 'application/jwk-set+json');
      } catch (error) {
        return refuseFault(error, call);
      }
    },
    refuseMethod(allow, call) {
      const { headers, ...refused } = refuseCall(refuse('method_not_allowed'), call);
      return { ...refused, headers: { ...headers, allow } };
    },
    refuseFault,
  };
}

/** One that is missing is `invalid_request` (RFC 6749 §5.2). */
const namesGrantType = ({ fields }: EndpointCall): boolean =>
  fields?.ok === true && fields.value['grant_type'] !== undefined;

function document(body: object, contentType: string): EndpointAnswer {
  const cached = { 'cache-control': `public, max-age=${jwksCacheSeconds}`, 'content-type': contentType };
  return { status: 200, headers: cached, body };
}
