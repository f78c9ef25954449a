import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Leaving } from './accounts/deletion/leaving.ts';
import type { CallerHeader, Enumerations } from './api/openapi/document.ts';
import type { ApiFamily, GuideChapter } from './api/openapi/guide.ts';
import type { IdentityScopes, ScopeArea } from './oauth/permissions.ts';
import type { AuditSentence } from './platform/audit/actions.ts';
import type { Belonging, Holder, PersonalRows } from './platform/belongings.ts';
import type { Quotas } from './platform/limits/limits.ts';
import type { Counters } from './platform/metrics/counters.ts';
import type { DailyNumber, WaitingGauge } from './platform/metrics/store.ts';
import type { Platform } from './platform/platform.ts';
import type { EncryptedColumn } from './platform/reencryption/store.ts';
import type { ExpiredOf, WalkedOf } from './platform/retention/store.ts';
import type { ScopedPlugin } from './platform/scoped-plugin.ts';
import type { Sentence } from './platform/words.ts';
import type { Differences } from './v2/differences.ts';
import type { NavigationLink, ThingLink } from './web/navigation.ts';

/** A feature hands these to the floors below, which know no feature (architecture §1). */
export interface Part {
  /** `PARTS` names it so. */
  readonly name?: string;
  /** What is stored ends, is exported and stays readable whether the part serves or not. */
  readonly data?: PartData;
  /** An installation chose to leave the part out, so its data is all that is here. */
  readonly isOff?: true;
  /** Opens what the part needs while the service runs, after the parts before it. */
  open?(opening: Opening): Opened | Promise<Opened>;
  /** Each surface answers errors in its own language, at its prefix. */
  readonly surfaces?: readonly Mounted[];
  /** These routes of the API host below `/v2` speak OAuth, or stand before the API's versions. */
  readonly endpoints?: readonly ScopedPlugin[];
  /** Operations of `/v2` are grouped by how callers authenticate. */
  readonly api?: ApiRoutes;
  /** Programs find their way by these, below `/.well-known`. */
  readonly wellKnown?: readonly ScopedPlugin[];
  /** The API's tokens open other resources, too (RFC 9728). */
  readonly resources?: readonly ProtectedResource[];
  readonly beforePages?: readonly FastifyPluginAsync[];
  /** Pages are registered in this order, in one scope with sessions and forms. */
  readonly pages?: readonly ScopedPlugin[];
  readonly home?: Home;
  readonly navigation?: readonly NavigationLink[];
  /** No search engine should read pages at these paths. */
  readonly unlisted?: readonly string[];
  /**
   * The page "Before you …" says what people are about to do, by the address that they come from.
   */
  readonly acts?: readonly (readonly [RegExp, Sentence])[];
  readonly links?: readonly ThingLink[];
  readonly publicPages?: PublicPages;
  /** People know these addresses from other services. */
  readonly usualAddresses?: Readonly<Record<string, string>>;
  /** Cal.com's operations have fields that these lack, by operationId (contract §8). */
  readonly differences?: Readonly<Record<string, Differences>>;
  /** The document groups operations by these (contract §7). */
  readonly families?: readonly ApiFamily[];
  readonly guide?: readonly GuideChapter[];
  /** Replaces words in the guide's samples for the signed-in reader of /docs. */
  readonly guideValues?: (request: FastifyRequest) => Promise<Readonly<Record<string, string>>>;
  /** Each enumeration becomes a type. */
  readonly enumerations?: Enumerations;
  /** Operations know callers by these, too. */
  readonly securitySchemes?: Readonly<Record<string, CallerHeader>>;
  readonly scopes?: readonly ScopeArea[];
  /** At most one part says who the user is. */
  readonly identity?: IdentityScopes;
  /** Each process counts these for `/metrics`. */
  readonly counters?: Readonly<Partial<Counters>>;
  readonly quotas?: Quotas;
  /** Admins see these counts by day. */
  readonly dailyNumbers?: readonly DailyNumber[];
  /** The database counts these for `/metrics`. */
  readonly gauges?: readonly WaitingGauge[];
}

/** A part that is off has its data all the same, so that needs tables and stores alone. */
export interface PartData {
  /** Modules have all tables of the part; of others, nobody here knows what is in them. */
  readonly tables?: readonly object[];
  /** The order is that in which they end at a first proof of the address, or a deletion. */
  readonly belongings?: readonly Belonging[];
  /** A new password ends this unless it is kept; an account of unproven address loses it. */
  readonly atReset?: Readonly<Record<'ended' | 'unproven', Sentence>> & { readonly kept?: Sentence };
  readonly leaving?: Leaving;
  /** An index finds rows that end; a job deletes them once a minute in this order. */
  readonly expired?: readonly ExpiredOf[];
  /** No index finds where these rows end, so a job walks through their tables. */
  readonly walked?: readonly WalkedOf[];
  /** These columns outlast a former SECRET, so they are encrypted again (contract §1). */
  readonly encrypted?: readonly EncryptedColumn[];
  /** Only operators export rows that no index finds. */
  readonly searched?: (person: Holder) => readonly PersonalRows[];
  readonly auditSentences?: Readonly<Record<string, AuditSentence>>;
}

/** The last part with a home shows its own. */
export interface Home {
  sendLanding(reply: FastifyReply): Promise<FastifyReply>;
  sendHome(reply: FastifyReply): Promise<FastifyReply>;
}

/** People, teams and organizations have pages for everyone at these addresses. */
export interface PublicPages {
  teamAddress(
    team: {
      readonly slug: string;
      readonly organization: { readonly slug: string; readonly isPlatform: boolean } | null;
    },
    hosts: Hosts,
  ): string;
  /** Is undefined if all organizations share the general address. */
  organizationAddress(slug: string, hosts: Hosts): string | undefined;
  /** What is on a team's pages, for the team's own page. */
  findOfTeam(app: Pick<Platform, 'config' | 'db'>, teamId: number): Promise<ThingsOfTeam>;
}

export interface ThingsOfTeam {
  readonly heading: string;
  readonly none: string;
  readonly whoCreates: string;
  readonly all: string;
  readonly create: { readonly address: string; readonly words: string };
  readonly shown: readonly { readonly title: string; readonly href: string; readonly settings: string }[];
}

type Hosts = Pick<Platform['config'], 'appUrl' | 'orgHost'>;

export interface Mounted {
  readonly plugin: ScopedPlugin;
  readonly prefix?: string;
}

/** A caller's requests take turns, except those of `open`. */
export interface ApiRoutes {
  readonly withToken?: readonly Mounted[];
  readonly openInTurn?: readonly Mounted[];
  readonly open?: readonly Mounted[];
  /** A client calls these with its secret. */
  readonly byClient?: readonly Mounted[];
}

export interface ProtectedResource {
  readonly path: `/${string}`;
  readonly name: string;
  readonly scopes: readonly string[];
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

declare module './platform/platform.ts' {
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

/** The last part with public pages says their addresses. */
export const publicPagesOf = (parts: readonly Part[]): PublicPages | undefined =>
  parts.findLast((part) => part.publicPages)?.publicPages;

export function linksOf(parts: readonly Part[], thing: ThingLink['of'], address: string) {
  return handedIn(parts, ({ links }) => links)
    .filter((link) => link.of === thing)
    .map(({ path, words }) => ({ address: `${address}${path}`, words }));
}
