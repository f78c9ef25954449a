import { z } from 'zod';
import type { RootSecret } from '../../io/root-secret.ts';
import { randomHex, type System } from '../../io/system.ts';

const bytes = 16;
/** A form that is sent again so soon shows its secret again: its first answer may have been lost. */
const repetitionSeconds = 300;

/** The name of a form that makes something: its random id tells a form that is sent twice from two forms. */
export function newFormId(system: System): string {
  return randomHex(system, bytes);
}

/** A form's id as it comes back; `fault` is what is said where it is missing or none. */
export function formIdOf(fault: string) {
  return z.string({ error: fault }).regex(/^[0-9a-f]{32}$/, { error: fault });
}

export interface DatingDeps {
  readonly system: System;
  readonly rootSecret: RootSecret;
}

const purpose = 'form-id';
const instantBytes = 4;
const macBytes = 32;
/** Much less than the letter of a deletion is kept, by which a form that has made something already is known. */
const freshSeconds = 24 * 3600;

/** A {@link newFormId} that tells when the form was shown: hex(random ‖ seconds ‖ MAC), so that nobody makes an old form look new. */
export function newDatedFormId({ system, rootSecret }: DatingDeps): string {
  const instant = Buffer.alloc(instantBytes);
  instant.writeUInt32BE(Math.floor(system.now().getTime() / 1000));
  const head = Buffer.concat([Buffer.from(newFormId(system), 'hex'), instant]);
  return Buffer.concat([head, rootSecret.mac(purpose, head)]).toString('hex');
}

/** A dated form's id as it comes back, to be asked {@link isFresh}. */
export function datedFormIdOf(fault: string) {
  const digits = 2 * (bytes + instantBytes + macBytes);
  return z.string({ error: fault }).regex(new RegExp(`^[0-9a-f]{${digits}}$`), { error: fault });
}

/** Whether a dated form was shown by us, within a day. */
export function isFresh(formId: string, { system, rootSecret }: DatingDeps): boolean {
  const id = Buffer.from(formId, 'hex');
  const head = id.subarray(0, bytes + instantBytes);
  if (!rootSecret.isMac(purpose, head, id.subarray(head.length))) return false;
  return system.now().getTime() / 1000 - head.readUInt32BE(bytes) < freshSeconds;
}

/** Whether what the form made at `madeAt` may be shown once more. */
export function isRepeatedSoon(madeAt: Date, now: Date): boolean {
  return now.getTime() - madeAt.getTime() < repetitionSeconds * 1000;
}
