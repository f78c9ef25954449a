import { hash, randomBytes } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';

/** Tests pass their own. */
export interface Runtime {
  now(): Date;
  randomBytes(length: number): Uint8Array;
  /** Limits with these names are as large, whatever their tables say: tests reach them soon. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
}

export const nodeRuntime: Runtime = { now: () => new Date(), randomBytes: (length) => randomBytes(length) };

/** Web Crypto is many times slower for short inputs. As a text first: bytes get memory of their own. */
export const nodeHash = {
  sha256: (data: Uint8Array): Uint8Array => Buffer.from(hash('sha256', data, 'base64url'), 'base64url'),
} as const;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Runs one long piece of work in each iteration of the event loop, however many wait (security
 * C54).
 */
export async function nextTurn(): Promise<void> {
  const turn = lastTurn.then(() => nextIteration());
  lastTurn = turn;
  await turn;
}

export function randomHex(runtime: Runtime, length: number): string {
  return Buffer.from(runtime.randomBytes(length)).toString('hex');
}

export function newUuid(runtime: Runtime): string {
  const bytes = Buffer.from(runtime.randomBytes(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
