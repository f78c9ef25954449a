import { bytesOfUuid, concat, fromBase64url, toBase64url, uint32, uuidOfBytes } from './bytes.ts';
import type { Mac, MacPurpose } from './crypto.ts';

export interface GrantGeneration {
  readonly grantId: string;
  readonly generation: number;
}

const idBytes = 16;
const generationBytes = 4;
const macBytes = 32;
const payloadBytes = idBytes + generationBytes;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Issues `prefix + base64url(grant id ‖ generation ‖ MAC)`; it isn't stored (architecture §2).
 * @throws if the id isn't written as it will be read again
 */
export async function issueOpaqueToken(
  kind: { readonly prefix: string; readonly purpose: MacPurpose },
  of: GrantGeneration,
  mac: Mac,
): Promise<string> {
  if (!uuidPattern.test(of.grantId))
    throw new Error("a grant's id has to be a UUID in lower case, as newGrant makes it");
  const payload = concat(bytesOfUuid(of.grantId), uint32(of.generation));
  return `${kind.prefix}${toBase64url(concat(payload, await mac.mac(kind.purpose, payload)))}`;
}

/** Returns undefined for a text that isn't ours. */
export async function readOpaqueToken(
  kind: { readonly prefix: string; readonly purpose: MacPurpose },
  token: string,
  mac: Mac,
): Promise<GrantGeneration | undefined> {
  if (!token.startsWith(kind.prefix)) return undefined;
  const bytes = fromBase64url(token.slice(kind.prefix.length));
  if (bytes?.length !== payloadBytes + macBytes) return undefined;
  const payload = bytes.subarray(0, payloadBytes);
  if (!(await mac.isMac(kind.purpose, payload, bytes.subarray(payloadBytes)))) return undefined;
  const generation = payload.subarray(idBytes).reduce((value, byte) => value * 256 + byte, 0);
  return { grantId: uuidOfBytes(payload.subarray(0, idBytes)), generation };
}
