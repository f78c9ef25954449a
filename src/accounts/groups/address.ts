import type { GroupKind } from '../person.ts';
import type { GroupRef } from './store.ts';

export interface Hosts {
  readonly appUrl: string;
  readonly orgHost: string | undefined;
}

/** Returns undefined for the general address. */
export function organizationAddressOf(slug: string, { appUrl, orgHost }: Hosts): string | undefined {
  return orgHost === undefined ? undefined : `${new URL(appUrl).protocol}//${slug}.${orgHost}`;
}

export interface TeamInAddress {
  readonly slug: string;
  readonly organization: { readonly slug: string; readonly isPlatform: boolean } | null;
}

/** Returns the public address of a team (contract §8, bookingUrl). */
export function teamAddressOf({ slug, organization }: TeamInAddress, hosts: Hosts): string {
  const isInRegular = organization !== null && !organization.isPlatform;
  const origin = isInRegular ? organizationAddressOf(organization.slug, hosts) : undefined;
  return `${origin ?? hosts.appUrl}/team/${slug}`;
}

/** Returns the path of an address on the page's own host, and any other address as it is. */
export function linkTo(address: string, { appUrl }: Pick<Hosts, 'appUrl'>): string {
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
