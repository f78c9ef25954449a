import { handedIn, type Part } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Sentence } from '../platform/words.ts';
import { type IconName, icon } from './assets.ts';

declare module '../platform/parts.ts' {
  interface Part {
    readonly web?: WebOfPart;
  }
}

interface WebOfPart {
  readonly navigation?: readonly NavigationLink[];
  readonly links?: readonly ThingLink[];
  /** People know these addresses from other services. */
  readonly usualAddresses?: Readonly<Record<string, string>>;
  /** No search engine should read pages at these paths. */
  readonly unlisted?: readonly string[];
}

/** Lower places come first; groups follow the order of their first links. */
export interface NavigationLink {
  /** A link without a heading is in the bar of all pages. Only admins see those of `Admin`. */
  readonly group?: Sentence;
  readonly place: number;
  readonly address: string;
  readonly words: Sentence;
  readonly icon?: IconName;
  /** Counts what waits for an admin there, up to a limit: every page of admins asks. */
  readonly countWaiting?: (app: Pick<Platform, 'db'>) => Promise<number>;
}

export interface ThingLink {
  readonly of: 'app' | 'team';
  readonly path: `/${string}`;
  readonly words: Sentence;
}

export type Navigation = ReturnType<typeof navigationOf>;

/** Counts are by address. The menu has one way to a person's settings, and one to an admin's. */
export function navigationOf(
  links: readonly NavigationLink[],
  path: string,
  isAdmin: boolean,
  counts: ReadonlyMap<string, number> = new Map(),
) {
  const above = links.map(({ address }) => address).filter((one) => `${path}/`.startsWith(`${one}/`));
  // The address of the admin's overview begins those of all pages of admins.
  const nearest = Math.max(...above.map(({ length }) => length));
  const current = (address: string) => {
    if (path === address) return 'page';
    return above.includes(address) && address.length === nearest ? 'true' : undefined;
  };
  const shown = links
    .filter(({ group }) => isAdmin || group !== 'Admin')
    .map((link) => ({
      ...link,
      current: current(link.address),
      icon: link.icon === undefined ? '' : icon(link.icon),
      waiting: counts.get(link.address) ?? 0,
    }));
  const groups = Map.groupBy(shown, ({ group }) => group);
  const main = groups.get(undefined) ?? [];
  const isOnMain = main.some((link) => link.current);
  const wayTo = (words: string, name: IconName, found: typeof shown) => {
    const [first] = found;
    const isCurrent = !isOnMain && found.some((link) => link.current);
    const { address = '', waiting = 0 } = found.find((link) => link.waiting > 0) ?? first ?? {};
    return { words, icon: icon(name), address, waiting, current: isCurrent ? 'true' : undefined };
  };
  const own = shown.filter(({ group }) => group !== undefined && group !== 'Admin');
  const admins = groups.get('Admin') ?? [];
  return {
    main,
    groups: [...groups].flatMap(([heading, links]) => (heading === undefined ? [] : { heading, links })),
    ways: [
      wayTo('Settings', 'settings', own),
      ...(admins.length > 0 ? [wayTo('Admin', 'shield', admins)] : []),
    ],
  };
}

export function linksOf(parts: readonly Part[], thing: ThingLink['of'], address: string) {
  return handedIn(parts, ({ web }) => web?.links)
    .filter((link) => link.of === thing)
    .map(({ path, words }) => ({ address: `${address}${path}`, words }));
}
