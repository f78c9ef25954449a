import type { AuditContext } from './audit/context.ts';
import type { Belonging, Ender } from './belongings.ts';
import type { Db } from './database.ts';
import { dataOf, type Part } from './parts.ts';

export const belongingsOf = (parts: readonly Part[]): readonly Belonging[] =>
  dataOf(parts, ({ belongings }) => belongings);

/** Ends `which` of what was there before the address was proven. */
export async function endOnProof(
  tx: Db,
  parts: readonly Part[],
  userId: number,
  by: AuditContext,
  { ender, which }: { readonly ender: Ender; readonly which: (one: Belonging) => boolean },
): Promise<void> {
  for (const one of belongingsOf(parts).filter(which)) await one.onProof?.(tx, userId, by, ender, parts);
}

/** Ends what an intruder may have made. */
export async function endOnReset(tx: Db, parts: readonly Part[], userId: number, by: AuditContext) {
  for (const one of belongingsOf(parts)) await one.onReset?.(tx, userId, by, 'user', parts);
}
