import type { GroupKind } from '../person.ts';
import type { GroupRef } from './store.ts';

/** Returns the path of an address on the page's own host, and any other address as it is. */
export function linkTo(address: string, { appUrl }: { readonly appUrl: string }): string {
  return address.startsWith(`${appUrl}/`) ? address.slice(appUrl.length) : address;
}

export const homes = {
  team: '/settings/teams',
  organization: '/settings/organization',
} as const satisfies Record<GroupKind, string>;

export function groupPage({ kind, id }: GroupRef): string {
  return kind === 'team' ? `${homes.team}/${id}` : homes.organization;
}

/** An organization's path has its id, so that an old page can't change the next organization. */
export function pathOf({ kind, id }: GroupRef): string {
  return `${homes[kind]}/${id}`;
}
