import type { Platform } from '../platform/platform.ts';
import {
  type GrantedResources,
  type GrantedScopes,
  type KnownResources,
  type KnownScopes,
  mayUse,
  type Scope,
} from './core/scope.ts';

/** Names of our API's scopes; each part adds those of its operations by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface ApiScopes {}
export type ApiScope = keyof ApiScopes & string;

/** What can be given. */
export interface DescribedScope<Name extends string = string> {
  readonly name: Name;
  /** What it lets an app do, in words for the person who approves it. */
  readonly words: string;
}

interface ScopeOfArea extends DescribedScope<ApiScope> {
  /** What an app can't do without it. */
  readonly limit: string;
  /** The words for both, where together with the other one it allows more. */
  readonly together?: { readonly with: ApiScope; readonly words: string };
}

/** One kind of thing that an app can read and change, as a part hands it in. */
export interface ScopeArea {
  readonly title: string;
  /** Among all areas, as the place of a link is among links. */
  readonly place: number;
  readonly read: ScopeOfArea;
  /** Contains the other. */
  readonly write: ScopeOfArea;
  /** The lines for it where an app has full access. */
  readonly fullAccess: readonly string[];
  /** The path of a first request that it allows. */
  readonly firstCall: string;
}

/** All that can be given here: what the parts hand in, and what the operator adds (contract §6). */
export interface Permissions {
  readonly known: KnownScopes;
  readonly areas: readonly ScopeArea[];
  /** What SCOPES names for other APIs. */
  readonly others: readonly DescribedScope[];
  readonly words: Readonly<Record<string, string>>;
}

declare module '../platform/platform.ts' {
  interface Platform {
    readonly permissions: Permissions;
  }
}

export function collectPermissions(
  handedIn: readonly ScopeArea[],
  others: readonly DescribedScope[],
): Permissions {
  const areas = handedIn.toSorted((one, other) => one.place - other.place);
  const all = [...areas.flatMap(({ read, write }) => [read, write]), ...others];
  const words = Object.fromEntries(all.map(({ name, words }) => [name, words]));
  return { known: all.map(({ name }) => name), areas, others, words };
}

/** One line each, without what another line covers. */
export function describePermissions(
  { known, areas, words }: Permissions,
  held: GrantedScopes,
): readonly string[] {
  if (held === null) return areas.flatMap(({ fullAccess }) => fullAccess);
  const shown = held.filter((scope) => known.includes(scope));
  const isCovered = (scope: Scope): boolean =>
    shown.some((other) => other !== scope && mayUse([other], scope));
  const all: readonly ScopeOfArea[] = areas.flatMap(({ read, write }) => [read, write]);
  const wordsOf = (scope: Scope): readonly string[] => {
    const together = all.find(({ name }) => name === scope)?.together;
    return [together && mayUse(held, together.with) ? together.words : (words[scope] ?? [])].flat();
  };
  return shown.filter((scope) => !isCovered(scope)).flatMap(wordsOf);
}

const neverOpen = [
  'See your password, or sign in as you',
  'Change your email address, your teams or your other apps',
] as const;

/** "See or change" already covers "change". */
export function describeLimits({ areas }: Permissions, held: GrantedScopes): readonly string[] {
  const closed = areas.flatMap(({ read, write }) => {
    if (!mayUse(held, read.name)) return read.limit;
    return mayUse(held, write.name) ? [] : write.limit;
  });
  return [...neverOpen, ...closed];
}

export function uniteScopes(granted: readonly GrantedScopes[]): GrantedScopes {
  if (granted.includes(null)) return null;
  return [...new Set(granted.flatMap((held) => held ?? []))];
}

type Resources = Pick<Platform['config'], 'apiUrl' | 'resources'>;

/** Those that an access token can be for (RFC 8707). */
export function knownResources({ apiUrl, resources }: Resources): KnownResources {
  return [apiUrl, ...resources.map(({ address }) => address)];
}

/** Undefined for our API alone, which is what people expect. */
export function describeResources(
  granted: GrantedResources,
  { apiUrl, resources }: Resources,
): string | undefined {
  const names = granted?.map((resource) => {
    if (resource === apiUrl) return 'your Latchkey account';
    const { host } = new URL(resource);
    const known = resources.find(({ address }) => address === resource);
    return known === undefined ? host : `${known.name} (${host})`;
  });
  return names?.join(' and ');
}
