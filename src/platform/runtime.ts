import { randomBytes } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';

/** Tests pass their own. */
export interface Runtime {
  now(): Date;
  randomBytes(length: number): Uint8Array;
  /** Limits with these names are as large, whatever their tables say: tests reach them soon. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
}

export const nodeRuntime: Runtime = { now: () => new Date(), randomBytes: pooledRandomBytes() };

const pooledBytes = 4096;

/** A call of the system's generator costs as much for 16 bytes as for some thousand. */
function pooledRandomBytes(): Runtime['randomBytes'] {
  let pool = Buffer.alloc(0);
  return (length) => {
    if (length > pool.length) pool = randomBytes(Math.max(length, pooledBytes));
    const taken = new Uint8Array(pool.subarray(0, length));
    // Bytes that were given out aren't kept.
    pool.fill(0, 0, length);
    pool = pool.subarray(length);
    return taken;
  };
}

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
