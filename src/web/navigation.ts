import { type IconName, icon } from './assets.ts';

/** A link of the menus. Lower places come first; groups are in the order of their first links. */
export interface NavigationLink {
  /** The heading in settings and account menu. Without one, the link is in the bar of all pages. */
  readonly group?: string;
  readonly place: number;
  readonly address: string;
  readonly words: string;
  readonly icon?: IconName;
  readonly isForAdmins?: boolean;
}

/** A link on the page of one thing, for those who manage it. */
export interface ThingLink {
  readonly of: 'app' | 'team';
  /** Below the thing's own address. */
  readonly path: `/${string}`;
  readonly words: string;
}

export type Navigation = ReturnType<typeof navigationOf>;

/** The menus as `path` shows them, with `links` sorted by their places. */
export function navigationOf(links: readonly NavigationLink[], path: string, isAdmin: boolean) {
  /** Of `aria-current`: the page itself, or one above it. */
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
    /** In the settings, and in the account menu. */
    groups: [...groups].flatMap(([heading, links]) => (heading === undefined ? [] : { heading, links })),
  };
}
