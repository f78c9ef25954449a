import { base64url } from 'jose';

const encoder = new TextEncoder();
/** In Node.js alone, and up to 14 times as fast there as what every runtime has. */
declare const Buffer: undefined | NodeBuffer;

interface NodeBuffer {
  from(text: string, encoding?: 'base64url'): Uint8Array<ArrayBuffer>;
  from(bytes: Uint8Array): { toString(encoding: 'base64url'): string };
}

const node = typeof Buffer === 'undefined' ? undefined : Buffer;

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return node?.from(text) ?? encoder.encode(text);
}

/** Without padding, RFC 4648 §5. Node copies: to read small bytes where they are, V8 moves them. */
export function toBase64url(bytes: Uint8Array): string {
  return node?.from(bytes).toString('base64url') ?? base64url.encode(bytes);
}

/** Strict: undefined even for padding or stray last bits. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = node === undefined ? base64url.decode(text) : new Uint8Array(node.from(text, 'base64url'));
  return toBase64url(bytes) === text ? bytes : undefined;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Takes time that depends on the lengths alone. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}
