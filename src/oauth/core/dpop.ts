import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from 'jose';
import { type Ok, ok, type Refusal, refuse } from '../../result.ts';
import { concat, fromBase64url, toBase64url, uint32, utf8 } from './bytes.ts';
import type { Hash, Mac } from './crypto.ts';

/**
 * Keys of these algorithms have one size each; RSA keys would need bounds of their own (ADR 14).
 */
export const dpopAlgorithms: readonly string[] = ['ES256', 'Ed25519', 'EdDSA'];

const maxProofLength = 4096;
const maxIdLength = 256;
/** The client's clock may be wrong: what makes a proof fresh is its nonce. */
const maxClockDifferenceSeconds = 300;
/** A nonce is valid in its own window and in the next. */
export const nonceWindowSeconds = 60;

export type DpopFault =
  | 'unreadable'
  | 'typ'
  | 'alg'
  | 'jwk'
  | 'jti'
  | 'htm'
  | 'htu'
  | 'iat'
  | 'ath'
  | 'signature'
  | 'key'
  /**
   * Only the API refuses this: at the token endpoint, the grant itself moves only once (ADR 14).
   */
  | 'used';

export interface DpopCause {
  readonly kind: 'dpop_proof_invalid';
  readonly fault: DpopFault;
}

export interface DpopRefusal extends Refusal<'invalid_dpop_proof' | 'use_dpop_nonce'> {
  readonly cause?: DpopCause;
}

export interface DpopProof {
  /** The thumbprint of the proof's key is RFC 7638's. */
  readonly jkt: string;
  readonly id: string;
  readonly window: number;
}

export interface ProvenRequest {
  readonly method: string;
  /** Clients know this URI, behind whatever proxy. Query and fragment don't count. */
  readonly uri: string;
  readonly accessToken?: string;
}

type Part = Readonly<Record<string, unknown>>;

/** All guards come, in this order, before anything costs a signature (RFC 9449 §4.3). */
const guards: readonly (readonly [
  DpopFault,
  (parts: { readonly header: Part; readonly claims: Part }, request: ProvenRequest, now: Date) => boolean,
])[] = [
  ['typ', ({ header }) => header['typ'] === 'dpop+jwt'],
  ['alg', ({ header }) => dpopAlgorithms.includes(String(header['alg']))],
  ['jwk', ({ header }) => isPublicJwk(header['jwk'])],
  ['jti', ({ claims: { jti } }) => typeof jti === 'string' && jti !== '' && jti.length <= maxIdLength],
  ['htm', ({ claims }, { method }) => claims['htm'] === method], // protects: C96
  ['htu', ({ claims }, { uri }) => isSameUri(claims['htu'], uri)],
  ['iat', ({ claims: { iat } }, _request, now) => typeof iat === 'number' && isAround(iat, now)],
];

/** RFC 9449 §4.3. The nonce precedes the signature: who fetched none can't make us verify. */
export async function verifyDpopProof(
  proof: string,
  request: ProvenRequest,
  { mac, hash }: { readonly mac: Mac; readonly hash: Hash },
  now: Date,
): Promise<Ok<DpopProof> | DpopRefusal> {
  const parts = proof.length > maxProofLength ? undefined : readParts(proof);
  if (parts === undefined) return refuseProof('unreadable');
  const [fault] = guards.find(([, isRight]) => !isRight(parts, request, now)) ?? [];
  if (fault !== undefined) return refuseProof(fault);
  const { header, claims } = parts;
  const window = await windowOfNonce(claims['nonce'], mac, now);
  if (window === undefined) return refuse('use_dpop_nonce');
  const { accessToken } = request;
  // protects: C96
  if (accessToken !== undefined && claims['ath'] !== toBase64url(await hash.sha256(utf8(accessToken))))
    return refuseProof('ath');
  const jkt = await thumbprintOfSigner(proof, header['jwk'], now);
  return jkt === undefined ? refuseProof('signature') : ok({ jkt, id: String(claims['jti']), window });
}

export function refuseProof(fault: DpopFault): DpopRefusal {
  return { ...refuse('invalid_dpop_proof', fault), cause: { kind: 'dpop_proof_invalid', fault } };
}

function readParts(proof: string): { readonly header: Part; readonly claims: Part } | undefined {
  try {
    return { header: { ...decodeProtectedHeader(proof) }, claims: decodeJwt(proof) };
  } catch {
    return undefined;
  }
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

function isPublicJwk(jwk: unknown): jwk is Part {
  return typeof jwk === 'object' && jwk !== null && !privateMembers.some((name) => Object.hasOwn(jwk, name));
}

/** Compares normalized URIs (RFC 3986 §6.2.2, §6.2.3), as RFC 9449 §4.3 recommends. */
function isSameUri(htu: unknown, uri: string): boolean {
  const withoutQuery = (text: string) => new URL(text).href.split(/[?#]/, 1)[0];
  return (
    typeof htu === 'string' &&
    [htu, uri].every((text) => URL.canParse(text)) &&
    withoutQuery(htu) === withoutQuery(uri)
  );
}

function isAround(iat: number, now: Date): boolean {
  return Math.abs(now.getTime() / 1000 - iat) <= maxClockDifferenceSeconds;
}

async function thumbprintOfSigner(proof: string, jwk: unknown, now: Date): Promise<string | undefined> {
  try {
    await jwtVerify(proof, EmbeddedJWK, { algorithms: [...dpopAlgorithms], currentDate: now });
    return isPublicJwk(jwk) ? await calculateJwkThumbprint(jwk) : undefined;
  } catch {
    // Web Crypto throws its own exception for a key that is none, such as a point beside its curve.
    return undefined;
  }
}

const windowBytes = 4;
const macBytes = 32;

/**
 * A nonce is the window and its MAC, so nothing is stored and every instance knows it (RFC 9449
 * §8).
 */
export async function issueDpopNonce(mac: Mac, now: Date): Promise<string> {
  const window = uint32(windowAt(now));
  return toBase64url(concat(window, await mac.mac('dpop-nonce', window)));
}

async function windowOfNonce(nonce: unknown, mac: Mac, now: Date): Promise<number | undefined> {
  const bytes = typeof nonce === 'string' ? fromBase64url(nonce) : undefined;
  if (bytes?.length !== windowBytes + macBytes) return undefined;
  const head = bytes.subarray(0, windowBytes);
  const window = new DataView(head.buffer, head.byteOffset).getUint32(0);
  const age = windowAt(now) - window;
  if (age !== 0 && age !== 1) return undefined; // protects: C97
  return (await mac.isMac('dpop-nonce', head, bytes.subarray(windowBytes))) ? window : undefined;
}

export function windowAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / nonceWindowSeconds);
}
