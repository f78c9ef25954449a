import type { JSONWebKeySet, JWK } from 'jose';
import { type Result, refuse } from '../../result.ts';
import { keysOfJwks, type RsaSigner, webCryptoRsaSigner, webCryptoSigner } from '../core/access-token.ts';
import { fromBase64url, utf8 } from '../core/bytes.ts';
import { secretMinBytes, webCryptoHash, webCryptoMac } from '../core/crypto.ts';
import { issueDpopNonce } from '../core/dpop.ts';
import { jwksCacheSeconds } from '../core/key-rotation.ts';
import type { TokenEndpoint, TokenIssuer } from '../core/ports.ts';
import type { TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import { answerRevocation } from '../core/revocation.ts';
import { answerTokenRequest, tokenResponse } from '../core/token-request.ts';
import { answerRefusal, type EndpointAnswer } from './answer.ts';
import type { Fields } from './body.ts';
import type { PresentedBasic } from './client.ts';
import { describeServer } from './metadata.ts';
import { claimedClientOf, readPresented } from './presented.ts';
import { readPresentedToken, readTokenFields, tokenRequestOf } from './request.ts';

type Defaulted = 'lifetimes' | 'hash' | 'now';

export interface TokenServiceOptions
  extends Omit<TokenEndpoint, Defaulted | 'url'>,
    Partial<Pick<TokenEndpoint, Defaulted>> {
  /**
   * Returns the signer's public keys: the current one, and those of tokens that are still valid.
   */
  jwks(): JSONWebKeySet;
  /** Clients know the service at this address. The issuer is the default. */
  readonly url?: string | undefined;
  /** The metadata names this consent page. */
  readonly authorizationEndpoint?: string;
  /** A page explains the error (RFC 6749 §5.2). */
  errorUri?(reason: TokenRefusalReason): string;
  /** `detail` and `cause` tell more than the answer does; they have no secret. */
  onRefusal?(refusal: TokenRefusal, clientId: string | undefined): void;
  /** The store, or another of your functions, has thrown this error. The answer doesn't tell it. */
  onFault(error: unknown): void;
  /** If the store can't be reached for now, the answer is 503 instead of 500. */
  isAway?(error: unknown): boolean;
}

export interface ServiceCall {
  readonly basic: PresentedBasic;
  readonly fields?: Result<Fields, TokenRefusalReason> | undefined;
  readonly dpopProof: string | undefined;
}

export type Endpoint = (call: ServiceCall) => Promise<EndpointAnswer>;

export interface TokenService {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly documents: ReadonlyMap<string, () => EndpointAnswer>;
  readonly path: string;
  /** RFC 8414 §3.1 puts an issuer's path behind `/.well-known/…`, wherever the endpoints are. */
  readonly discoveryPath: string;
  refuse(refusal: TokenRefusal, call?: Pick<ServiceCall, 'basic' | 'fields'>): EndpointAnswer;
  refuseMethod(allowed: string): EndpointAnswer;
  refuseFault(error: unknown): EndpointAnswer;
  /** A client that sends a proof gets the nonce for the next one (RFC 9449 §8). */
  offerNonce(dpopProof: string | undefined): Promise<Readonly<Record<string, string>>>;
}

const day = 24 * 3600;
export const metadataPath = '/.well-known/oauth-authorization-server';
const pathOf = (address: string): string => new URL(address).pathname.replace(/\/$/, '');

/** Opens the OAuth endpoints over a store, for any server. */
export function openTokenService(options: TokenServiceOptions): TokenService {
  const { store, issuer, jwks, url = issuer.issuer, authorizationEndpoint, errorUri } = options;
  const address = url.replace(/\/$/, '');
  const addresses = {
    issuer: issuer.issuer,
    authorization: authorizationEndpoint,
    token: `${address}/token`,
    revocation: `${address}/revoke`,
    jwks: `${address}/jwks.json`,
  };
  const endpoint = {
    lifetimes: { codeSeconds: 60, refreshIdleSeconds: 30 * day, refreshMaxSeconds: 365 * day },
    hash: webCryptoHash,
    now: () => new Date(),
    ...options,
    url: addresses.token,
  };
  const revocation = {
    ...endpoint,
    keys: () => keysOfJwks(jwks()),
    async end(grantId: string, clientId: string): Promise<void> {
      const { grant } = await store.find(clientId, grantId);
      if (grant?.clientId === clientId) await store.revoke(grant, 'client', endpoint.now()); // protects: C10
    },
  };
  const refuseCall: TokenService['refuse'] = (refusal, call) => {
    options.onRefusal?.(refusal, claimedClientOf(call));
    const usesBasic = call?.basic !== undefined;
    const refused = answerRefusal(refusal, { usesBasic, errorUri: errorUri?.(refusal.reason) });
    return namesGrantType(call?.fields) && refusal.reason === 'grant_type_unsupported'
      ? { ...refused, body: { ...refused.body, error: 'unsupported_grant_type' } }
      : refused;
  };
  const endpoints: Readonly<Record<string, Endpoint>> = {
    '/token': async (call) => {
      const read = readPresented(readTokenFields, call.fields, call.basic);
      if (!read.ok) return refuseCall(read, call);
      const request = tokenRequestOf(read.value.client, read.value.fields, call.dpopProof);
      const outcome = await answerTokenRequest(endpoint, request);
      return outcome.ok ? answer(tokenResponse(outcome.value)) : refuseCall(outcome, call);
    },
    '/revoke': async (call) => {
      const read = readPresented(readPresentedToken, call.fields, call.basic);
      if (!read.ok) return refuseCall(read, call);
      const { client, fields } = read.value;
      const outcome = await answerRevocation(revocation, client, fields.token);
      return outcome.ok ? answer({}) : refuseCall(outcome, call);
    },
  };
  const documents = {
    [metadataPath]: () => document(describeServer(addresses, issuer.scopes), 'application/json'),
    '/jwks.json': () => document(jwks(), 'application/jwk-set+json'),
  };
  return {
    path: pathOf(address),
    discoveryPath: `${metadataPath}${pathOf(issuer.issuer)}`,
    endpoints: new Map(Object.entries(endpoints)),
    documents: new Map(Object.entries(documents)),
    refuse: refuseCall,
    refuseMethod(allow) {
      const { headers, ...refused } = refuseCall(refuse('method_not_allowed'));
      return { ...refused, headers: { ...headers, allow } };
    },
    refuseFault(error) {
      options.onFault(error);
      return refuseCall(refuse(options.isAway?.(error) === true ? 'try_again' : 'internal_error'));
    },
    async offerNonce(dpopProof): Promise<Readonly<Record<string, string>>> {
      if (dpopProof === undefined) return {};
      return { 'dpop-nonce': await issueDpopNonce(issuer.mac, endpoint.now()) };
    },
  };
}

/** One that is missing is `invalid_request` (RFC 6749 §5.2). */
const namesGrantType = (fields: ServiceCall['fields']): boolean =>
  fields?.ok === true && fields.value['grant_type'] !== undefined;

function answer(body: object): EndpointAnswer {
  return { status: 200, headers: {}, body };
}

function document(body: object, contentType: string): EndpointAnswer {
  const cached = { 'cache-control': `public, max-age=${jwksCacheSeconds}`, 'content-type': contentType };
  return { status: 200, headers: cached, body };
}

export interface IssuerOptions {
  /** The issuer is the `iss` of access tokens: an `https` address. */
  readonly issuer: string;
  /** Access tokens may have these `aud`; the first is the default. If omitted, it's the issuer. */
  readonly resources?: TokenIssuer['resources'];
  readonly scopes: TokenIssuer['scopes'];
  /**
   * Every secret has at least 32 bytes. The first signs codes and refresh tokens, all verify them.
   */
  readonly secrets: readonly [string, ...string[]];
  /**
   * Keys are private P-256 JWKs with a `kid`. The first signs; the public halves of all are
   * published.
   */
  readonly keys: readonly [JWK, ...JWK[]];
  /**
   * Private RSA JWKs of 2,048 bits or more, with a `kid`, for the ID tokens of clients with RS256.
   * The first signs; the public halves of all are published.
   */
  readonly idTokenKeys?: readonly JWK[];
}

/** RFC 8414 §2; programs under development may have their own machine's address. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') return false;
  const isOwn = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return isOwn || url.protocol === 'https:';
}

/** Thirty-two of one letter are long, and no secret. */
const secretMinCharacters = 8;

/**
 * Opens an issuer on Web Crypto alone. @throws if the issuer is no https address without query and fragment, a
 * secret is shorter than 32 bytes or has too few different characters, a scope has a blank (RFC 6749 §3.3), or a
 * key isn't as its option says
 */
export async function openIssuer({
  issuer,
  resources = [issuer],
  scopes,
  secrets,
  keys,
  idTokenKeys = [],
}: IssuerOptions): Promise<{ readonly issuer: TokenIssuer; jwks(): JSONWebKeySet }> {
  if (!isIssuer(issuer)) throw new Error('the issuer has to be an https address without query and fragment');
  const isLong = (secret: unknown) => typeof secret === 'string' && utf8(secret).length >= secretMinBytes;
  if (!secrets.every(isLong))
    throw new Error(`each secret has to be a string of ${secretMinBytes} bytes or more`);
  if (secrets.some((secret) => new Set(secret).size < secretMinCharacters))
    throw new Error('each secret has to be random, as `openssl rand -base64 33` makes it');
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)))
    throw new Error(
      'a scope can’t be empty, and has no blanks, quotes, backslashes or other than ASCII characters',
    );
  const published = [...keys.map(publicHalfOf), ...idTokenKeys.map(publicRsaHalfOf)];
  if (new Set(published.map(({ kid }) => kid)).size < published.length)
    throw new Error('each key has to have a kid of its own');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const privateKey = await crypto.subtle.importKey('jwk', keys[0], algorithm, false, ['sign']);
  const signer = webCryptoSigner(publicHalfOf(keys[0]).kid, privateKey);
  const idTokenSigner = await rsaSignerOf(idTokenKeys[0]);
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const mac = webCryptoMac(secrets);
  return {
    issuer: {
      ...{ issuer, resources, scopes, mac, randomBytes, signer: () => signer },
      ...(idTokenSigner === undefined ? {} : { idTokenSigner: () => idTokenSigner }),
    },
    jwks: () => ({ keys: published }),
  };
}

function publicHalfOf({ kty, crv, x, y, kid }: JWK) {
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined || kid === undefined)
    throw new Error('a signing key has to be a P-256 JWK with a kid');
  return { kty, crv, x, y, kid, alg: 'ES256' };
}

const rsaMinBytes = 256;
const isLongEnough = (modulus: string): boolean => (fromBase64url(modulus)?.length ?? 0) >= rsaMinBytes;

function publicRsaHalfOf({ kty, n, e, kid }: JWK) {
  if (kty !== 'RSA' || n === undefined || e === undefined || kid === undefined || !isLongEnough(n))
    throw new Error('a key for ID tokens has to be an RSA JWK of 2,048 bits or more with a kid');
  return { kty, n, e, kid, alg: 'RS256' };
}

async function rsaSignerOf(key: JWK | undefined): Promise<RsaSigner | undefined> {
  if (key === undefined) return undefined;
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const privateKey = await crypto.subtle.importKey('jwk', key, algorithm, false, ['sign']);
  return webCryptoRsaSigner(publicRsaHalfOf(key).kid, privateKey);
}
