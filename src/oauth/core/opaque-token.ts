import { concat, fromBase64url, type Mac, type MacPurpose, toBase64url } from './crypto.ts';

/** 0 is the code, from 1 on refresh tokens (architecture §2). */
export interface GrantGeneration {
  /** A lower-case UUID. */
  readonly grantId: string;
  readonly generation: number;
}

const idBytes = 16;
const generationBytes = 4;
const macBytes = 32;
const payloadBytes = idBytes + generationBytes;

/**
 * `prefix + base64url(grant id ‖ generation ‖ MAC)`, 70 characters after the prefix; not stored, so
 * a refresh can be repeated (architecture §2).
 */
export async function issueOpaqueToken(
  kind: { readonly prefix: string; readonly purpose: MacPurpose },
  of: GrantGeneration,
  mac: Mac,
): Promise<string> {
  const payload = concat(bytesOfUuid(of.grantId), uint32(of.generation));
  return `${kind.prefix}${toBase64url(concat(payload, await mac.mac(kind.purpose, payload)))}`;
}

/** Undefined: not ours. */
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

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function uuidOfBytes(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += hexOfByte[byte];
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ];
  return `${a}-${b}-${c}-${d}-${e}`;
}

const hyphen = 45;

export function bytesOfUuid(uuid: string): Uint8Array {
  const bytes = new Uint8Array(idBytes);
  let digits = 0;
  for (let index = 0; index < uuid.length; index += 1) {
    const code = uuid.charCodeAt(index);
    if (code === hyphen) continue;
    // Of ASCII, the last four bits: of a digit its value, of a letter its place in the alphabet.
    const value = (code & 15) + (code > 64 ? 9 : 0);
    bytes[digits >> 1] = ((bytes[digits >> 1] ?? 0) << 4) | value;
    digits += 1;
  }
  return bytes;
}

export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
