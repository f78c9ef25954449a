import { bytesOfUuid, fromBase64url, toBase64url, uint32, uuidOfBytes } from './bytes.ts';
import { after, type Eventual, type Mac, type MacPurpose } from './crypto.ts';

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
 * Rejects if the id isn't written as it will be read again.
 */
export function issueOpaqueToken(
  { prefix, purpose }: { readonly prefix: string; readonly purpose: MacPurpose },
  { grantId, generation }: GrantGeneration,
  mac: Mac,
): Eventual<string> {
  if (!uuidPattern.test(grantId))
    return Promise.reject(new Error("a grant's id has to be a UUID in lower case, as newGrant makes it"));
  const bytes = new Uint8Array(payloadBytes + macBytes);
  bytes.set(bytesOfUuid(grantId));
  bytes.set(uint32(generation), idBytes);
  return after(mac.mac(purpose, bytes.subarray(0, payloadBytes)), (made) => {
    bytes.set(made, payloadBytes);
    return `${prefix}${toBase64url(bytes)}`;
  });
}

/** Returns undefined for a text that isn't ours. */
export function readOpaqueToken(
  { prefix, purpose }: { readonly prefix: string; readonly purpose: MacPurpose },
  token: string,
  mac: Mac,
): Eventual<GrantGeneration | undefined> {
  if (!token.startsWith(prefix)) return undefined;
  const bytes = fromBase64url(token.slice(prefix.length));
  if (bytes?.length !== payloadBytes + macBytes) return undefined;
  const payload = bytes.subarray(0, payloadBytes);
  return after(mac.isMac(purpose, payload, bytes.subarray(payloadBytes)), (isOurs) => {
    if (!isOurs) return undefined;
    const generation = payload.subarray(idBytes).reduce((value, byte) => value * 256 + byte, 0);
    return { grantId: uuidOfBytes(payload), generation };
  });
}
