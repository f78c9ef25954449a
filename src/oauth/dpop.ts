import { hash } from 'node:crypto';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { isFirst } from '../platform/limits/store.ts';
import type { Platform } from '../platform/platform.ts';
import { nodeHash } from '../platform/runtime.ts';
import { type Ok, ok, type Refusal, refuse } from '../result.ts';
import type { AccessToken } from './core/access-token.ts';
import type { Mac } from './core/crypto.ts';
import {
  type DpopFault,
  type DpopProof,
  type DpopRefusal,
  issueDpopNonce,
  nonceWindowSeconds,
  refuseProof,
  verifyDpopProof,
  windowAt,
} from './core/dpop.ts';
import { readDpopProof } from './http/fastify.ts';

export const dpopFaults = {
  unreadable: 'the `DPoP` header has to be one signed JWT with at most 4,096 characters',
  typ: '`typ` in its header has to be `dpop+jwt`',
  alg: '`alg` has to be `ES256`, `Ed25519` or `EdDSA`',
  jwk: '`jwk` in its header has to be the public key, without any private member',
  jti: '`jti` has to be a text of at most 256 characters, and another one in each proof',
  htm: '`htm` has to be the method of this request, in capital letters',
  htu: '`htu` has to be the address of this request, as our metadata and documentation have it, without query and fragment',
  iat: '`iat` is more than 5 minutes away from our clock. Set the clock of the device, and give seconds',
  ath: '`ath` has to be the SHA-256 of this access token, in base64url',
  signature: 'the signature is not by the key in `jwk`',
  key: 'its key is not the one that the access token is bound to',
  used: 'it was used before. Make one for each request',
} as const satisfies Record<DpopFault, string>;

/** The API's limits let through fewer than this in one nonce window (contract §5). */
const maxProofsOfUser = 4000;
/** All users' proofs take about 10 MB in a window. */
const maxProofs = 100_000;

/** Proofs are counted by user, so that nobody's many grants use up what all share. */
interface UsedProofs {
  readonly window: number;
  readonly ofUsers: Map<number, Set<string>>;
  count: number;
}

/**
 * Accepts a proof once in this process (RFC 9449 §11.1). Only verified proofs for verified tokens
 * get here, each is kept for two minutes at most, and a full memory takes no more.
 */
export function createProofMemory() {
  let windows: readonly UsedProofs[] = [];
  return (userId: number, proofId: string, window: number, now: Date): 'new' | 'used' | 'full' => {
    windows = windows.filter((one) => one.window >= windowAt(now) - 1);
    let used = windows.find((one) => one.window === window);
    if (used === undefined) {
      used = { window, ofUsers: new Map(), count: 0 };
      windows = [...windows, used];
    }
    const ofUser = used.ofUsers.get(userId) ?? new Set();
    if (ofUser.has(proofId)) return 'used'; // protects: C97
    if (ofUser.size >= maxProofsOfUser || used.count >= maxProofs) return 'full'; // protects: C97
    used.ofUsers.set(userId, ofUser.add(proofId));
    used.count += 1;
    return 'new';
  };
}

/** A proof works once here, and once in all where something may change (RFC 9449 §7.1). */
export function createProofCheck({
  config,
  db,
  runtime,
  secrets,
}: Pick<Platform, 'config' | 'db' | 'runtime' | 'secrets'>) {
  const remember = createProofMemory();
  return async (
    request: FastifyRequest,
    accessToken: string,
    { grantId, userId, jkt }: Pick<AccessToken, 'grantId' | 'jkt'> & { readonly userId: number },
  ): Promise<Ok<DpopProof> | DpopRefusal | Refusal<'too_many_proofs'>> => {
    const now = runtime.now();
    const { method, url } = request;
    const proven = { method, uri: `${config.apiUrl}${url}`, accessToken };
    const checks = { mac: secrets, hash: nodeHash };
    const proof = await verifyDpopProof(readDpopProof(request) ?? '', proven, checks, now);
    if (!proof.ok) return proof;
    if (proof.value.jkt !== jkt) return refuseProof('key'); // protects: C96
    const proofId = hash('sha256', `${grantId} ${proof.value.id}`, 'base64url').slice(0, 22);
    const seen = remember(userId, proofId, proof.value.window, now);
    if (seen === 'full') return refuse('too_many_proofs');
    if (seen === 'used') return refuseProof('used');
    if (method === 'GET' || method === 'HEAD') return proof;
    const isUnused = await isFirst(db, ['dpop', proofId], 2 * nonceWindowSeconds, now);
    return isUnused ? ok(proof.value) : refuseProof('used'); // protects: C97
  };
}

/**
 * Returns an onRequest hook: a client that sends a proof gets the nonce for the next one (RFC 9449
 * §8.2).
 */
export function offerDpopNonce(mac: Mac, now: () => Date): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.headers['dpop'] === undefined) done();
    else
      issueDpopNonce(mac, now()).then((nonce) => {
        reply.header('dpop-nonce', nonce);
        done();
      }, done);
  };
}
