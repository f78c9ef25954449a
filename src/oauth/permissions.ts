import { isOwnScope } from '../config.ts';
import type { Platform } from '../platform/platform.ts';
import type { Sentence, Words } from '../platform/words.ts';
import type { IconName } from '../web/assets.ts';
import {
  type GrantedResources,
  identityScopes,
  type KnownResources,
  type KnownScopes,
  type Scope,
} from './core/scope.ts';
import { mayUse, nameScopes, type OwnScopes } from './own-scopes.ts';

declare module '../platform/parts.ts' {
  interface Part {
    readonly oauth?: OAuthOfPart;
  }
}

export interface OAuthOfPart {
  readonly scopes?: readonly ScopeArea[];
  /** At most one part says who the user is. */
  readonly identity?: IdentityScopes;
}

/** Areas add their names by declaration merging, beside the operations that they open. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface ApiScopes {}
export type NamesOf<Area extends Pick<ScopeArea, 'read' | 'write'>> = Record<
  Area['read' | 'write']['name'],
  true
>;
export type ApiScope = keyof ApiScopes & string;

export interface DescribedScope<Name extends string = string> {
  readonly name: Name;
  readonly words: string;
}

interface ScopeOfArea<End extends 'READ' | 'WRITE'> extends DescribedScope<`${string}_${End}`> {
  readonly words: Sentence;
  /** Says what it opens where the account is a team. */
  readonly ofTeam: Sentence;
  readonly limit: Sentence;
  /** Together with the other scope this one allows more, so one line has the words for both. */
  readonly together?: { readonly with: `${string}_READ`; readonly words: Sentence };
}

export interface ScopeArea {
  readonly title: Sentence;
  readonly icon: IconName;
  readonly place: number;
  readonly read: ScopeOfArea<'READ'>;
  readonly write: ScopeOfArea<'WRITE'>;
  readonly firstCall: string;
}

/** Scopes of OpenID Connect say who the user is, and open nothing of the API. */
export interface IdentityScopes {
  readonly title: Sentence;
  readonly scopes: readonly DescribedScope[];
  /** Returns one line for all that are held, or undefined if none of them says anything. */
  describe(held: readonly Scope[]): Sentence | undefined;
  /** What of the profile is seen without our API. */
  readonly limitBeside: Sentence;
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

export interface Permission {
  /** Scopes of other APIs have no area. */
  readonly title?: Sentence;
  readonly icon: IconName;
  readonly words: string;
  readonly mayChange?: boolean;
  /** It wasn't approved before. */
  readonly isNew: boolean;
}

/** Whose data it is: a team is no person, and an app acts for one of the two. */
export type AccountKind = 'person' | 'team';

/** The one list of what scopes open: the consent page, emails and all other pages speak from it. */
export function listPermissions(
  { known, areas, others, identity }: Permissions,
  held: OwnScopes,
  account: AccountKind = 'person',
  before: OwnScopes = held,
): readonly Permission[] {
  const shown = nameScopes(held, known);
  const former = nameScopes(before, known);
  const isNewOf = (scope: Scope) => !mayUse(former, scope);
  const signIn = identity?.describe(shown);
  const ofAreas = areas.flatMap(({ title, icon, read, write }) => {
    const { name, words, ofTeam, together } = mayUse(shown, write.name) ? write : read;
    if (!mayUse(shown, name)) return [];
    const own = together && mayUse(shown, together.with) ? together.words : words;
    const said = account === 'team' ? ofTeam : own;
    const mayChange = name === write.name && said !== read.ofTeam;
    return { title, icon, words: said, mayChange, isNew: isNewOf(name) };
  });
  return [
    ...(identity && signIn
      ? [
          {
            title: identity.title,
            icon: 'log-in' as const,
            words: signIn,
            isNew: shown.some((scope) => identityScopes.includes(scope) && isNewOf(scope)),
          },
        ]
      : []),
    ...ofAreas,
    ...others
      .filter(({ name }) => shown.includes(name))
      .map(({ name, words }) => ({ icon: 'key' as const, words, isNew: isNewOf(name) })),
  ];
}

export const describePermissions = (...asked: Parameters<typeof listPermissions>): readonly string[] =>
  listPermissions(...asked).map(({ words }) => words);

/** An app that only signs in has nothing of a team. */
export const isOnlySignIn = (scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => identityScopes.includes(scope));

/** An app that acts for a person acts for the teams that they manage, too. */
export const describeTeams = (
  teams: readonly { readonly name: string }[],
  held: OwnScopes,
  { t, list }: Words,
): readonly string[] =>
  teams.length === 0 || held?.some(isOwnScope) === false
    ? []
    : [
        t('This includes the teams that you manage: {teams}.', {
          teams: list(teams.map(({ name }) => name)),
        }),
      ];

const neverOpen = [
  'See your password, or change how you sign in',
  'Change your email address, your teams or your other apps',
] as const satisfies readonly Sentence[];

/** "See or change" already covers "change". */
export function describeLimits(
  { areas, identity }: Permissions,
  held: OwnScopes,
  account: AccountKind = 'person',
): readonly Sentence[] {
  if (account === 'team') return [...neverOpen, 'See or change your own bookings, schedules and calendars'];
  const signsIn = identity?.describe(held ?? []) !== undefined;
  const closed = areas.flatMap(({ read, write }) => {
    if (mayUse(held, read.name)) return mayUse(held, write.name) ? [] : write.limit;
    return signsIn && read.name === 'PROFILE_READ' ? identity.limitBeside : read.limit;
  });
  return [...neverOpen, ...closed];
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
