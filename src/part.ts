import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Leaving } from './accounts/deletion/leaving.ts';
import type { CallerHeader, Enumerations } from './api/openapi/document.ts';
import type { ApiFamily, GuideChapter } from './api/openapi/guide.ts';
import type { ScopeArea } from './oauth/permissions.ts';
import type { AuditSentence } from './platform/audit/actions.ts';
import type { Belonging, Holder, PersonalRows } from './platform/belongings.ts';
import type { WaitingGauge } from './platform/metrics/store.ts';
import type { Platform } from './platform/platform.ts';
import type { Quotas, RateLimit } from './platform/rate-limits/limit.ts';
import type { EncryptedColumn } from './platform/reencryption/store.ts';
import type { ExpiredOf, WalkedOf } from './platform/retention/store.ts';
import type { ScopedPlugin } from './platform/scoped-plugin.ts';
import type { Differences } from './v2/differences.ts';
import type { NavigationLink, ThingLink } from './web/navigation.ts';

/**
 * A feature, and all that it hands in to the floors below, which know this type and no feature
 * (architecture §1). Each member is optional: a part says only what it has. Nothing is looked up by
 * name while the service runs; whoever needs a member walks through all parts.
 */
export interface Part {
  /** Opens what the part needs while the service runs, after the parts before it. */
  open?(opening: Opening): Opened | Promise<Opened>;
  /** Routes with a language of errors of their own, each at its prefix. */
  readonly surfaces?: readonly Mounted[];
  /** Routes of the API host below `/v2` that speak OAuth or stand before the API's versions. */
  readonly endpoints?: readonly ScopedPlugin[];
  /** Operations of `/v2`, by how their callers authenticate. */
  readonly api?: ApiRoutes;
  /** What programs read below `/.well-known` to find their way. */
  readonly wellKnown?: readonly ScopedPlugin[];
  /** Resources beside the API that its tokens open (RFC 9728). */
  readonly resources?: readonly ProtectedResource[];
  /** What all pages pass first. */
  readonly beforePages?: readonly FastifyPluginAsync[];
  /** Pages for people, registered in this order in one scope with sessions and forms. */
  readonly pages?: readonly ScopedPlugin[];
  /** What is at `/`. */
  readonly home?: Home;
  /** Links of the menus, for those who are signed in. */
  readonly navigation?: readonly NavigationLink[];
  /** What people confirm that it's them for, behind "Before you", by the page's address. */
  readonly acts?: readonly (readonly [RegExp, string])[];
  /** Links on the pages of apps and teams. */
  readonly links?: readonly ThingLink[];
  /** Addresses that people know from other services, and where they lead. */
  readonly usualAddresses?: Readonly<Record<string, string>>;
  /** Fields of Cal.com's that its operations don't have, by operationId (contract §8). */
  readonly differences?: Readonly<Record<string, Differences>>;
  /** The kinds of its operations, and what programs are told of them (contract §7). */
  readonly families?: readonly ApiFamily[];
  readonly guide?: readonly GuideChapter[];
  /** Enumerations of its operations, which become a type each. */
  readonly enumerations?: Enumerations;
  /** What else its operations take to know a caller. */
  readonly securitySchemes?: Readonly<Record<string, CallerHeader>>;
  /** What apps can be allowed by its operations. */
  readonly scopes?: readonly ScopeArea[];
  /** Words of what the part records, by action. */
  readonly auditSentences?: Readonly<Record<string, AuditSentence>>;
  /** Rows whose end an index finds, deleted once a minute in this order. */
  readonly expired?: readonly ExpiredOf[];
  /** Rows whose end no index finds: their tables are walked through. */
  readonly walked?: readonly WalkedOf[];
  /** Columns that outlast a former SECRET, and are encrypted again (contract §1). */
  readonly encrypted?: readonly EncryptedColumn[];
  /**
   * Tables that know people: what a first proof of the address and a deletion of the account end,
   * in this order, and what is exported.
   */
  readonly belongings?: readonly Belonging[];
  /** What the part has of accounts that are deleted. */
  readonly leaving?: Leaving;
  /** Rows about a person that no index finds, for the operator's export. */
  readonly searched?: (person: Holder) => readonly PersonalRows[];
  /** How often what may be done. */
  readonly limits?: readonly Readonly<Record<string, RateLimit>>[];
  readonly quotas?: Quotas;
  /** Numbers for `/metrics` that the database counts. */
  readonly gauges?: readonly WaitingGauge[];
}

/** What is at `/`. Of several parts that have it, the last one's is shown. */
export interface Home {
  /** For those who aren't signed in. */
  sendLanding(reply: FastifyReply): Promise<FastifyReply>;
  sendHome(reply: FastifyReply): Promise<FastifyReply>;
}

/** Routes, and the prefix below which they are. */
export interface Mounted {
  readonly plugin: ScopedPlugin;
  readonly prefix?: string;
}

/** Those with a token or without one take their turn with others of the caller, unless `open`. */
export interface ApiRoutes {
  readonly withToken?: readonly Mounted[];
  readonly openInTurn?: readonly Mounted[];
  readonly open?: readonly Mounted[];
  /** For clients with their secret. */
  readonly byClient?: readonly Mounted[];
}

/** A resource with metadata of its own, at a path of the API host. */
export interface ProtectedResource {
  readonly path: `/${string}`;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** What a part opens with. */
export interface Opening extends Pick<Platform, 'config' | 'db' | 'log' | 'parts' | 'runtime' | 'secrets'> {
  /** Closes, in reverse order and after the app, whatever the part hands over to it. */
  readonly opened: AsyncDisposableStack;
  readonly options: PartOptions;
}

/** What a start may choose otherwise; parts add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface PartOptions {}

/** What a part has opened. */
export interface Opened {
  /** Decorated on the app; each is declared beside the code that makes it. */
  readonly capabilities: Partial<Platform>;
  /** Ends what is under way, at the same time as the app and all other parts. */
  stop?(): Promise<void>;
  /** Goes on with what was left unfinished, once a minute, until the signal. */
  goOn?(app: Platform, signal: AbortSignal): Promise<void>;
}

declare module './platform/platform.ts' {
  interface Platform {
    /** The parts that this service has, in the order of `src/parts.ts`. */
    readonly parts: readonly Part[];
  }
}

/** Everything of one kind that the parts hand in, in their order. */
export function handedIn<Member>(
  parts: readonly Part[],
  membersOf: (part: Part) => readonly Member[] | undefined,
): readonly Member[] {
  return parts.flatMap((part) => membersOf(part) ?? []);
}

/** What parts link to on the page of an app or a team at `address`. */
export function linksOf(parts: readonly Part[], thing: ThingLink['of'], address: string) {
  return handedIn(parts, ({ links }) => links)
    .filter((link) => link.of === thing)
    .map(({ path, words }) => ({ address: `${address}${path}`, words }));
}
