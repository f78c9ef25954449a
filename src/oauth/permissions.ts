import type { Platform } from '../platform/platform.ts';
import type { Sentence, Words } from '../platform/words.ts';
import {
  type GrantedResources,
  type GrantedScopes,
  identityScopes,
  isOwnScope,
  type KnownResources,
  type KnownScopes,
  mayUse,
  nameScopes,
  type Scope,
} from './core/scope.ts';

/** Each part adds the names of its operations' scopes by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface ApiScopes {}
export type ApiScope = keyof ApiScopes & string;

export interface DescribedScope<Name extends string = string> {
  readonly name: Name;
  readonly words: string;
}

interface ScopeOfArea extends DescribedScope<ApiScope> {
  readonly words: Sentence;
  readonly limit: Sentence;
  /** Together with the other scope this one allows more, so one line has the words for both. */
  readonly together?: { readonly with: ApiScope; readonly words: Sentence };
}

export interface ScopeArea {
  readonly title: string;
  readonly place: number;
  readonly read: ScopeOfArea;
  readonly write: ScopeOfArea;
  readonly fullAccess: readonly Sentence[];
  readonly firstCall: string;
}

/** Scopes of OpenID Connect say who the user is, and open nothing of the API. */
export interface IdentityScopes {
  readonly title: string;
  readonly scopes: readonly DescribedScope[];
  /** Returns one line for all that are held, or undefined if none of them says anything. */
  describe(held: readonly Scope[]): Sentence | undefined;
}

/** The parts hand in areas, and the operator adds other scopes (contract §6). */
export interface Permissions {
  readonly known: KnownScopes;
  readonly areas: readonly ScopeArea[];
  readonly others: readonly DescribedScope[];
  readonly identity: IdentityScopes | undefined;
  readonly words: Readonly<Record<string, string>>;
}

declare module '../platform/platform.ts' {
  interface Platform {
    readonly permissions: Permissions;
  }
}

export function collectPermissions(
  unsorted: readonly ScopeArea[],
  others: readonly DescribedScope[],
  identity?: IdentityScopes,
): Permissions {
  const areas = unsorted.toSorted((one, other) => one.place - other.place);
  const ofAreas = areas.flatMap(({ read, write }) => [read, write]);
  const all = [...ofAreas, ...others, ...(identity?.scopes ?? [])];
  const words = Object.fromEntries(all.map(({ name, words }) => [name, words]));
  return { known: all.map(({ name }) => name), areas, others, identity, words };
}

interface HandsIn {
  readonly scopes?: readonly ScopeArea[];
  readonly identity?: IdentityScopes;
}

export const permissionsOf = (parts: readonly HandsIn[], { scopes }: Pick<Platform['config'], 'scopes'>) =>
  collectPermissions(
    parts.flatMap((part) => part.scopes ?? []),
    scopes,
    parts.find(({ identity }) => identity)?.identity,
  );

/** Words for all of our API are shorter than those of its areas. */
export function describePermissions({ known, areas, identity, words }: Permissions, held: GrantedScopes) {
  const shown = nameScopes(held, known);
  const own = areas.flatMap(({ read, write }) => [read.name, write.name]);
  const isFull = own.every((scope) => shown.includes(scope));
  const isCovered = (scope: Scope): boolean =>
    shown.some((other) => other !== scope && mayUse([other], scope));
  const all: readonly ScopeOfArea[] = areas.flatMap(({ read, write }) => [read, write]);
  const wordsOf = (scope: Scope): readonly string[] => {
    const together = all.find(({ name }) => name === scope)?.together;
    return [together && mayUse(shown, together.with) ? together.words : (words[scope] ?? [])].flat();
  };
  const named = isFull ? shown.filter((scope) => !isOwnScope(scope)) : shown;
  const others = named.filter((scope) => !isCovered(scope) && !identityScopes.includes(scope));
  const full = isFull ? areas.flatMap(({ fullAccess }) => fullAccess) : [];
  return [identity?.describe(shown) ?? [], full, others.flatMap(wordsOf)].flat();
}

const neverOpen = [
  'See your password, or sign in as you',
  'Change your email address, your teams or your other apps',
] as const satisfies readonly Sentence[];

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

/** Lists what access tokens can be for (RFC 8707). */
export function knownResources({ apiUrl, resources }: Resources): KnownResources {
  return [apiUrl, ...resources.map(({ address }) => address)];
}

/** Returns undefined for our API alone, which is what people expect. */
export function describeResources(
  granted: GrantedResources,
  { apiUrl, resources }: Resources,
  { t, list }: Words,
): string | undefined {
  const names = granted?.map((resource) => {
    if (resource === apiUrl) return t('your account');
    const { host } = new URL(resource);
    const known = resources.find(({ address }) => address === resource);
    return known === undefined ? host : `${known.name} (${host})`;
  });
  return names && list(names);
}
