import type { GroupKind } from '../person.ts';
import type { GroupRef } from './store.ts';

/** Where booking pages are (contract §1). */
export interface Hosts {
  readonly appUrl: string;
  readonly orgHost: string | undefined;
}

/** A regular organization's own host; undefined: everything is at the general address. */
export function organizationAddressOf(slug: string, { appUrl, orgHost }: Hosts): string | undefined {
  return orgHost === undefined ? undefined : `${new URL(appUrl).protocol}//${slug}.${orgHost}`;
}

export interface TeamInAddress {
  readonly slug: string;
  readonly organization: { readonly slug: string; readonly isPlatform: boolean } | null;
}

/** Where people book a team (contract §8, bookingUrl). */
export function teamAddressOf({ slug, organization }: TeamInAddress, hosts: Hosts): string {
  const isInRegular = organization !== null && !organization.isPlatform;
  const origin = isInRegular ? organizationAddressOf(organization.slug, hosts) : undefined;
  return `${origin ?? hosts.appUrl}/team/${slug}`;
}

/** How a page links an address: by its path where it is on the page's own host. */
export function linkTo(address: string, { appUrl }: Pick<Hosts, 'appUrl'>): string {
  return address.startsWith(`${appUrl}/`) ? address.slice(appUrl.length) : address;
}

/** Where people find their groups. */
export const homes = {
  team: '/settings/teams',
  organization: '/settings/organization',
} as const satisfies Record<GroupKind, string>;

/** A group's own page. */
export function pageOf({ kind, id }: GroupRef): string {
  return kind === 'team' ? `${homes.team}/${id}` : homes.organization;
}

/**
 * What the paths of a group's actions begin with. An organization's have its id, too: a page that
 * is still open from a former one must not change the present one.
 */
export function pathOf({ kind, id }: GroupRef): string {
  return `${homes[kind]}/${id}`;
}
