import type { FastifyPluginAsync } from 'fastify';
import type { AuditSentences } from './audit/actions.ts';
import type { Belonging, Holder, PersonalRows } from './belongings.ts';
import type { Counters } from './metrics/counters.ts';
import type { DailyNumber, WaitingGauge } from './metrics/store.ts';
import type { Platform } from './platform.ts';
import type { EncryptedColumn } from './reencryption/store.ts';
import type { ExpiredOf, WalkedOf } from './retention/store.ts';
import type { ScopedPlugin } from './scoped-plugin.ts';
import type { Sentence } from './words.ts';

/**
 * Features hand these in: a key for each room that reads them, which the room adds by merging
 * (architecture §1).
 */
export interface Part {
  /** `PARTS` names it so. */
  readonly name?: string;
  /** What is stored ends, is exported and stays readable whether the part serves or not. */
  readonly data?: PartData;
  /** An installation chose to leave the part out, so its data is all that is here. */
  readonly isOff?: true;
  /** Opens what the part needs while the service runs, after the parts before it. */
  open?(opening: Opening): Opened | Promise<Opened>;
  /** `app.ts` mounts these. */
  readonly routes?: PartRoutes;
  readonly metrics?: PartMetrics;
  /** Whatever one can own has a limit: the key says who, and docs/limits.md has all of them. */
  readonly limits?: Readonly<Record<string, readonly (readonly [max: number, what: string])[]>>;
}

interface PartRoutes {
  /** Each surface answers errors in its own language, at its prefix. */
  readonly surfaces?: readonly Mounted[];
  /** These routes of the API host below `/v2` speak OAuth, or stand before the API's versions. */
  readonly endpoints?: readonly ScopedPlugin[];
  /** Programs find their way by these, below `/.well-known`. */
  readonly wellKnown?: readonly ScopedPlugin[];
  readonly beforePages?: readonly FastifyPluginAsync[];
  /** Pages are registered in this order, in one scope with sessions and forms. */
  readonly pages?: readonly ScopedPlugin[];
}

interface PartMetrics {
  /** Each process counts these for `/metrics`. */
  readonly counters?: Readonly<Partial<Counters>>;
  /** The database counts these for `/metrics`. */
  readonly gauges?: readonly WaitingGauge[];
  /** Admins see these counts by day. */
  readonly dailyNumbers?: readonly DailyNumber[];
}

/** A part that is off has its data all the same, so that needs tables and stores alone. */
export interface PartData {
  /** Modules have all tables of the part; of others, nobody here knows what is in them. */
  readonly tables?: readonly object[];
  /** The order is that in which they end at a first proof of the address, or a deletion. */
  readonly belongings?: readonly Belonging[];
  /** A new password ends this unless it is kept; an account of unproven address loses it. */
  readonly atReset?: Readonly<Record<'ended' | 'unproven', Sentence>> & { readonly kept?: Sentence };
  /** An index finds rows that end; a job deletes them once a minute in this order. */
  readonly expired?: readonly ExpiredOf[];
  /** No index finds where these rows end, so a job walks through their tables. */
  readonly walked?: readonly WalkedOf[];
  /** These columns outlast a former SECRET, so they are encrypted again (contract §1). */
  readonly encrypted?: readonly EncryptedColumn[];
  /** Only operators export rows that no index finds. */
  readonly searched?: (person: Holder) => readonly PersonalRows[];
  readonly auditSentences?: AuditSentences;
}

export interface Mounted {
  readonly plugin: ScopedPlugin;
  readonly prefix?: string;
}

export interface Opening extends Pick<Platform, 'config' | 'db' | 'log' | 'parts' | 'runtime' | 'secrets'> {
  /** The stack closes in reverse order, after the app. */
  readonly opened: AsyncDisposableStack;
  readonly options: PartOptions;
}

/** Parts add their options by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface PartOptions {}

export interface Opened {
  /** A capability is declared beside the code that makes it. */
  readonly capabilities: Partial<Platform>;
  /** Ends what is under way, at the same time as the app and all other parts. */
  stop?(): Promise<void>;
  /** Continues unfinished work once a minute, until the signal. */
  goOn?(app: Platform, signal: AbortSignal): Promise<void>;
}

declare module './platform.ts' {
  interface Platform {
    /** The order is that of `src/parts.ts`. */
    readonly parts: readonly Part[];
  }
}

/** Collects members of the parts' data, of those that are off, too. */
export const dataOf = <Member>(
  parts: readonly Part[],
  membersOf: (data: PartData) => readonly Member[] | undefined,
): readonly Member[] => handedIn(parts, ({ data }) => data && membersOf(data));

export function handedIn<Member>(
  parts: readonly Part[],
  membersOf: (part: Part) => readonly Member[] | undefined,
): readonly Member[] {
  return parts.flatMap((part) => membersOf(part) ?? []);
}

export const belongingsOf = (parts: readonly Part[]): readonly Belonging[] =>
  dataOf(parts, ({ belongings }) => belongings);
