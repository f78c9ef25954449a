import type { SQL } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';

/** An account that was deleted, and the client that managed it. */
export interface UnfinishedDeletion {
  readonly userId: number;
  readonly managedBy: string | null;
}

/** What a part still has of accounts that are deleted, and what their deletion takes (ADR 16). */
export interface Leaving {
  /** What a deletion takes: a sentence each. */
  tell?(app: Pick<Platform, 'config' | 'db' | 'runtime'>, userId: number): Promise<readonly string[]>;
  /** What the email about it says of what is being done, and of what is done later. */
  readonly words?: { readonly now: string; readonly later: string };
  /** Deletes accounts that end with something of the part; before those that are unfinished. */
  deleteLeft?(
    app: Platform,
    attempt: (userId: number, work: Promise<unknown>) => Promise<void>,
  ): Promise<void>;
  /** Ends what can take long, in bounded steps, while someone waits or in a run. */
  finish?(
    app: Platform,
    deletion: UnfinishedDeletion,
    when: 'atOnce' | 'inRun',
    signal?: AbortSignal,
  ): Promise<void>;
  /** Whether name and address of one of `users` are needed as long as it isn't finished. */
  needsName?(now: Date): SQL;
  /** Whether rows are left that keep that of one of `users`. */
  readonly keepsRow?: SQL;
}

/** Writes a count with its noun: nothing for 0. */
export function some(count: number, one: string, many: string, rest: string): readonly string[] {
  return count === 0 ? [] : [`${count === 1 ? one : `${count} ${many}`} ${rest}`];
}
