import { z } from 'zod';
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

/** Whether what the form made at `madeAt` may be shown once more. */
export function isRepeatedSoon(madeAt: Date, now: Date): boolean {
  return now.getTime() - madeAt.getTime() < repetitionSeconds * 1000;
}
