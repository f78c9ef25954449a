import type { Part } from '../part.ts';
import type { Db, Fragment } from '../platform/database.ts';

declare module '../part.ts' {
  interface Part {
    /** Hears of access that apps got or lost. */
    readonly accessListener?: AccessListener;
  }
}

export interface AccessListener {
  /** Whether it hears of an app, as SQL about a row of `clients`. */
  readonly hearsOf: Fragment;
  /** In the transaction that changes the access. */
  tell(tx: Db, event: AccessEvent, changes: readonly AccessChange[], now: Date): Promise<void>;
}

export type AccessEvent = 'ACCESS_GRANTED' | 'ACCESS_REMOVED';

/** What a user's access for an app became: `scopes` null is full access. */
export interface AccessChange {
  readonly clientId: string;
  readonly userId: number;
  readonly [field: string]: unknown;
}

/** SQL, one of which says whether anybody hears of an app. */
export const hearingOf = (parts: readonly Part[]): readonly Fragment[] =>
  parts.flatMap(({ accessListener }) => accessListener?.hearsOf ?? []);

export async function tellOfAccess(
  tx: Db,
  parts: readonly Part[],
  event: AccessEvent,
  changes: readonly AccessChange[],
  now: Date,
): Promise<void> {
  for (const { accessListener } of parts) await accessListener?.tell(tx, event, changes, now);
}
