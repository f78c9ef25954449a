/** A team, as far as its public address goes. */
export interface TeamInAddress {
  readonly slug: string;
  /** Null exactly for a team without an organization. */
  readonly organizationSlug: string | null;
  readonly isPlatform: boolean | null;
}

/** Where booking pages are (contract §1). */
export interface TeamHosts {
  readonly appUrl: string;
  readonly orgHost: string | undefined;
}

/**
 * Where the booking pages of a regular organization's people and teams are; undefined: where
 * everybody's are.
 */
export function organizationAddressOf(slug: string, { appUrl, orgHost }: TeamHosts): string | undefined {
  return orgHost === undefined ? undefined : `${new URL(appUrl).protocol}//${slug}.${orgHost}`;
}

/**
 * Where people find what they can book with a team, below its regular organization's subdomain if
 * it has one (contract §8, bookingUrl).
 */
export function teamAddressOf(
  { slug, organizationSlug, isPlatform }: TeamInAddress,
  hosts: TeamHosts,
): string {
  const isInRegular = organizationSlug !== null && isPlatform !== true;
  const origin = isInRegular ? organizationAddressOf(organizationSlug, hosts) : undefined;
  return `${origin ?? hosts.appUrl}/team/${slug}`;
}

/** How a page links an address: by its path where it is on the page's own host. */
export function linkTo(address: string, { appUrl }: Pick<TeamHosts, 'appUrl'>): string {
  return address.startsWith(`${appUrl}/`) ? address.slice(appUrl.length) : address;
}
