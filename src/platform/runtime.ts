import { randomBytes } from 'node:crypto';

/** Passed in, so that tests hold them. */
export interface Runtime {
  now(): Date;
  randomBytes(length: number): Uint8Array;
}

export const nodeRuntime: Runtime = {
  now: () => new Date(),
  randomBytes: (length) => randomBytes(length),
};

export function randomHex(runtime: Runtime, length: number): string {
  return Buffer.from(runtime.randomBytes(length)).toString('hex');
}

export function newUuid(runtime: Runtime): string {
  const bytes = Buffer.from(runtime.randomBytes(16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
