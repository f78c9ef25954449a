import type { JSONWebKeySet, JWK } from 'jose';
import { type RsaSigner, webCryptoRsaSigner, webCryptoSigner } from '../core/access-token.ts';
import { fromBase64url, utf8 } from '../core/bytes.ts';
import { secretMinBytes, webCryptoMac } from '../core/crypto.ts';
import type { TokenIssuer } from '../core/ports.ts';
import type { Scope } from '../core/scope.ts';

export interface IssuerOptions {
  /** The issuer is the `iss` of access tokens: an `https` address. */
  readonly issuer: string;
  /** Access tokens may have these `aud`; the first is the default. If omitted, it's the issuer. */
  readonly resources?: TokenIssuer['resources'];
  readonly scopes: TokenIssuer['scopes'];
  /** Tells whether a scope gives another one, too, as one to write may give the one to read. */
  readonly implies?: (held: Scope, wanted: Scope) => boolean;
  /** Tells what full access (`'all'`) gives. If omitted, it's all but the scopes of OpenID Connect. */
  readonly isOfAll?: (scope: Scope) => boolean;
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
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (/[?#]/.test(text) || url.username !== '' || url.password !== '') return false;
  const isOwn = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return isOwn || url.protocol === 'https:';
}

/** Thirty-two of one letter are long, and no secret. */
const secretMinCharacters = 8;

/** @throws if one is short, or no more random than `password` */
export function checkSecrets(secrets: readonly string[]): void {
  const isLong = (secret: unknown) => typeof secret === 'string' && utf8(secret).length >= secretMinBytes;
  if (!secrets.every(isLong))
    throw new Error(`each secret has to be a string of ${secretMinBytes} bytes or more`);
  if (secrets.some((secret) => new Set(secret).size < secretMinCharacters))
    throw new Error('each secret has to be random, as `openssl rand -base64 33` makes it');
}

/**
 * Opens an issuer on Web Crypto alone. @throws if the issuer is no https address without query and
 * fragment, a secret is shorter than 32 bytes or has too few different characters, a scope has a
 * blank (RFC 6749 §3.3), or a key isn't as its option says
 */
export async function openIssuer({
  issuer,
  resources = [issuer],
  scopes,
  implies,
  isOfAll,
  secrets,
  keys,
  idTokenKeys = [],
}: IssuerOptions): Promise<{ readonly issuer: TokenIssuer; jwks(): JSONWebKeySet }> {
  if (!isIssuer(issuer)) throw new Error('the issuer has to be an https address without query and fragment');
  checkSecrets(secrets);
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
  const mac = webCryptoMac(secrets, issuer);
  const jwks = { keys: published };
  return {
    issuer: {
      issuer,
      resources,
      scopes,
      mac,
      randomBytes,
      signer: () => signer,
      ...(implies && { implies }),
      ...(isOfAll && { isOfAll }),
      ...(idTokenSigner === undefined ? {} : { idTokenSigner: () => idTokenSigner }),
    },
    jwks: () => jwks,
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
