import { randomBytes } from 'node:crypto';

/** The clock and the dice: passed in, so that tests hold them. */
export interface System {
  now(): Date;
  randomBytes(length: number): Uint8Array;
}

export const realSystem: System = {
  now: () => new Date(),
  randomBytes: (length) => randomBytes(length),
};

/** `length` random bytes as lower-case hexadecimal text. */
export function randomHex(system: System, length: number): string {
  return Buffer.from(system.randomBytes(length)).toString('hex');
}
