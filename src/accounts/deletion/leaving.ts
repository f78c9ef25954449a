import type { SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import type { Foundation, Platform } from '../../platform/platform.ts';
import type { Said, Sentence } from '../../platform/words.ts';

declare module '../../platform/parts.ts' {
  interface PartData {
    readonly leaving?: Leaving;
  }
}

export interface UnfinishedDeletion {
  readonly userId: number;
  readonly managedBy: string | null;
}

/** A part that is off has opened none of its capabilities. */
export type LeavingPlatform = Foundation & Pick<Platform, 'parts'> & Partial<Platform>;

/** Says what a part does when an account is deleted, also where the part is off (ADR 16). */
export interface Leaving {
  /** Lists what a deletion takes of what the account has, in a sentence each. */
  tell?(app: Pick<Platform, 'config' | 'db' | 'runtime'>, userId: number): Promise<readonly Said[]>;
  /** The email about a deletion says what ends now, and what ends later. */
  words?(db: Db, userId: number): Promise<{ readonly now: string; readonly later: string } | undefined>;
  /** Deletes accounts that end with something of the part; runs before the unfinished deletions. */
  deleteLeft?(
    app: LeavingPlatform,
    attempt: (userId: number, work: Promise<unknown>) => Promise<void>,
  ): Promise<void>;
  /** Ends what can take long, in bounded steps. */
  finish?(
    app: LeavingPlatform,
    deletion: UnfinishedDeletion,
    when: FinishingTime,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Returns a condition on `users`: the part still needs the name and address. */
  needsName?(now: Date): SQL;
  /** This condition on `users` says that rows of the part still refer to the user. */
  readonly keepsRow?: SQL;
}

/** Someone waits for what is finished at once. */
export type FinishingTime = 'atOnce' | 'inRun';

/** The sentence names its number `count`. */
export function tellCount(text: Sentence, count: number): readonly Said[] {
  return count === 0 ? [] : [{ text, values: { count } }];
}
