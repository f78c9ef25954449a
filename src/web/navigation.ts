import { type IconName, icon } from './assets.ts';

/** Lower places come first; groups follow the order of their first links. */
export interface NavigationLink {
  /** A link without a heading is in the bar of all pages. */
  readonly group?: string;
  readonly place: number;
  readonly address: string;
  readonly words: string;
  readonly icon?: IconName;
  readonly isForAdmins?: boolean;
}

export interface ThingLink {
  readonly of: 'app' | 'team';
  readonly path: `/${string}`;
  readonly words: string;
}

export type Navigation = ReturnType<typeof navigationOf>;

export function navigationOf(links: readonly NavigationLink[], path: string, isAdmin: boolean) {
  const current = (address: string) => {
    if (path === address) return 'page';
    return path.startsWith(`${address}/`) ? 'true' : undefined;
  };
  const shown = links
    .filter(({ isForAdmins = false }) => isAdmin || !isForAdmins)
    .map((link) => ({
      ...link,
      current: current(link.address),
      icon: link.icon === undefined ? '' : icon(link.icon),
    }));
  const groups = Map.groupBy(shown, ({ group }) => group);
  return {
    main: groups.get(undefined) ?? [],
    groups: [...groups].flatMap(([heading, links]) => (heading === undefined ? [] : { heading, links })),
  };
}
